// Training networks on a CPU from Python: outputs and gradients, computed on arrays of numpy.

#include <array>

#include "damier/bindings/bindings.h"
#include "damier/eval/nnue_gradient.h"
#include "damier/eval/nnue_kernels.h"

namespace damier {

namespace {

template <class T, std::size_t Dimensions>
using NnueArray = nb::ndarray<T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

// Weights or gradients: of the inputs [inputs, nets, hidden] and their bias [nets, hidden], of the outputs [nets,
// buckets, 2 * hidden] and their bias [nets, buckets].
template <class T>
using PyNnueArrays = std::tuple<NnueArray<T, 3>, NnueArray<T, 2>, NnueArray<T, 3>, NnueArray<T, 2>>;
using PyNnueExamples =
    std::tuple<NnueArray<const std::int16_t, 3>, NnueArray<const std::uint8_t, 1>, NnueArray<const float, 1>>;
using PyNnueRows = NnueArray<const std::int64_t, 1>;

template <class T>
NnueSizes sizes_of(const PyNnueArrays<T>& given) {
    const auto& [inputs, input_bias, outputs, output_bias] = given;
    const NnueSizes sizes{inputs.shape(0), inputs.shape(1), inputs.shape(2), outputs.shape(1)};
    if (sizes.nets == 0 || sizes.hidden == 0 || sizes.hidden % NnueLanes != 0 || input_bias.shape(0) != sizes.nets ||
        input_bias.shape(1) != sizes.hidden || outputs.shape(0) != sizes.nets || outputs.shape(2) != 2 * sizes.hidden ||
        output_bias.shape(0) != sizes.nets || output_bias.shape(1) != sizes.buckets)
        throw Error(
            "the shapes of the layers do not fit, expected [inputs, nets, hidden], [nets, hidden], [nets, "
            "buckets, 2 * hidden] and [nets, buckets], hidden being a multiple of " +
            std::to_string(NnueLanes));
    return sizes;
}

template <class T>
NnueArrays<T> arrays_of(const PyNnueArrays<T>& given) {
    return std::apply([](const auto&... each) { return NnueArrays<T>{each.data()...}; }, given);
}

// The rows of some examples, which are there and have outputs.
std::span<const std::int64_t> checked_rows(const NnueSizes& sizes, const PyNnueExamples& given,
                                           const PyNnueRows& rows) {
    const auto& [inputs, buckets, targets] = given;
    const std::size_t count = inputs.shape(0);
    if (inputs.shape(1) != 2 || buckets.shape(0) != count || targets.shape(0) != count)
        throw Error("the shapes of the examples do not fit, expected [n, 2, most], [n] and [n]");
    const std::span<const std::int64_t> chosen(rows.data(), rows.size());
    for (const auto row : chosen) {
        if (row < 0 || static_cast<std::size_t>(row) >= count)
            throw Error("there is no example " + std::to_string(row) + ", expected 0 to " + std::to_string(count) +
                        ", excluded");
        if (buckets.data()[row] >= sizes.buckets)
            throw Error("example " + std::to_string(row) + " is of bucket " + std::to_string(buckets.data()[row]) +
                        ", of which there are " + std::to_string(sizes.buckets));
    }
    return chosen;
}

NnueExamples examples_of(const PyNnueExamples& given) {
    const auto& [inputs, buckets, targets] = given;
    return {inputs.data(), inputs.shape(2), buckets.data(), targets.data()};
}

std::size_t thread_count(long long threads) {
    check_count("threads", threads, 1, 1024);
    return static_cast<std::size_t>(threads);
}

auto outputs(const PyNnueArrays<const float>& weights, const PyNnueExamples& examples, const PyNnueRows& rows,
             long long threads) {
    const auto sizes = sizes_of(weights);
    const auto chosen = checked_rows(sizes, examples, rows);
    std::vector<float> found(chosen.size() * sizes.nets);
    const auto workers = thread_count(threads);
    {
        const nb::gil_scoped_release release;
        nnue_outputs(sizes, arrays_of(weights), examples_of(examples), chosen, found, workers);
    }
    return as_numpy(std::move(found), sizes.nets);
}

auto gradient(const PyNnueArrays<const float>& weights, const PyNnueExamples& examples, const PyNnueRows& rows,
              const PyNnueArrays<float>& to, double power, long long threads) {
    const auto sizes = sizes_of(weights), others = sizes_of(to);
    if (sizes.inputs != others.inputs || sizes.nets != others.nets || sizes.hidden != others.hidden ||
        sizes.buckets != others.buckets)
        throw Error("the gradient has another shape than the weights");
    const auto chosen = checked_rows(sizes, examples, rows);
    std::vector<double> losses(sizes.nets);
    const auto workers = thread_count(threads);
    {
        const nb::gil_scoped_release release;
        nnue_gradient(sizes, arrays_of(weights), examples_of(examples), chosen, static_cast<float>(power),
                      arrays_of(to), losses, workers);
    }
    return as_numpy(std::move(losses));
}

#define DAMIER_ARRAYS "tuple[numpy.typing.NDArray[numpy.float32], ...]"
#define DAMIER_EXAMPLES \
    "tuple[numpy.typing.NDArray[numpy.int16], numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.float32]]"

}  // namespace

void bind_training(nb::module_& m) {
    m.def(
        "nnue_outputs", &outputs, "weights"_a, "examples"_a, "rows"_a, nb::kw_only(), "threads"_a = 1,
        nb::sig("def nnue_outputs(weights: " DAMIER_ARRAYS ", examples: " DAMIER_EXAMPLES
                ", rows: numpy.typing.NDArray[numpy.int64], *, threads: int = 1) -> "
                "numpy.typing.NDArray[numpy.float32]"),
        "The outputs [rows, nets] of networks in real numbers, whose layers are `weights`, for some examples: inputs, "
        "buckets and targets.");
    m.def("nnue_gradient", &gradient, "weights"_a, "examples"_a, "rows"_a, "gradient"_a, nb::kw_only(), "power"_a = 2.0,
          "threads"_a = 1,
          nb::sig("def nnue_gradient(weights: " DAMIER_ARRAYS ", examples: " DAMIER_EXAMPLES
                  ", rows: numpy.typing.NDArray[numpy.int64], gradient: " DAMIER_ARRAYS
                  ", *, power: float = 2.0, threads: int = 1) -> numpy.typing.NDArray[numpy.float64]"),
          "Adds the gradient of the mean loss on some examples to `gradient`; returns the sum of losses of each "
          "network.");
}

}  // namespace damier
