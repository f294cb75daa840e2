// Judging for Python: evaluations by name, by weights, as networks and as callables; features; samples for tuning.

#pragma once

#include "damier/bindings/board.h"

namespace damier {

template <class T, class... Shape>
using InputArray = nb::ndarray<const T, Shape..., nb::c_contig, nb::device::cpu>;

// Rows of start and end worth, as whole hundredths.
inline std::vector<Worth> read_worths(InputArray<double, nb::shape<-1, 2>> weights) {
    std::vector<Worth> worths(weights.shape(0));
    for (std::size_t i = 0; i < worths.size(); ++i) {
        for (const int at : {0, 1}) {
            const double value = weights.data()[2 * i + static_cast<std::size_t>(at)];
            if (!(value >= INT16_MIN && value <= INT16_MAX))
                throw Error("weight " + std::to_string(i) + " is no number between -32768 and 32767");
            (at == 0 ? worths[i].start : worths[i].end) = static_cast<std::int16_t>(std::lround(value));
        }
    }
    return worths;
}

// Weights [outputs, inputs], biases [outputs] and the name of the activation.
using PyLayer = std::tuple<InputArray<float, nb::ndim<2>>, InputArray<float, nb::ndim<1>>, std::string>;

inline std::vector<DenseLayer> read_layers(const std::vector<PyLayer>& given) {
    std::vector<DenseLayer> layers;
    for (const auto& [weights, bias, activation] : given) {
        layers.push_back({weights.shape(1),
                          weights.shape(0),
                          {weights.data(), weights.data() + weights.size()},
                          {bias.data(), bias.data() + bias.size()},
                          activation_named(activation)});
    }
    return layers;
}

// A Python callable that judges a board, called from search threads: it takes the GIL and gives it back.
template <class M>
typename Board<M>::BoardValue called_value(const PyBoard<M>& like, nb::object board_type, nb::callable judge) {
    struct Kept {
        nb::object board_type;
        nb::callable judge;
    };
    const auto variant = like.variant;
    const std::shared_ptr<Kept> kept(new Kept{std::move(board_type), std::move(judge)}, [](Kept* old) {
        const nb::gil_scoped_acquire gil;
        delete old;
    });
    return [kept, variant](std::unique_ptr<Board<M>> door) {
        const nb::gil_scoped_acquire gil;
        nb::object board = nb::inst_alloc(kept->board_type);
        new (nb::inst_ptr<PyBoard<M>>(board)) PyBoard<M>(std::move(door), variant);
        nb::inst_mark_ready(board);
        const nb::object value = kept->judge(board);
        double number = 0;
        if (!nb::try_cast(value, number))
            throw Error("an evaluation must return a number, got " + std::string(nb::str(value.type()).c_str()));
        return number;
    };
}

template <class M>
void bind_features(nb::class_<PyBoard<M>>& board) {
    using B = PyBoard<M>;
    board
        .def(
            "feature_sets", [](const B& b) { return b.door->judge()->feature_sets(); },
            "The names of the feature sets of this game.")
        .def(
            "feature_names", [](const B& b, std::string_view set) { return b.door->judge()->feature_names(set); },
            "name"_a, "What each number of a feature set is.")
        .def(
            "features", [](const B& b, std::string_view set) { return as_numpy(b.door->judge()->features(set)); },
            "name"_a, nb::sig("def features(self, name: str) -> numpy.typing.NDArray[numpy.float32]"),
            "The features of the present position.")
        .def(
            "linear_evaluator",
            [](const B& b, std::string name, std::string_view set, std::vector<double> weights, double margin,
               double spread) {
                return b.door->judge()->linear(std::move(name), set, std::move(weights), {margin, spread});
            },
            "name"_a, "features"_a, "weights"_a, "margin"_a = 0.0, "spread"_a = 150.0,
            "A weighted sum of features; see damier.eval.Linear.")
        .def(
            "network_evaluator",
            [](const B& b, std::string name, std::string_view set, const std::vector<PyLayer>& layers, double scale,
               double margin, double spread) {
                return b.door->judge()->network(std::move(name), set, read_layers(layers), scale, {margin, spread});
            },
            "name"_a, "features"_a, "layers"_a, "scale"_a, "margin"_a = 0.0, "spread"_a = 150.0,
            nb::sig("def network_evaluator(self, name: str, features: str, layers: "
                    "collections.abc.Sequence[tuple[numpy.typing.NDArray[numpy.float32], "
                    "numpy.typing.NDArray[numpy.float32], str]], scale: float, margin: float = 0.0, spread: float = "
                    "150.0) -> damier._core.Evaluator"),
            "A network over features; see damier.eval.Network.")
        .def(
            "called_evaluator",
            [](B& b, std::string name, nb::callable judge) {
                nb::set_leak_warnings(false);  // a function and an evaluation may hold each other until the very end
                return b.door->called(std::move(name),
                                      called_value<M>(b, nb::borrow(nb::find(b).type()), std::move(judge)));
            },
            "name"_a, "judge"_a,
            nb::sig("def called_evaluator(self, name: str, judge: collections.abc.Callable[[typing.Any], float]) -> "
                    "damier._core.Evaluator"),
            "An evaluation that asks a Python callable; see damier.eval.resolve.");
}

template <class M>
void bind_tuning(nb::class_<PyBoard<M>>& board) {
    using B = PyBoard<M>;
    board
        .def(
            "weight_groups",
            [](const B& b, const AnyEvaluator& evaluator) {
                std::vector<std::tuple<std::string, int, int, bool>> groups;
                for (const auto& group : b.door->judge()->groups(evaluator))
                    groups.emplace_back(group.name, group.size, group.row, group.held);
                return groups;
            },
            "evaluator"_a,
            "The weights of an evaluation by group: name, how many, how many a line of text, whether set by hand.")
        .def(
            "weights",
            [](const B& b, const AnyEvaluator& evaluator) {
                std::vector<double> flat;
                for (const Worth worth : b.door->judge()->weights(evaluator)) {
                    flat.push_back(worth.start);
                    flat.push_back(worth.end);
                }
                return as_numpy(std::move(flat), std::size_t{2});
            },
            "evaluator"_a,
            nb::sig("def weights(self, evaluator: damier._core.Evaluator) -> numpy.typing.NDArray[numpy.float64]"),
            "The weights of an evaluation, a row a feature: at the start and at the end of a game.")
        .def(
            "with_weights",
            [](const B& b, const AnyEvaluator& evaluator, InputArray<double, nb::shape<-1, 2>> weights) {
                return b.door->judge()->with_weights(evaluator, read_worths(weights));
            },
            "evaluator"_a, "weights"_a,
            nb::sig("def with_weights(self, evaluator: damier._core.Evaluator, weights: "
                    "numpy.typing.NDArray[numpy.float64]) -> damier._core.Evaluator"),
            "The same evaluation with other weights, rounded to whole hundredths.")
        .def(
            "sample_games",
            [](const B& b, AnyEvaluator& evaluator, InputArray<std::uint16_t, nb::ndim<1>> codes,
               InputArray<std::int32_t, nb::ndim<1>> ends, InputArray<std::uint8_t, nb::ndim<1>> results,
               InputArray<std::int16_t, nb::ndim<1>> scores, InputArray<std::int32_t, nb::ndim<1>> score_ends,
               long long skip, long long every, std::uint64_t seed, double mix, double slope, StopFlag* flag) {
                check_count("skip", skip, 0, 1000);
                check_count("every", every, 1, 1'000'000);
                if (results.size() != ends.size() || (score_ends.size() != 0 && score_ends.size() != ends.size()))
                    throw DataError("the columns of the games have different lengths");
                const PlayedGames games{{codes.data(), codes.size()},
                                        {ends.data(), ends.size()},
                                        {results.data(), results.size()},
                                        {scores.data(), scores.size()},
                                        {score_ends.data(), score_ends.size()}};
                const Selection selection{static_cast<int>(skip), static_cast<int>(every), seed, mix, slope};
                StopFlag own;
                const auto judge = b.door->judge();
                return interruptible(
                    [&](const std::atomic<bool>& stop) { return judge->sample(evaluator, games, selection, stop); },
                    flag ? flag->raised : own.raised);
            },
            "evaluator"_a, "codes"_a, "ends"_a, "results"_a, "scores"_a, "score_ends"_a, nb::kw_only(), "skip"_a = 8,
            "every"_a = 1, "seed"_a = 0, "mix"_a = 0.0, "slope"_a = 0.005, "stop"_a = nb::none(),
            nb::sig("def sample_games(self, evaluator: damier._core.Evaluator, codes: "
                    "numpy.typing.NDArray[numpy.uint16], ends: numpy.typing.NDArray[numpy.int32], results: "
                    "numpy.typing.NDArray[numpy.uint8], scores: numpy.typing.NDArray[numpy.int16], score_ends: "
                    "numpy.typing.NDArray[numpy.int32], *, skip: int = 8, every: int = 1, seed: int = 0, mix: float = "
                    "0.0, slope: float = 0.005, stop: damier._core.StopFlag | None = None) -> damier._core.Samples"),
            "The features of calm positions of games that began where this board did, without the GIL.");
}

// Judging the present position.
template <class M>
void bind_evaluation(nb::class_<PyBoard<M>>& board) {
    using B = PyBoard<M>;
    board
        .def(
            "evaluations", [](const B& b) { return b.door->evaluations(); },
            "The names of the evaluations of this game, the engine's own first.")
        .def(
            "evaluator", [](const B& b, std::string_view name) { return b.door->evaluator(name); }, "name"_a,
            "The evaluation of that name.")
        .def(
            "evaluate", [](const B& b, AnyEvaluator& evaluator) { return b.door->evaluate(evaluator); }, "evaluator"_a,
            "The score for the side to move, in hundredths of a man.")
        .def(
            "explain",
            [](const B& b, AnyEvaluator& evaluator) {
                std::vector<std::tuple<std::string, double, double, double>> lines;
                for (const auto& term : b.door->explain(evaluator))
                    lines.emplace_back(term.name, term.white, term.black, term.total);
                return lines;
            },
            "evaluator"_a, "The score term by term: name, for White, for Black, as it counts for White.");
    bind_features(board);
    bind_tuning(board);
}

}  // namespace damier
