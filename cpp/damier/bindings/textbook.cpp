// The textbook algorithms for Python: a search with every option by name, and the tree it recorded seen by numpy in
// place.

#include "damier/base/text.h"
#include "damier/bindings/bindings.h"

namespace damier {

namespace {

using textbook::Algorithm;
using textbook::Options;
using textbook::Trace;

// A recorded tree and the board it grew from, which can say its moves.
struct PyTrace {
    std::shared_ptr<const Trace> trace;
    PyBoard board;

    std::size_t checked(long long row) const {
        check_count("node", row, 0, static_cast<long long>(trace->size()) - 1);
        return static_cast<std::size_t>(row);
    }
};

// The value of an enumeration that has the name, its names being listed in order.
template <class Enum, std::size_t N>
Enum named(const std::array<std::string_view, N>& names, std::string_view name, const char* what) {
    std::string known;
    for (std::size_t i = 0; i < N; ++i) {
        if (names[i] == name) return static_cast<Enum>(i);
        known += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    throw Error(shown(name) + " is not " + what + ", expected one of " + known);
}

template <class Enum, std::size_t N>
std::string name_of(const std::array<std::string_view, N>& names, Enum value) {
    return std::string(names[static_cast<std::size_t>(value)]);
}

// The columns of a tree as numpy sees them: the same memory, kept alive by the tree.
nb::dict columns_of(const Trace& trace, nb::handle owner) {
    nb::dict columns;
    const auto see = [&]<class T>(const char* name, const std::vector<T>& column) {
        using Seen = std::conditional_t<std::is_enum_v<T>, std::uint8_t, T>;
        const auto* data = reinterpret_cast<const Seen*>(column.data());
        columns[name] = nb::cast(nb::ndarray<nb::numpy, const Seen, nb::ndim<1>>(data, {column.size()}, owner));
    };
    see("parent", trace.parent);
    see("end", trace.end);
    see("ply", trace.ply);
    see("depth", trace.depth);
    see("code", trace.code);
    see("alpha", trace.alpha);
    see("beta", trace.beta);
    see("alpha_out", trace.alpha_out);
    see("beta_out", trace.beta_out);
    see("value", trace.value);
    see("why", trace.why);
    see("role", trace.role);
    see("visits", trace.visits);
    see("unrecorded", trace.unrecorded);
    return columns;
}

void bind_trace(nb::module_& m) {
    using T = PyTrace;
    nb::class_<T>(m, "Trace", "A recorded search tree as columns; `damier.textbook.trace` is the way to it.")
        .def("__len__", [](const T& t) { return t.trace->size(); })
        .def_prop_ro(
            "columns", [](T& t) { return columns_of(*t.trace, nb::find(t)); },
            nb::sig("def columns(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
            "The columns by name, seen in place; a row is a node, parents come first.")
        .def_prop_ro(
            "outside", [](const T& t) { return t.trace->outside; }, "Nodes that are counted but lie below no row.")
        .def(
            "move", [](const T& t, long long row) { return t.trace->move[t.checked(row)]; }, "node"_a,
            "The move that led to a node (meaningless at a root and after a null move).")
        .def(
            "text",
            [](const T& t, long long row) { return t.board.variant().text(*t.board.door, *t.trace, t.checked(row)); },
            "node"_a, "That move in standard notation, `pass` for a null move, nothing at a root.");
}

// The fields of damier.engine.SearchResult by name, the score as a number, and the tree.
nb::dict as_dict(const PyBoard& board, const SearchResult& result) {
    nb::dict report;
    report["score"] = result.score;
    report["depth"] = result.depth;
    report["seldepth"] = result.seldepth;
    report["pv"] = nb::tuple(move_list(result.pv));
    report["ponder"] = nb::cast(result.ponder);
    report["stopped"] = result.stopped;
    report["nodes"] = result.nodes;
    report["leaves"] = result.counters.leaves;
    report["cutoffs"] = result.counters.cutoffs;
    report["table_hits"] = result.counters.table_hits;
    report["researches"] = result.counters.researches;
    report["trace"] = result.trace ? nb::cast(PyTrace{result.trace, board}) : nb::none();
    return report;
}

Options make_options(long long depth, bool iterative, std::string_view ordering, long long hash, long long aspiration,
                     bool null_move, bool quiescence, long long simulations, double exploration,
                     std::string_view leaves, std::uint64_t seed, long long playout_plies, long long trace) {
    check_count("depth", depth, 0, MaxDepth);
    check_count("hash", hash, 0, 1024);
    check_count("aspiration", aspiration, 0, Infinite);
    check_count("simulations", simulations, 1, 10'000'000);
    check_count("playout_plies", playout_plies, 0, 100'000);
    check_count("cap", trace, 0, 20'000'000);
    if (!(exploration >= 0 && exploration <= 1000))
        throw Error("exploration is " + std::to_string(exploration) + ", expected 0 to 1000");
    return {
        .depth = static_cast<int>(depth),
        .iterative = iterative,
        .ordering = named<textbook::Ordering>(textbook::OrderingNames, ordering, "an ordering"),
        .table_mb = static_cast<int>(hash),
        .aspiration = static_cast<Score>(aspiration),
        .null_move = null_move,
        .quiescence = quiescence,
        .simulations = static_cast<int>(simulations),
        .exploration = exploration,
        .leaves = named<textbook::Leaves>(textbook::LeavesNames, leaves, "a kind of leaves"),
        .seed = seed,
        .playout_plies = static_cast<int>(playout_plies),
        .trace_cap = static_cast<int>(trace),
    };
}

}  // namespace

void bind_textbook(nb::module_& parent) {
    auto m = parent.def_submodule("textbook", "Textbook search algorithms; `damier.textbook` is the way to them.");
    bind_trace(m);
    const Options usual;
    m.def(
        "search",
        [](PyBoard& b, std::string_view algorithm, PyEvaluator& evaluator, long long depth, bool iterative,
           std::string_view ordering, long long hash, long long aspiration, bool null_move, bool quiescence,
           long long simulations, double exploration, std::string_view leaves, std::uint64_t seed,
           long long playout_plies, long long trace, std::optional<nb::callable> probe, StopFlag* flag) {
            const auto chosen = named<Algorithm>(textbook::AlgorithmNames, algorithm, "an algorithm");
            const auto options = make_options(depth, iterative, ordering, hash, aspiration, null_move, quiescence,
                                              simulations, exploration, leaves, seed, playout_plies, trace);
            const auto known = probe ? function_probe(b, callable_of(b, *probe)) : nullptr;
            StopFlag own;
            const auto door = b.door->copy();
            const auto result = interruptible(
                [&](const std::atomic<bool>& stop) {
                    return door->variant()->search(*door, chosen, options, *evaluator.evaluator, known, stop);
                },
                flag ? flag->raised : own.raised);
            return as_dict(b, result);
        },
        "board"_a, "algorithm"_a, "evaluator"_a, nb::kw_only(), "depth"_a = usual.depth,
        "iterative"_a = usual.iterative, "ordering"_a = name_of(textbook::OrderingNames, usual.ordering),
        "hash"_a = usual.table_mb, "aspiration"_a = usual.aspiration, "null_move"_a = usual.null_move,
        "quiescence"_a = usual.quiescence, "simulations"_a = usual.simulations, "exploration"_a = usual.exploration,
        "leaves"_a = name_of(textbook::LeavesNames, usual.leaves), "seed"_a = usual.seed,
        "playout_plies"_a = usual.playout_plies, "trace"_a = usual.trace_cap, "probe"_a = nb::none(),
        "stop"_a = nb::none(),
        nb::sig("def search(board: damier._core.Board, algorithm: str, evaluator: damier._core.Evaluator, *, depth: "
                "int = ..., iterative: bool = ..., ordering: str = ..., hash: int = ..., aspiration: int = ..., "
                "null_move: bool = ..., quiescence: bool = ..., simulations: int = ..., exploration: float = ..., "
                "leaves: str = ..., seed: int = ..., playout_plies: int = ..., trace: int = ..., probe: "
                "collections.abc.Callable[[typing.Any], tuple[int, int | None] | None] | None = None, stop: "
                "damier._core.StopFlag | None = None) -> dict[str, typing.Any]"),
        "Searches the position by a textbook algorithm, without the GIL.");
    m.def(
        "names",
        [] {
            nb::dict names;
            const auto list = [&](const char* what, const auto& all) {
                names[what] = nb::cast(std::vector<std::string>(all.begin(), all.end()));
            };
            list("algorithm", textbook::AlgorithmNames);
            list("ordering", textbook::OrderingNames);
            list("leaves", textbook::LeavesNames);
            list("why", textbook::WhyNames);
            list("role", textbook::RoleNames);
            return names;
        },
        nb::sig("def names() -> dict[str, list[str]]"),
        "What may be chosen by name, and what the numbers of a recorded tree mean.");
}

}  // namespace damier
