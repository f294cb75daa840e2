// Python's face of the ladder: a search with every option by name, and the tree it recorded seen by numpy in place.

#pragma once

#include "damier/bindings/board.h"

namespace damier {

// A recorded tree and the board it grew from, which can say its moves.
template <class M>
struct PyTrace {
    std::shared_ptr<const ladder::Trace<M>> trace;
    PyBoard<M> board;

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
    throw Error(shown(name) + " is no " + what + ", expected one of " + known);
}

// The columns of a tree as numpy sees them: the same memory, kept alive by the tree.
template <class M>
nb::dict columns_of(const ladder::Trace<M>& trace, nb::handle owner) {
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

template <class M>
void bind_trace(nb::module_& m) {
    using T = PyTrace<M>;
    nb::class_<T>(m, "Trace", "A recorded search tree as columns; `damier.search.trace` is the way to it.")
        .def("__len__", [](const T& t) { return t.trace->size(); })
        .def_prop_ro(
            "columns", [](T& t) { return columns_of(*t.trace, nb::find(t)); },
            nb::sig("def columns(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
            "The columns by name, seen in place; a row is a node, parents come first.")
        .def_prop_ro(
            "outside", [](const T& t) { return t.trace->outside; }, "Nodes that are counted but lie below no row.")
        .def(
            "move", [](const T& t, long long row) { return PyMove<M>::wrap(t.board, t.trace->move[t.checked(row)]); },
            "node"_a, "The move that led to a node (meaningless at a root and after a null move).")
        .def(
            "text", [](const T& t, long long row) { return t.board.door->text(*t.trace, t.checked(row)); }, "node"_a,
            "That move in the usual notation, `pass` for a null move, nothing at a root.");
}

template <class M>
nb::dict as_dict(const PyBoard<M>& board, ladder::Answer<M>&& answer, bool traced) {
    nb::dict report;
    report["value"] = answer.value;
    report["depth"] = answer.depth;
    report["line"] = move_list(board, answer.line);
    report["stopped"] = answer.stopped;
    report["nodes"] = answer.counters.nodes;
    report["leaves"] = answer.counters.leaves;
    report["cutoffs"] = answer.counters.cutoffs;
    report["table_hits"] = answer.counters.table_hits;
    report["researches"] = answer.counters.researches;
    report["trace"] = nb::none();
    if (traced) {
        auto trace = std::make_shared<const ladder::Trace<M>>(std::move(answer.trace));
        report["trace"] = nb::cast(PyTrace<M>{std::move(trace), board});
    }
    return report;
}

template <class M>
void bind_ladder(nb::module_& m, nb::class_<PyBoard<M>>& board) {
    using B = PyBoard<M>;
    bind_trace<M>(m);
    board.def(
        "climb",
        [](const B& b, std::string_view algorithm, AnyEvaluator& evaluator, long long depth, bool iterative,
           std::string_view ordering, long long table, long long aspiration, bool null_move, bool quiescence,
           long long simulations, double exploration, std::string_view leaves, std::uint64_t seed,
           long long playout_plies, long long trace, StopFlag* flag) {
            using namespace ladder;
            const auto chosen = named<Algorithm>(AlgorithmNames, algorithm, "algorithm");
            check_count("depth", depth, 0, MaxDepth);
            check_count("table", table, 0, 1024);
            check_count("aspiration", aspiration, 0, Infinite);
            check_count("simulations", simulations, 1, 10'000'000);
            check_count("playout_plies", playout_plies, 0, 100'000);
            check_count("cap", trace, 0, 20'000'000);
            if (!(exploration >= 0 && exploration <= 1000))
                throw Error("exploration is " + std::to_string(exploration) + ", expected 0 to 1000");
            const Options options{
                .depth = static_cast<int>(depth),
                .iterative = iterative,
                .ordering = named<Ordering>(OrderingNames, ordering, "ordering"),
                .table_mb = static_cast<int>(table),
                .aspiration = static_cast<Score>(aspiration),
                .null_move = null_move,
                .quiescence = quiescence,
                .simulations = static_cast<int>(simulations),
                .exploration = exploration,
                .leaves = named<Leaves>(LeavesNames, leaves, "kind of leaves"),
                .seed = seed,
                .playout_plies = static_cast<int>(playout_plies),
                .trace_cap = static_cast<int>(trace),
            };
            StopFlag own;
            const auto door = b.door->copy();
            auto answer = interruptible(
                [&](const std::atomic<bool>& stop) { return door->climb(chosen, options, evaluator, stop); },
                flag ? flag->raised : own.raised);
            return as_dict(b, std::move(answer), trace > 0);
        },
        "algorithm"_a, "evaluator"_a, nb::kw_only(), "depth"_a, "iterative"_a = false, "ordering"_a = "captures",
        "table"_a = 4, "aspiration"_a = 0, "null_move"_a = false, "quiescence"_a = false, "simulations"_a = 800,
        "exploration"_a = 1.4, "leaves"_a = "random", "seed"_a = 0, "playout_plies"_a = 400, "trace"_a = 0,
        "stop"_a = nb::none(),
        nb::sig("def climb(self, algorithm: str, evaluator: damier._core.Evaluator, *, depth: int, iterative: bool = "
                "False, ordering: str = 'captures', table: int = 4, aspiration: int = 0, null_move: bool = False, "
                "quiescence: bool = False, simulations: int = 800, exploration: float = 1.4, leaves: str = 'random', "
                "seed: int = 0, playout_plies: int = 400, trace: int = 0, stop: damier._core.StopFlag | None = None) "
                "-> dict[str, typing.Any]"),
        "Searches the position by an algorithm of the ladder, without the GIL; `damier.search` is the way to it.");
}

}  // namespace damier
