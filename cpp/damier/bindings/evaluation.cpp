// Judging for Python: evaluations by name, by weights, as networks and as functions; features; samples for learning.

#include <cmath>

#include "damier/bindings/bindings.h"
#include "damier/eval/weights_file.h"

namespace damier {

namespace {

using B = PyBoard;

// The collector must see the function an evaluation asks: a bot often owns the engine that asks it.
int traverse_evaluator(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    const auto& callable = nb::inst_ptr<PyEvaluator>(self)->callable;
    return callable ? callable->visit(visit, arg) : 0;
}
int clear_evaluator(PyObject* self) {
    if (const auto& callable = nb::inst_ptr<PyEvaluator>(self)->callable) callable->clear();
    return 0;
}
PyType_Slot EvaluatorSlots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_evaluator)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear_evaluator)},
                                {0, nullptr}};

// Rows of start and end worth, as whole hundredths.
std::vector<Worth> read_worths(InputArray<double, nb::shape<-1, 2>> weights) {
    std::vector<Worth> worths(weights.shape(0));
    for (std::size_t i = 0; i < worths.size(); ++i) {
        for (const int at : {0, 1}) {
            const double value = weights.data()[2 * i + static_cast<std::size_t>(at)];
            if (!(value >= INT16_MIN && value <= INT16_MAX))
                throw Error("weight " + std::to_string(i) + " is not a number between -32768 and 32767");
            (at == 0 ? worths[i].start : worths[i].end) = static_cast<std::int16_t>(std::lround(value));
        }
    }
    return worths;
}

// The numbers of a tensor as an array of its shape.
nb::object tensor_array(const WeightsFile& file, const Tensor& tensor) {
    const auto array = [&]<class T>(T) {
        const auto bytes = file.bytes(tensor);
        auto* kept = new std::vector<T>(bytes.size() / sizeof(T));
        nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
        std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(kept->data()));
        return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), tensor.shape.size(), tensor.shape.data(), owner));
    };
    switch (tensor.type) {
        case ElementType::I16: return array(std::int16_t{});
        case ElementType::U64: return array(std::uint64_t{});
        case ElementType::F32: return array(float{});
        case ElementType::F64: return array(double{});
    }
    return nb::none();
}

std::pair<nb::dict, nb::dict> read_weights(const nb::str& given) {
    const std::string path = path_of(given);
    const auto file = in_file(path, [&] { return WeightsFile::load(path); });
    nb::dict metadata, tensors;
    for (const auto& [key, entry] : file.tensors().metadata) metadata[nb::cast(key)] = nb::cast(entry.value);
    for (const auto& tensor : file.tensors().tensors) tensors[nb::cast(tensor.name)] = tensor_array(file, tensor);
    return {metadata, tensors};
}

// Weights [outputs, inputs], biases [outputs] and the name of the activation.
using PyLayer = std::tuple<InputArray<float, nb::ndim<2>>, InputArray<float, nb::ndim<1>>, std::string>;

