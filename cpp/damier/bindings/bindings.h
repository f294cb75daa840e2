// What the bindings share: how Python holds a board, and how arrays and texts cross the border.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "damier/base/error.h"
#include "damier/bindings/interrupt.h"
#include "damier/engine/variant.h"

namespace damier {

namespace nb = nanobind;
using namespace nb::literals;

constexpr int MaxDepth = 60;
constexpr int MaxGames = 1 << 20;  // in one call, so that the offsets of their moves stay small

// What Python holds: a door to a board of some game.
struct PyBoard {
    std::unique_ptr<Board> door;

    explicit PyBoard(std::unique_ptr<Board> board) : door(std::move(board)) {}
    PyBoard(const PyBoard& other) : door(other.door->copy()) {}
    PyBoard& operator=(const PyBoard&) = delete;

    const Variant& variant() const { return *door->variant(); }
    const Evaluations& evaluations() const { return variant().evaluations(); }
};

// A Python function that is asked about boards. It belongs to one Python object, the only one to show it to the
// collector.
struct Callable {
    nb::object function;
    nb::object board_type;

    int visit(visitproc visit, void* arg) const {
        Py_VISIT(function.ptr());
        Py_VISIT(board_type.ptr());
        return 0;
    }
    void clear() {
        function.reset();
        board_type.reset();
    }
};

// A function about boards of this board's kind.
std::shared_ptr<Callable> callable_of(PyBoard& board, nb::callable function);

// Asks it from any thread and reads the answer: it takes the GIL and gives it back.
template <class Read>
auto ask(const Callable& callable, std::unique_ptr<Board> door, Read&& read) {
    const nb::gil_scoped_acquire gil;
    if (!callable.function.is_valid()) throw Error("the function to ask is gone");
    nb::object board = nb::inst_alloc(callable.board_type);
    new (nb::inst_ptr<PyBoard>(board)) PyBoard(std::move(door));
    nb::inst_mark_ready(board);
    const nb::object answer = callable.function(board);
    return read(answer);
}

// The same as an endgame database: the function returns None or (1, 0 or -1, plies or None).
std::shared_ptr<const AnyEndgameProbe> function_probe(const PyBoard& board, std::shared_ptr<Callable> callable);

// What Python holds of an evaluation.
struct PyEvaluator {
    std::shared_ptr<AnyEvaluator> evaluator;
    std::shared_ptr<Callable> callable;  // null unless it asks one
};

inline const char* score_of(Result result) {
    switch (result) {
        case Result::WhiteWins: return "1-0";
        case Result::BlackWins: return "0-1";
        case Result::Draw: return "1/2-1/2";
    }
    return "*";
}

inline void check_count(const char* what, long long value, long long least, long long most) {
    if (value < least || value > most)
        throw Error(std::string(what) + " is " + std::to_string(value) + ", expected " + std::to_string(least) +
                    " to " + std::to_string(most));
}

inline bool is_legal(const PyBoard& board, const Move& move) { return board.door->is_legal(move); }

Articles articles_of(const nb::dict& given);

// The move Python gives. What is not one is refused in one line, where a parameter of type Move lists signatures.
const Move& move_of(nb::handle given);

// The same, if it is legal.
const Move& checked(const PyBoard& board, const Move& move);
inline const Move& checked(const PyBoard& board, nb::handle given) { return checked(board, move_of(given)); }

// A text that may hold what is not Unicode (lone surrogates): whoever reads it then says what is wrong with it.
inline std::string text_of(const nb::str& given) {
    const auto bytes = nb::steal(PyUnicode_AsEncodedString(given.ptr(), "utf-8", "surrogatepass"));
    if (!bytes.is_valid()) throw nb::python_error();
    return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
}

// A text that may be the path of a file, in the bytes that the system knows it by.
inline std::string path_of(const nb::str& given) {
    const auto bytes = nb::steal(PyUnicode_AsEncodedString(given.ptr(), "utf-8", "surrogateescape"));
    if (!bytes.is_valid()) {
        PyErr_Clear();
        return text_of(given);
    }
    return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
}

template <class T, class... Shape>
using InputArray = nb::ndarray<const T, Shape..., nb::c_contig, nb::device::cpu>;

// Hands a vector over to numpy, which sees it without copying and frees it, as rows of `shape`.
template <class T, class... Shape>
auto as_numpy(std::vector<T>&& items, Shape... shape) {
    auto* kept = new std::vector<T>(std::move(items));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    const std::size_t rows = kept->size() / (std::size_t{1} * ... * shape);
    return nb::ndarray<nb::numpy, T, nb::ndim<1 + sizeof...(Shape)>>(kept->data(), {rows, shape...}, owner);
}

template <class Enum>
std::vector<std::uint8_t> as_bytes(const std::vector<Enum>& items) {
    std::vector<std::uint8_t> bytes(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) bytes[i] = static_cast<std::uint8_t>(items[i]);
    return bytes;
}

template <class Range>
nb::list move_list(const Range& moves) {
    nb::list list;
    for (const Move& move : moves) list.append(nb::cast(move));
    return list;
}

nb::dict as_columns(Playouts&& played);

void bind_common(nb::module_& m);
void bind_moves(nb::module_& m);
void bind_board(nb::module_& m);
void bind_batch(nb::module_& m);
void bind_trees(nb::module_& m);
void bind_evaluations(nb::module_& m);
void bind_samples(nb::module_& m);
void bind_training(nb::module_& m);
void bind_limit(nb::module_& m);
void bind_engine(nb::module_& m);
void bind_textbook(nb::module_& m);
void bind_chess(nb::module_& m);

}  // namespace damier
