// Samples for Python: sparse rows of features that stay in C++, where their loss and its gradient are computed, and the
// buffer that shuffles positions; positions as packed squares.

#include "damier/eval/samples.h"

#include "damier/bindings/bindings.h"
#include "damier/eval/neighbours.h"

namespace damier {

namespace {

std::span<const double> weights_of(const Samples& samples, InputArray<double, nb::shape<-1, 2>> weights) {
    if (weights.shape(0) != static_cast<std::size_t>(samples.features))
        throw Error("samples of " + std::to_string(samples.features) + " features need as many rows of weights, got " +
                    std::to_string(weights.shape(0)));
    return {weights.data(), weights.size()};
}

template <class T>
auto copied(const std::vector<T>& items) {
    return as_numpy(std::vector<T>(items));
}

// What Python holds of a buffer, with the game it was made by.
struct PySampleBuffer {
    std::shared_ptr<const Variant> variant;
    std::unique_ptr<SampleBuffer> buffer;
};

// Hands memory over to numpy as rows of a shape.
template <class T>
nb::object as_rows(std::unique_ptr<T[]> items, std::size_t rows, std::vector<std::size_t> shape) {
    shape.insert(shape.begin(), rows);
    T* const kept = items.release();
    nb::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(kept, shape.size(), shape.data(), owner));
}

nb::dict draw(PySampleBuffer& held, long long count) {
    check_count("count", count, 1, 1 << 24);
    SampleBatch batch;
    {
        const nb::gil_scoped_release release;
        batch = held.buffer->draw(static_cast<std::size_t>(count));
    }
    const auto rows = batch.size;
    nb::dict columns;
    const auto shape = held.buffer->shape();
    columns["features"] = batch.planes   ? as_rows(std::move(batch.planes), rows, shape)
                          : batch.inputs ? as_rows(std::move(batch.inputs), rows, shape)
                          : batch.states ? as_rows(std::move(batch.states), rows, shape)
                                         : as_rows(std::move(batch.features), rows, shape);
    columns["score"] = as_numpy(std::move(batch.scores));
    columns["result"] = as_numpy(std::move(batch.results));
    columns["ply"] = as_numpy(std::move(batch.plies));
    columns["plies_left"] = as_numpy(std::move(batch.plies_left));
    return columns;
}

template <class T>
using Column = InputArray<T, nb::ndim<1>>;
template <class T>
std::span<const T> span_of(const Column<T>& column) {
    return {column.data(), column.size()};
}

void add_games(PySampleBuffer& held, const std::vector<std::optional<std::string>>& fens, Column<std::int32_t> starts,
               Column<std::uint16_t> codes, Column<std::int32_t> ends, Column<std::uint8_t> results,
               Column<std::int16_t> scores, Column<std::int32_t> score_ends, Column<std::int32_t> numbers) {
    const std::size_t games = ends.size();
    if (starts.size() != games || results.size() != games || (score_ends.size() != 0 && score_ends.size() != games))
        throw DataError("the columns of the games have different lengths");
    const nb::gil_scoped_release release;
    held.buffer->add({span_of(codes), span_of(ends), span_of(results), span_of(scores), span_of(score_ends)},
                     {fens, span_of(starts)}, span_of(numbers));
}

PySampleBuffer make_sample_buffer(const PyBoard& board, std::optional<std::string_view> features, long long skip,
                                  long long every, bool in_check, bool tactical, bool unscored,
                                  std::optional<long long> max_score, bool symmetries, std::uint64_t seed,
                                  long long expected) {
    check_count("skip", skip, 0, 100'000);
    check_count("every", every, 1, 1'000'000);
    if (max_score) check_count("max_score", *max_score, 0, Infinite);
    check_count("expected", expected, 0, 1 << 28);
    const SampleOptions options{.filter = {.skip = static_cast<int>(skip),
                                           .every = static_cast<int>(every),
                                           .in_check = in_check,
                                           .tactical = tactical,
                                           .unscored = unscored,
                                           .max_score = static_cast<int>(max_score.value_or(Infinite))},
                                .symmetries = symmetries,
                                .seed = seed,
                                .expected = static_cast<std::size_t>(expected)};
    return {board.door->variant(), board.evaluations().sample_buffer(features, options)};
}

// All positions of games as packed squares.
nb::dict position_rows(const PyBoard& board, const std::vector<std::optional<std::string>>& fens,
                       Column<std::int32_t> starts, Column<std::uint16_t> codes, Column<std::int32_t> ends,
                       StopFlag* flag) {
    if (starts.size() != ends.size()) throw DataError("the columns of the games have different lengths");
    StopFlag own;
    auto rows = interruptible(
        [&](const std::atomic<bool>& stop) {
            return board.evaluations().position_rows({span_of(codes), span_of(ends), {}, {}, {}},
                                                     {fens, span_of(starts)}, stop);
        },
        flag ? flag->raised : own.raised);
    nb::dict columns;
    columns["squares"] = as_numpy(std::move(rows.squares), rows.words);
    columns["turns"] = as_numpy(std::move(rows.turns));
    columns["captures"] = as_numpy(std::move(rows.captures));
    columns["ends"] = as_numpy(std::move(rows.ends));
    return columns;
}

using PackedRows = InputArray<std::uint64_t, nb::ndim<2>>;

auto find_nearest(PackedRows rows, PackedRows queries, long long k, long long threads) {
    check_count("threads", threads, 1, 1024);
    check_count("k", k, 1, static_cast<long long>(rows.shape(0)));
    const auto words = rows.shape(1);
    if (words == 0 || queries.shape(1) != words)
        throw Error("rows have " + std::to_string(words) + " words and queries " + std::to_string(queries.shape(1)) +
                    ", expected as many");
    const auto per_query = static_cast<std::size_t>(k);
    auto found = [&] {
        const nb::gil_scoped_release release;
        return nearest({rows.data(), rows.size()}, {queries.data(), queries.size()}, words, per_query,
                       static_cast<int>(threads));
    }();
    return std::pair(as_numpy(std::move(found.rows), per_query), as_numpy(std::move(found.distances), per_query));
}

void bind_rows(nb::module_& m) {
    nb::borrow<nb::class_<PyBoard>>(m.attr("Board"))
        .def("position_rows", &position_rows, "fens"_a, "starts"_a, "codes"_a, "ends"_a, nb::kw_only(),
             "stop"_a = nb::none(),
             nb::sig("def position_rows(self, fens: collections.abc.Sequence[str | None], starts: "
                     "numpy.typing.NDArray[numpy.int32], codes: numpy.typing.NDArray[numpy.uint16], ends: "
                     "numpy.typing.NDArray[numpy.int32], *, stop: StopFlag | None = None) -> "
                     "dict[str, numpy.typing.NDArray[typing.Any]]"),
             "Every position of games in order, the last of each included: the feature set `squares` packed in words, "
             "who is to move, how many pieces the move played there takes, and where the rows of each game end.");
    m.def(
        "nearest", &find_nearest, "rows"_a, "queries"_a, "k"_a, nb::kw_only(), "threads"_a = 1,
        nb::sig("def nearest(rows: numpy.typing.NDArray[numpy.uint64], queries: numpy.typing.NDArray[numpy.uint64], "
                "k: int, *, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.int64], "
                "numpy.typing.NDArray[numpy.int32]]"),
        "The numbers of the k rows with the fewest bits that differ from each query, and how many do; of rows equally "
        "near, the earliest.");
}

void bind_sample_buffer(nb::module_& m) {
    nb::class_<PySampleBuffer>(m, "SampleBuffer",
                               "Positions of games that wait to be drawn at random; `board.sample_buffer()` makes one. "
                               "For one thread at a time; damier.lab.Loader feeds it.")
        .def("__len__", [](const PySampleBuffer& held) { return held.buffer->size(); })
        .def("add_games", &add_games, "fens"_a, "starts"_a, "codes"_a, "ends"_a, "results"_a, "scores"_a,
             "score_ends"_a, "numbers"_a,
             nb::sig("def add_games(self, fens: collections.abc.Sequence[str | None], starts: "
                     "numpy.typing.NDArray[numpy.int32], codes: numpy.typing.NDArray[numpy.uint16], ends: "
                     "numpy.typing.NDArray[numpy.int32], results: numpy.typing.NDArray[numpy.uint8], scores: "
                     "numpy.typing.NDArray[numpy.int16], score_ends: numpy.typing.NDArray[numpy.int32], numbers: "
                     "numpy.typing.NDArray[numpy.int32]) -> None"),
             "Takes the samples of the games with these numbers, out of columns; game i began at fens[starts[i]], the "
             "standard start position for None.")
        .def("draw", &draw, "count"_a,
             nb::sig("def draw(self, count: int) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
             "Removes so many samples at random, all if there are fewer, and returns them as columns.");
    nb::borrow<nb::class_<PyBoard>>(m.attr("Board"))
        .def("sample_buffer", &make_sample_buffer, "features"_a = nb::none(), nb::kw_only(), "skip"_a = 0,
             "every"_a = 1, "in_check"_a = true, "tactical"_a = true, "unscored"_a = true, "max_score"_a = nb::none(),
             "symmetries"_a = false, "seed"_a = 0, "expected"_a = 0,
             "An empty buffer for samples of this game, described by a feature set or by planes; see "
             "damier.lab.Loader.");
}

}  // namespace

void bind_samples(nb::module_& m) {
    bind_sample_buffer(m);
    bind_rows(m);
    nb::class_<Samples>(m, "Samples",
                        "Positions to tune an evaluation with: how often each feature occurs, and the result.")
        .def(nb::init<>())
        .def("__len__", &Samples::size)
        .def(
            "results", [](const Samples& samples) { return copied(samples.results); },
            nb::sig("def results(self) -> numpy.typing.NDArray[numpy.float32]"),
            "The result of each game for White, from 0 to 1.")
        .def_ro("features", &Samples::features, "How many features there are.")
        .def(
            "extend",
            [](Samples& samples, const Samples& other) {
                if (samples.size() > 0 && samples.features != other.features)
                    throw Error("samples of other features cannot be added");
                samples.extend(other);
            },
            "other"_a, "Adds other samples of the same evaluation.")
        .def(
            "rows",
            [](const Samples& samples) {
                nb::dict columns;
                columns["features"] = copied(samples.rows.features);
                columns["times"] = copied(samples.rows.times);
                columns["ends"] = copied(samples.rows.ends);
                columns["start_shares"] = copied(samples.rows.start_shares);
                columns["end_shares"] = copied(samples.rows.end_shares);
                columns["results"] = copied(samples.results);
                return columns;
            },
            nb::sig("def rows(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
            "The samples as columns; row i holds the entries from ends[i - 1] to ends[i].")
        .def(
            "values",
            [](const Samples& samples, InputArray<double, nb::shape<-1, 2>> weights, long long threads) {
                check_count("threads", threads, 1, 1024);
                const auto given = weights_of(samples, weights);
                return as_numpy([&] {
                    const nb::gil_scoped_release release;
                    return samples.values(given, static_cast<int>(threads));
                }());
            },
            "weights"_a, nb::kw_only(), "threads"_a = 1,
            nb::sig("def values(self, weights: numpy.typing.NDArray[numpy.float64], *, threads: int = 1) -> "
                    "numpy.typing.NDArray[numpy.float32]"),
            "The value of each sample for White.")
        .def(
            "loss",
            [](const Samples& samples, InputArray<double, nb::shape<-1, 2>> weights, double slope, long long threads) {
                check_count("threads", threads, 1, 1024);
                const auto given = weights_of(samples, weights);
                std::vector<double> gradient(given.size());
                double loss = 0;
                {
                    const nb::gil_scoped_release release;
                    loss = samples.loss(given, slope, static_cast<int>(threads), gradient);
                }
                return std::pair(loss, as_numpy(std::move(gradient), std::size_t{2}));
            },
            "weights"_a, "slope"_a, nb::kw_only(), "threads"_a = 1,
            nb::sig(
                "def loss(self, weights: numpy.typing.NDArray[numpy.float64], slope: float, *, threads: int = 1) -> "
                "tuple[float, numpy.typing.NDArray[numpy.float64]]"),
            "The mean cross-entropy of the results given as chances 1 / (1 + exp(-value * slope)), and its gradient.");
}

}  // namespace damier