std::vector<DenseLayer> read_layers(const std::vector<PyLayer>& given) {
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

using NnueColumn = InputArray<std::int16_t, nb::ndim<1>>;
using NnueRows = InputArray<std::int16_t, nb::ndim<2>>;

PyEvaluator nnue_evaluator(const B& board, std::string name, std::string_view set, NnueRows inputs,
                           NnueColumn input_bias, NnueRows outputs, NnueColumn output_bias, long long scale,
                           double margin, double spread) {
    check_count("scale", scale, 1, NnueLargestScale);
    if (inputs.shape(1) != input_bias.size() || outputs.shape(1) != 2 * input_bias.size() ||
        outputs.shape(0) != output_bias.size())
        throw Error("network " + name + ": the shapes of its layers do not fit, expected [inputs, width], [width], " +
                    "[buckets, 2 * width] and [buckets]");
    const auto numbers = [](const auto& given) { return NnueNumbers(given.data(), given.data() + given.size()); };
    return {board.evaluations().nnue(std::move(name), set,
                                     {.inputs = numbers(inputs),
                                      .input_bias = numbers(input_bias),
                                      .outputs = numbers(outputs),
                                      .output_bias = numbers(output_bias),
                                      .scale = static_cast<int>(scale),
                                      .calibration = {margin, spread}}),
            nullptr};
}

PyEvaluator patterns_evaluator(const B& board, std::string name, std::string_view windows, NnueRows states,
                               NnueColumn turn, long long scale, double margin, double spread) {
    check_count("scale", scale, 1, PatternLargestScale);
    if (states.shape(1) != turn.size())
        throw Error("patterns " + name + ": there are " + std::to_string(states.shape(1)) + " weights per state and " +
                    std::to_string(turn.size()) + " for the turn, expected as many");
    return {board.evaluations().patterns(std::move(name), windows,
                                         {.states = {states.data(), states.data() + states.size()},
                                          .turn = {turn.data(), turn.data() + turn.size()},
                                          .scale = static_cast<int>(scale),
                                          .calibration = {margin, spread}}),
            nullptr};
}

PyEvaluator function_evaluator(B& board, std::string name, nb::callable function) {
    const auto callable = callable_of(board, std::move(function));
    const auto value = [callable](std::unique_ptr<Board> door) {
        return ask(*callable, std::move(door), [](const nb::object& answer) {
            double number = 0;
            if (!nb::try_cast(answer, number))
                throw Error("an evaluation must return a number, got " + std::string(nb::str(answer.type()).c_str()));
            return number;
        });
    };
    return {board.evaluations().function(std::move(name), *board.door, value), callable};
}

void bind_features(nb::class_<B>& board) {
    board
        .def(
            "feature_sets", [](const B& b) { return b.evaluations().feature_sets(); },
            "The names of the feature sets of this game.")
        .def(
            "feature_names", [](const B& b, std::string_view set) { return b.evaluations().feature_names(set); },
            "name"_a, "What each number of a feature set is.")
        .def(
            "turned_features", [](const B& b, std::string_view set) { return b.evaluations().turned_features(set); },
            "name"_a, "Where each number of a feature set goes when the other side looks; none where that is unknown.")
        .def(
            "features",
            [](const B& b, std::string_view set) { return as_numpy(b.evaluations().features(*b.door, set)); }, "name"_a,
            nb::sig("def features(self, name: str) -> numpy.typing.NDArray[numpy.float32]"),
            "The features of the current position.")
        .def(
            "nnue_inputs", [](const B& b, std::string_view set) { return b.evaluations().nnue_inputs(set); },
            "features"_a = "nnue",
            "What each input of a network over pieces on squares is, as a side sees the board; of the features "
            "`nnue:kings`, once for each bucket that its king may be in.")
        .def_prop_ro(
            "king_buckets", [](const B& b) { return b.evaluations().king_buckets(); },
            "In how many buckets a king may be, by where it stands; 1 where the game has none.")
        .def_prop_ro(
            "start_pieces", [](const B& b) { return b.evaluations().start_pieces(); },
            "How many pieces there are at the start of a game.")
        .def("nnue_evaluator", &nnue_evaluator, "name"_a, "features"_a, "input_weights"_a, "input_bias"_a,
             "output_weights"_a, "output_bias"_a, "scale"_a, "margin"_a = Calibration{}.margin,
             "spread"_a = Calibration{}.spread,
             nb::sig("def nnue_evaluator(self, name: str, features: str, input_weights: "
                     "numpy.typing.NDArray[numpy.int16], input_bias: "
                     "numpy.typing.NDArray[numpy.int16], output_weights: numpy.typing.NDArray[numpy.int16], "
                     "output_bias: numpy.typing.NDArray[numpy.int16], scale: int, margin: float = 0.0, spread: float = "
                     "150.0) -> Evaluator"),
             "An efficiently updated network; see damier.nnue.Nnue.")
        .def(
            "pattern_windows",
            [](const B& b, std::string_view windows) { return b.evaluations().pattern_windows(windows); },
            "windows"_a = "",
            "The windows of the board that tables cover, such as 4x6/2x2; the defaults of this game without any.")
        .def(
            "pattern_tables",
            [](const B& b, std::string_view windows) {
                std::vector<std::pair<std::string, std::size_t>> tables;
                for (const auto& table : b.evaluations().pattern_tables(windows))
                    tables.emplace_back(table.name, table.states);
                return tables;
            },
            "windows"_a = "",
            "The tables over windows of the board, in order: what each is about, and how many states it has.")
        .def(
            "pattern_names",
            [](const B& b, std::string_view windows) { return b.evaluations().pattern_names(windows); },
            "windows"_a = "", "What decides which states the numbers of those tables stand for, as text.")
        .def("patterns_evaluator", &patterns_evaluator, "name"_a, "windows"_a, "states"_a, "turn"_a, "scale"_a,
             "margin"_a = Calibration{}.margin, "spread"_a = Calibration{}.spread,
             nb::sig("def patterns_evaluator(self, name: str, windows: str, states: "
                     "numpy.typing.NDArray[numpy.int16], turn: numpy.typing.NDArray[numpy.int16], scale: int, margin: "
                     "float = 0.0, spread: float = 150.0) -> "
                     "Evaluator"),
             "Tables over regions of squares; see damier.patterns.Patterns.")
        .def(
            "linear_evaluator",
            [](const B& b, std::string name, std::string_view set, std::vector<double> weights, double margin,
               double spread) {
                return PyEvaluator{b.evaluations().linear(std::move(name), set, std::move(weights), {margin, spread}),
                                   nullptr};
            },
            "name"_a, "features"_a, "weights"_a, "margin"_a = Calibration{}.margin, "spread"_a = Calibration{}.spread,
            "A weighted sum of features; see damier.eval.Linear.")
        .def(
            "network_evaluator",
            [](const B& b, std::string name, std::string_view set, const std::vector<PyLayer>& layers, double scale,
               double margin, double spread, bool both_sides) {
                return PyEvaluator{b.evaluations().network(std::move(name), set, read_layers(layers), scale,
                                                           {margin, spread}, both_sides),
                                   nullptr};
            },
            "name"_a, "features"_a, "layers"_a, "scale"_a, "margin"_a = Calibration{}.margin,
            "spread"_a = Calibration{}.spread, "both_sides"_a = false,
            nb::sig("def network_evaluator(self, name: str, features: str, layers: "
                    "collections.abc.Sequence[tuple[numpy.typing.NDArray[numpy.float32], "
                    "numpy.typing.NDArray[numpy.float32], str]], scale: float, margin: float = 0.0, spread: float = "
                    "150.0, both_sides: bool = False) -> Evaluator"),
            "A network over features; see damier.eval.Network.")
        .def("function_evaluator", &function_evaluator, "name"_a, "function"_a,
             nb::sig("def function_evaluator(self, name: str, function: collections.abc.Callable[[typing.Any], float]) "
                     "-> Evaluator"),
             "An evaluation that asks a Python function; see damier.eval.resolve.");
}

// What learns from games.
void bind_learning(nb::class_<B>& board) {
    constexpr Selection usual{};
    board
        .def(
            "weight_groups",
            [](const B& b, const PyEvaluator& evaluator) {
                std::vector<std::tuple<std::string, int, int, bool>> groups;
                for (const auto& group : b.evaluations().groups(*evaluator.evaluator))
                    groups.emplace_back(group.name, group.size, group.row, group.held);
                return groups;
            },
            "evaluator"_a,
            "The weights of an evaluation by group: name, how many, how many per line of text, whether set by hand.")
        .def(
            "weights",
            [](const B& b, const PyEvaluator& evaluator) {
                std::vector<double> flat;
                for (const Worth worth : b.evaluations().weights(*evaluator.evaluator)) {
                    flat.push_back(worth.start);
                    flat.push_back(worth.end);
                }
                return as_numpy(std::move(flat), std::size_t{2});
            },
            "evaluator"_a, nb::sig("def weights(self, evaluator: Evaluator) -> numpy.typing.NDArray[numpy.float64]"),
            "The weights of an evaluation, a row per feature: at the start and at the end of a game.")
        .def(
            "with_weights",
            [](const B& b, const PyEvaluator& evaluator, InputArray<double, nb::shape<-1, 2>> weights) {
                return PyEvaluator{b.evaluations().with_weights(*evaluator.evaluator, read_worths(weights)), nullptr};
            },
            "evaluator"_a, "weights"_a,
            nb::sig("def with_weights(self, evaluator: Evaluator, weights: numpy.typing.NDArray[numpy.float64]) -> "
                    "Evaluator"),
            "The same evaluation with other weights, rounded to whole hundredths.")
        .def(
            "sample_games",
            [](const B& b, PyEvaluator& evaluator, InputArray<std::uint16_t, nb::ndim<1>> codes,
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
                const auto door = b.door->copy();
                return interruptible(
                    [&](const std::atomic<bool>& stop) {
                        return door->variant()->evaluations().sample(*door, *evaluator.evaluator, games, selection,
                                                                     stop);
                    },
                    flag ? flag->raised : own.raised);
            },
            "evaluator"_a, "codes"_a, "ends"_a, "results"_a, "scores"_a, "score_ends"_a, nb::kw_only(),
            "skip"_a = usual.skip, "every"_a = usual.every, "seed"_a = usual.seed, "mix"_a = usual.mix,
            "slope"_a = usual.slope, "stop"_a = nb::none(),
            nb::sig("def sample_games(self, evaluator: Evaluator, codes: "
                    "numpy.typing.NDArray[numpy.uint16], ends: numpy.typing.NDArray[numpy.int32], results: "
                    "numpy.typing.NDArray[numpy.uint8], scores: numpy.typing.NDArray[numpy.int16], score_ends: "
                    "numpy.typing.NDArray[numpy.int32], *, skip: int = ..., every: int = ..., seed: int = ..., mix: "
                    "float = ..., slope: float = ..., stop: StopFlag | None = None) -> Samples"),
            "The features of quiet positions of games that began where this board did, without the GIL.");
}

}  // namespace

