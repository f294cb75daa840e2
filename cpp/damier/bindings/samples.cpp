// Samples for Python: sparse rows of features that stay in C++, where their loss and its gradient are computed.

#include "damier/eval/samples.h"

#include "damier/bindings/bindings.h"

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

}  // namespace

void bind_samples(nb::module_& m) {
    nb::class_<Samples>(m, "Samples",
                        "Positions to tune an evaluation with: how often each feature occurs, and the result.")
        .def(nb::init<>())
        .def("__len__", &Samples::size)
        .def(
            "results", [](const Samples& samples) { return copied(samples.results); },
            nb::sig("def results(self) -> numpy.typing.NDArray[numpy.float32]"),
            "How good each game ended for White, from 0 to 1.")
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
