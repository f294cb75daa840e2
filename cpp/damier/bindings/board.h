// Python's face of a board, written once for every game. A game's own file adds its constructor and its specialities.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>

#include "damier/base/error.h"
#include "damier/base/text.h"
#include "damier/bindings/interrupt.h"
#include "damier/engine/opening.h"

namespace damier {

namespace nb = nanobind;
using namespace nb::literals;

inline const char* score_of(Result result) {
    switch (result) {
        case Result::WhiteWins: return "1-0";
        case Result::BlackWins: return "0-1";
        case Result::Draw: return "1/2-1/2";
    }
    return "*";
}
inline std::optional<std::string> score_of(std::optional<Result> result) {
    if (!result) return std::nullopt;
    return score_of(*result);
}

// What a board's name stands for, shared by the boards and moves that need to name squares.
struct VariantInfo {
    std::string name;
    std::vector<SquareInfo> squares;

    int square(std::string_view wanted) const {
        for (const auto& info : squares)
            if (info.name == wanted) return info.index;
        throw Error(shown(wanted) + " is no square of " + name);
    }
    const std::string& square_name(int sq) const {
        for (const auto& info : squares)
            if (info.index == sq) return info.name;
        throw Error("no square has the number " + std::to_string(sq));
    }
};

// What Python holds: a door to a board of some game.
template <class M>
struct PyBoard {
    std::unique_ptr<Board<M>> door;
    std::shared_ptr<const VariantInfo> variant;