void bind_evaluations(nb::module_& m) {
    nb::class_<PyEvaluator>(m, "Evaluator", nb::type_slots(EvaluatorSlots),
                            "An evaluation of one game; `board.evaluator(name)` makes one.")
        .def_prop_ro("name", [](const PyEvaluator& e) { return e.evaluator->name(); })
        .def_prop_ro(
            "calibration",
            [](const PyEvaluator& e) {
                const Calibration c = e.evaluator->calibration();
                return std::pair(c.margin, c.spread);
            },
            "How scores become chances: (margin, spread) of 1 / (1 + exp((margin - score) / spread)), the share of "
            "wins.");

    m.def("read_weights", &read_weights, "path"_a,
          nb::sig("def read_weights(path: str) -> tuple[dict[str, str], dict[str, numpy.typing.NDArray[typing.Any]]]"),
          "The metadata and the tensors of a file of weights; see damier.weights.");

    auto board = nb::borrow<nb::class_<B>>(m.attr("Board"));
    board
        .def(
            "evaluations", [](const B& b) { return b.evaluations().names(); },
            "The names of the evaluations of this game, the engine's own first.")
        .def(
            "evaluator",
            [](const B& b, const nb::str& name) { return PyEvaluator{b.evaluations().make(path_of(name)), {}}; },
            "name"_a, nb::sig("def evaluator(self, name: str) -> Evaluator"),
            "The evaluation of that name, or the one that a file of weights (.safetensors) describes.")
        .def(
            "evaluate",
            [](const B& b, PyEvaluator& evaluator) { return b.evaluations().evaluate(*b.door, *evaluator.evaluator); },
            "evaluator"_a, "The score for the side to move, in hundredths of a man.")
        .def(
            "explain",
            [](const B& b, PyEvaluator& evaluator) {
                std::vector<std::tuple<std::string, std::optional<double>, std::optional<double>, double>> lines;
                for (const auto& term : b.evaluations().terms(*b.door, *evaluator.evaluator))
                    lines.emplace_back(term.name, term.white, term.black, term.total);
                return lines;
            },
            "evaluator"_a,
            "The score term by term: name, for White, for Black (both None for a difference), as it counts for White.");
    bind_features(board);
    bind_learning(board);
}

}  // namespace damier
