// Tree searches of many boards for Python, which work without the GIL.

#include <cmath>
#include <sstream>

#include "damier/bindings/batch.h"

namespace damier {

namespace {

constexpr int MaxLeavesPerTree = 1024;
constexpr int MaxTreeThreads = 1024;

// Work runs without the GIL and reads the boards, so it takes turns with whoever steps them.
struct PyTrees {
    const PyBatch& boards;
    std::unique_ptr<TreeBatch> door;
    int threads;
    std::size_t waiting = 0;  // leaves that the network has to judge

    PyTrees(const PyBatch& batch, const PuctOptions& options, std::uint64_t seed, int shared_by)
        : boards(batch), door(batch.door->trees(options, seed)), threads(shared_by) {}
};

float within(const char* what, double value, double least, double most) {
    if (value >= least && value <= most) return static_cast<float>(value);
    std::ostringstream words;
    words << what << " is " << value << ", expected " << least << " to " << most;
    throw Error(words.str());
}

nb::object select_leaves(PyTrees& trees, long long per_tree) {
    check_count("leaves", per_tree, 1, MaxLeavesPerTree);
    if (trees.waiting > 0) throw Error(std::to_string(trees.waiting) + " leaves wait for back_up");
    const auto shape = trees.boards.door->shape();
    auto planes = alone(trees.boards, [&] {
        trees.waiting = trees.door->select(static_cast<int>(per_tree), trees.threads);
        std::vector<float> written(trees.waiting * shape.size());
        trees.door->write_planes(written, trees.threads);
        return written;
    });
    const auto size = [](int length) { return static_cast<std::size_t>(length); };
    return nb::cast(as_numpy(std::move(planes), size(shape.planes), size(shape.rows), size(shape.columns)));
}

void back_up_leaves(PyTrees& trees, const InputArray<float, nb::ndim<2>>& logits,
                    const InputArray<float, nb::ndim<1>>& values) {
    const auto actions = static_cast<std::size_t>(trees.boards.door->action_count());
    if (logits.shape(0) != trees.waiting || values.shape(0) != trees.waiting || logits.shape(1) != actions)
        throw Error("logits of shape " + std::to_string(logits.shape(0)) + " x " + std::to_string(logits.shape(1)) +
                    " and " + std::to_string(values.shape(0)) + " values, expected " + std::to_string(trees.waiting) +
                    " x " + std::to_string(actions) + " and " + std::to_string(trees.waiting));
    const std::span<const float> said(logits.data(), logits.size()), worth(values.data(), values.size());
    alone(trees.boards, [&] {
        if (!std::all_of(worth.begin(), worth.end(), [](float value) { return std::abs(value) <= 1; }))
            throw Error("a value is not a number from -1 to 1");
        if (!std::all_of(said.begin(), said.end(), [](float logit) { return std::isfinite(logit); }))
            throw Error("a logit is not a finite number");
        trees.door->back_up(said, worth, trees.threads);
        trees.waiting = 0;
    });
}

void bind_results(nb::class_<PyTrees>& trees) {
    trees
        .def(
            "policies",
            [](const PyTrees& t) {
                auto all = alone(t.boards, [&] { return t.door->policies(); });
                return nb::make_tuple(as_numpy(std::move(all.actions)), as_numpy(std::move(all.shares)),
                                      as_numpy(std::move(all.priors)), as_numpy(std::move(all.values)),
                                      as_numpy(std::move(all.ends)));
            },
            nb::sig("def policies(self) -> tuple[numpy.typing.NDArray[numpy.uint16], "
                    "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], "
                    "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64]]"),
            "What was found about the moves of all searched boards, laid end to end: actions, shares of the visits, "
            "priors and values for the side to move (NaN where untried); and where those of each board end.")
        .def(
            "values",
            [](const PyTrees& t) {
                std::vector<float> values(t.boards.door->size());
                alone(t.boards, [&] { t.door->root_values(values); });
                return as_numpy(std::move(values));
            },
            nb::sig("def values(self) -> numpy.typing.NDArray[numpy.float32]"),
            "The value of each board for its side to move, from -1 to 1; 0 where it was not searched.")
        .def(
            "choose",
            [](PyTrees& t, const InputArray<float, nb::ndim<1>>& temperatures) {
                if (temperatures.shape(0) != t.boards.door->size())
                    throw Error(std::to_string(temperatures.shape(0)) + " temperatures for " +
                                std::to_string(t.boards.door->size()) + " boards, expected one for each");
                std::vector<std::int64_t> actions(t.boards.door->size());
                const std::span<const float> given(temperatures.data(), temperatures.size());
                alone(t.boards, [&] { t.door->choose(given, actions); });
                return as_numpy(std::move(actions));
            },
            "temperatures"_a,
            nb::sig("def choose(self, temperatures: numpy.typing.NDArray[numpy.float32]) -> "
                    "numpy.typing.NDArray[numpy.int64]"),
            "An action for each board, drawn by visits to the power of 1 / temperature; the most visited one at 0, -1 "
            "where a board was not searched.")
        .def_prop_ro(
            "nodes", [](const PyTrees& t) { return alone(t.boards, [&] { return t.door->nodes(); }); },
            "How many nodes all trees have.");
}

}  // namespace

void bind_trees(nb::module_& m) {
    nb::class_<PyTrees> trees(m, "TreeBatch", "Tree searches of the boards of a batch, one each, by PUCT.");
    trees
        .def(
            "__init__",
            [](PyTrees* self, const PyBatch& boards, double exploration, double fpu_reduction, double noise,
               double dirichlet_concentration, long long most_nodes, std::uint64_t seed, long long threads) {
                PuctOptions options;
                options.exploration = within("exploration", exploration, 0, 100);
                options.fpu_reduction = within("fpu_reduction", fpu_reduction, 0, 2);
                options.noise = within("noise", noise, 0, 1);
                options.dirichlet_concentration =
                    within("dirichlet_concentration", dirichlet_concentration, 0.01, 1000);
                check_count("most_nodes", most_nodes, 1, 1 << 28);
                check_count("threads", threads, 1, MaxTreeThreads);
                options.most_nodes = static_cast<int>(most_nodes);
                new (self) PyTrees(boards, options, seed, static_cast<int>(threads));
            },
            "boards"_a, nb::kw_only(), "exploration"_a = 1.5, "fpu_reduction"_a = 0.25, "noise"_a = 0.25,
            "dirichlet_concentration"_a = 10.0, "most_nodes"_a = 1 << 20, "seed"_a = 0, "threads"_a = 1,
            nb::keep_alive<1, 2>())
        .def(
            "begin",
            [](PyTrees& t, const Numbers& simulations, const Numbers& noisy) {
                const auto given = numbers_of("simulations", simulations, t.boards);
                const auto noise = numbers_of("noise flags", noisy, t.boards);
                for (const auto count : given) check_count("simulations", count, 0, 1 << 24);
                const std::vector<std::uint8_t> flags(noise.begin(), noise.end());
                t.waiting = 0;
                alone(t.boards, [&] { t.door->begin(given, flags); });
            },
            "simulations"_a, "noisy"_a,
            nb::sig("def begin(self, simulations: numpy.typing.NDArray[numpy.integer[typing.Any]], noisy: "
                    "numpy.typing.NDArray[numpy.integer[typing.Any]]) -> None"),
            "Begins to search each board as it stands, until so many simulations were made, with noise in the priors "
            "of the root or without. 0 leaves a board out. A tree keeps and counts what it knows of moves played "
            "since.")
        .def("select", &select_leaves, "leaves"_a = 1,
             nb::sig("def select(self, leaves: int = 1) -> numpy.typing.NDArray[numpy.float32]"),
             "The planes of positions that the network has to judge, at most so many per tree; none when the search "
             "is over.")
        .def("back_up", &back_up_leaves, "logits"_a, "values"_a,
             nb::sig("def back_up(self, logits: numpy.typing.NDArray[numpy.float32], values: "
                     "numpy.typing.NDArray[numpy.float32]) -> None"),
             "Takes the network's outputs for the positions of `select`: a logit per action, and a value for the "
             "side to move, from -1 to 1.");
    bind_results(trees);
}

}  // namespace damier