    PyBoard(std::unique_ptr<Board<M>> board, std::string name)
        : door(std::move(board)), variant(new VariantInfo{std::move(name), door->squares()}) {}
    PyBoard(const PyBoard& other) : door(other.door->copy()), variant(other.variant) {}
    PyBoard(std::unique_ptr<Board<M>> board, std::shared_ptr<const VariantInfo> info)
        : door(std::move(board)), variant(std::move(info)) {}
    PyBoard& operator=(const PyBoard&) = delete;
};

// How Python sees a move: as it is, unless a game specialises this to name squares by the board it belongs to.
template <class M>
struct PyMove {
    using Type = M;
    static Type wrap(const PyBoard<M>&, M move) { return move; }
    static M unwrap(const Type& move) { return move; }
    static bool belongs(const PyBoard<M>&, const Type&) { return true; }
};

// A view of the legal moves that keeps its board alive and always shows the present position.
template <class M>
struct LegalMoves {
    nb::object owner;
    const PyBoard<M>* board;
};

template <class M>
bool is_legal(const PyBoard<M>& board, const typename PyMove<M>::Type& move) {
    return PyMove<M>::belongs(board, move) && board.door->is_legal(PyMove<M>::unwrap(move));
}

template <class M>
M checked(const PyBoard<M>& board, const typename PyMove<M>::Type& move) {
    if (!is_legal<M>(board, move)) throw MoveError(to_text(move) + " is illegal in " + board.door->fen());
    return PyMove<M>::unwrap(move);
}

inline void check_count(const char* what, long long value, long long least, long long most) {
    if (value < least || value > most)
        throw Error(std::string(what) + " is " + std::to_string(value) + ", expected " + std::to_string(least) +
                    " to " + std::to_string(most));
}

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

inline nb::dict as_columns(Playouts&& played) {
    nb::dict columns;
    columns["codes"] = as_numpy(std::move(played.codes));
    columns["ends"] = as_numpy(std::move(played.ends));
    columns["plies"] = as_numpy(std::move(played.plies));
    columns["results"] = as_numpy(as_bytes(played.results));
    columns["reasons"] = as_numpy(as_bytes(played.reasons));
    return columns;
}

template <class M>
nb::list move_list(const PyBoard<M>& board, const std::vector<M>& moves) {
    nb::list list;
    for (const M move : moves) list.append(nb::cast(PyMove<M>::wrap(board, move)));
    return list;
}

template <class M>
void bind_legal_moves(nb::module_& m) {
    using View = LegalMoves<M>;
    using P = typename PyMove<M>::Type;
    nb::class_<View>(m, "LegalMoves", "The legal moves of a board: iterate, count, or ask `move in board.legal_moves`.")
        .def("__len__", [](const View& view) { return view.board->door->count_legal_moves(); })
        .def("__bool__", [](const View& view) { return view.board->door->count_legal_moves() > 0; })
        .def(
            "__contains__",
            [](const View& view, nb::handle item) {
                P move;
                return nb::try_cast(item, move) && is_legal<M>(*view.board, move);
            },
            nb::arg().none(), nb::sig("def __contains__(self, item: object, /) -> bool"))
        .def(
            "__iter__",
            [](const View& view) { return nb::iter(move_list(*view.board, view.board->door->legal_moves())); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[Move]"))
        .def("__repr__", [](const View& view) {
            std::string text = "<LegalMoves";
            for (const M move : view.board->door->legal_moves()) text += " " + view.board->door->text(move);
            return text + ">";
        });
}

constexpr int MaxDepth = 60;
constexpr int MaxThreads = 1024;
constexpr int MaxGames = 1 << 20;  // in one call, so that the offsets of their moves stay small

// Where the game stands.
template <class M>
void bind_state(nb::class_<PyBoard<M>>& board) {
    using B = PyBoard<M>;
    board
        .def_prop_ro(
            "variant", [](const B& b) { return b.variant->name; }, "The name of the game, as in `damier games`.")
        .def_prop_ro(
            "turn", [](const B& b) { return b.door->turn(); }, "The side to move.")
        .def_prop_ro(
            "key", [](const B& b) { return b.door->key(); }, "The 64-bit hash of the position.")
        .def(
            "fresh_key", [](const B& b) { return b.door->fresh_key(); }, "The hash computed from nothing.")
        .def_prop_ro(
            "ply", [](const B& b) { return b.door->moves().size(); }, "How many moves were pushed.")
        .def_prop_ro(
            "move_number", [](const B& b) { return b.door->move_number(); },
            "The number of the present move, counted as score sheets do.")
        .def_prop_ro(
            "quiet_plies", [](const B& b) { return b.door->past().quiet_plies; },
            "Plies since the last move that cannot be undone by play.")
        .def_prop_ro(
            "occurrences", [](const B& b) { return b.door->past().occurrences; },
            "How often the position has stood on the board, now included.")
        .def(
            "outcome", [](const B& b, bool claim_draw) { return b.door->outcome(claim_draw); }, nb::kw_only(),
            "claim_draw"_a = false,
            "How the game ended, or None. Draws that need a claim count when `claim_draw` is set.")
        .def(
            "is_over", [](const B& b, bool claim_draw) { return b.door->outcome(claim_draw).has_value(); },
            nb::kw_only(), "claim_draw"_a = false)
        .def(
            "fen", [](const B& b) { return b.door->fen(); }, "The position as one line of text.")
        .def(
            "start_fen", [](const B& b) { return b.door->start_fen(); }, "The position before the first move.")
        .def(
            "copy",
            [](B& b) {
                const nb::object self = nb::find(b);
                nb::object twin = nb::inst_alloc(self.type());  // of the same Python class
                nb::inst_copy(twin, self);
                return twin;
            },
            nb::sig("def copy(self) -> typing.Self"), "A board of its own with the same history.")
        .def(
            "__eq__", [](const B& b, const B& other) { return b.door->same_position(*other.door); }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"),
            "Whether two boards show the same position of the same game, whatever their history.");
}

// Moves: asking, reading, playing, taking back.
template <class M>
void bind_moves(nb::class_<PyBoard<M>>& board) {
    using B = PyBoard<M>;
    using P = typename PyMove<M>::Type;
    board
        .def_prop_ro(
            "moves", [](const B& b) { return move_list(b, b.door->moves()); }, nb::sig("def moves(self) -> list[Move]"),
            "The moves pushed so far.")
        .def_prop_ro(
            "legal_moves", [](B& b) { return LegalMoves<M>{nb::find(b), &b}; },
            nb::sig("def legal_moves(self) -> LegalMoves"), "A view of the legal moves.")
        .def(
            "is_legal", [](const B& b, const P& move) { return is_legal<M>(b, move); }, "move"_a)
        .def(
            "push", [](B& b, const P& move) { b.door->push(checked<M>(b, move)); }, "move"_a,
            "Plays a move; an illegal one raises MoveError.")
        .def(
            "pop",
            [](B& b) {
                if (b.door->moves().empty()) throw MoveError("there is no move to take back");
                return PyMove<M>::wrap(b, b.door->pop());
            },
            "Takes the last move back and returns it.")
        .def(
            "peek",
            [](const B& b) {
                if (b.door->moves().empty()) throw MoveError("no move has been played");
                return PyMove<M>::wrap(b, b.door->moves().back());
            },
            "The last move.")
        .def(
            "parse", [](const B& b, std::string_view text) { return PyMove<M>::wrap(b, b.door->read_move(text)); },
            "text"_a, "The legal move a text stands for; raises MoveError.")
        .def(
            "play",
            [](B& b, std::string_view text) {
                const M move = b.door->read_move(text);
                b.door->push(move);
                return PyMove<M>::wrap(b, move);
            },
            "text"_a, "Plays the move a text stands for and returns it.")
        .def(
            "text", [](const B& b, const P& move) { return b.door->text(checked<M>(b, move)); }, "move"_a,
            "A legal move in the notation players of this game use.")
        .def(
            "is_irreversible", [](const B& b, const P& move) { return b.door->is_irreversible(checked<M>(b, move)); },
            "move"_a, "Whether no earlier position can come back after this move.");
}

// What a drawing or a network looks at.
template <class M>
void bind_picture(nb::class_<PyBoard<M>>& board) {
    using B = PyBoard<M>;
    using P = typename PyMove<M>::Type;
    board
        .def_prop_ro(
            "squares",
            [](const B& b) {
                std::vector<std::tuple<std::string, int, int>> all;
                for (const auto& info : b.variant->squares) all.emplace_back(info.name, info.file, info.rank);
                return all;
            },
            "The playing squares as (name, file, rank), file 0 and rank 0 at the bottom left seen by White.")
        .def(
            "piece",
            [](const B& b, std::string_view name) -> std::optional<std::string> {
                const char letter = b.door->piece(b.variant->square(name));
                return letter ? std::optional(std::string(1, letter)) : std::nullopt;
            },
            "square"_a, "The letter of the piece on a square, or None.")
        .def(
            "pieces",
            [](const B& b) {
                nb::dict all;
                for (const auto& info : b.variant->squares)
                    if (const char letter = b.door->piece(info.index))
                        all[nb::cast(info.name)] = nb::cast(std::string(1, letter));
                return all;
            },
            nb::sig("def pieces(self) -> dict[str, str]"), "Every piece: square name to letter.")
        .def(
            "planes", [](const B& b) { return as_numpy(b.door->planes()); },
            nb::sig("def planes(self) -> numpy.typing.NDArray[numpy.uint64]"),
            "The position as sets of squares, one 64-bit word a kind of piece and side.")
        .def(
            "states", [](const B& b) { return as_numpy(b.door->states(), b.door->planes().size()); },
            nb::sig("def states(self) -> numpy.typing.NDArray[numpy.uint64]"),
            "The planes of every position of the game, the first included, one row a position.")
        .def(
            "ends",
            [](const B& b, const P& move) {
                const auto [from, to] = ends(*b.door, PyMove<M>::unwrap(move));
                return std::pair(b.variant->square_name(from), b.variant->square_name(to));
            },
            "move"_a, "The squares a move leaves and reaches.");
}

// Work on a copy: while it runs without the GIL, other Python threads may play on the board itself.
template <class M>
typename Board<M>::Counts divided(const PyBoard<M>& board, long long depth, long long threads) {
    check_count("threads", threads, 1, MaxThreads);
    const auto door = board.door->copy();
    return interruptible([&](const std::atomic<bool>& stop) {
        return door->divide(static_cast<int>(depth), static_cast<int>(threads), stop);
    });
}

// Work for which Python crosses the border once.
template <class M>
void bind_work(nb::class_<PyBoard<M>>& board) {
    using B = PyBoard<M>;
    using P = typename PyMove<M>::Type;
    board
        .def(
            "codes", [](const B& b) { return as_numpy(b.door->codes()); },
            nb::sig("def codes(self) -> numpy.typing.NDArray[numpy.uint16]"), "The moves as stored in data files.")
        .def(
            "replay",
            [](B& b, nb::ndarray<const std::uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> codes) {
                b.door->replay({codes.data(), codes.size()});
            },
            "codes"_a.noconvert(), nb::sig("def replay(self, codes: numpy.typing.NDArray[numpy.uint16]) -> None"),
            "Plays moves stored by `codes`; raises DataError where they stop making sense.")
        .def(
            "divide",
            [](const B& b, long long depth, long long threads) {
                check_count("depth", depth, 1, MaxDepth);
                std::vector<std::pair<P, std::uint64_t>> counts;
                for (const auto& [move, below] : divided(b, depth, threads))
                    counts.emplace_back(PyMove<M>::wrap(b, move), below);
                return counts;
            },
            "depth"_a, nb::kw_only(), "threads"_a = 1, "The perft count below each legal move.")
        .def(
            "perft",
            [](const B& b, long long depth, long long threads) -> std::uint64_t {
                check_count("depth", depth, 0, MaxDepth);
                if (depth == 0) return 1;
                if (depth == 1) return static_cast<std::uint64_t>(b.door->count_legal_moves());
                std::uint64_t nodes = 0;
                for (const auto& [move, below] : divided(b, depth, threads)) nodes += below;
                return nodes;
            },
            "depth"_a, nb::kw_only(), "threads"_a = 1, "The number of move sequences of exactly `depth` plies.")
        .def(
            "play_games",
            [](const B& b, long long games, std::uint64_t seed, std::uint64_t first_game, bool keep_moves,
               StopFlag* flag) {
                check_count("games", games, 0, MaxGames);
                StopFlag own;
                const auto door = b.door->copy();
                auto played = interruptible(
                    [&](const std::atomic<bool>& stop) {
                        return door->play_games(seed, first_game, static_cast<int>(games), keep_moves, stop);
                    },
                    flag ? flag->raised : own.raised);
                return as_columns(std::move(played));
            },
            "games"_a, nb::kw_only(), "seed"_a = 0, "first_game"_a = 0, "keep_moves"_a = true, "stop"_a = nb::none(),
            nb::sig("def play_games(self, games: int, *, seed: int = 0, first_game: int = 0, keep_moves: bool = True, "
                    "stop: damier._core.StopFlag | None = None) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
            "Plays random games from here, without the GIL, and returns them as columns; fewer once `stop` is set.")
        .def(
            "play_at_random",
            [](B& b, long long plies, std::uint64_t seed) {
                check_count("plies", plies, 0, 10'000);
                Random random(seed);
                b.door = random_opening(*b.door, static_cast<int>(plies), random);
            },
            "plies"_a, nb::kw_only(), "seed"_a = 0,
            "Plays so many random moves that do not end the game; fewer where a hundred tries all ended it.");
}

template <class M>
void bind_evaluation(nb::class_<PyBoard<M>>& board);  // bindings/evaluation.h

template <class M>
nb::class_<PyBoard<M>> bind_board(nb::module_& m, const char* doc) {
    bind_legal_moves<M>(m);
    nb::class_<PyBoard<M>> board(m, "Board", doc);
    board.attr("__hash__") = nb::none();  // boards are equal by position, and positions change
    bind_state(board);
    bind_moves(board);
    bind_picture(board);
    bind_evaluation(board);
    bind_work(board);
    return board;
}

void bind_common(nb::module_& m);
void bind_samples(nb::module_& m);
void bind_loa(nb::module_& m);
void bind_chess(nb::module_& m);
void bind_draughts(nb::module_& m);

}  // namespace damier
