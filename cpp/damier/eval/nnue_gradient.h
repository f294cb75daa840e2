// An efficiently updated network in real numbers, and the gradient of its loss: what training on a CPU spends its time
// on. Several networks are trained at once, their neurons side by side.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace damier {

struct NnueSizes {
    std::size_t inputs, nets, hidden, buckets;
    std::size_t width() const { return nets * hidden; }  // of the first layer of all networks
};

// The weights of all networks, or their gradient.
template <class T>
struct NnueArrays {
    T* input_weights;   // [inputs, nets, hidden]
    T* input_bias;      // [nets, hidden]
    T* output_weights;  // [nets, buckets, 2 * hidden]
    T* output_bias;     // [nets, buckets]
};

struct NnueExamples {
    const std::int16_t* inputs;  // [n, 2, most], as NnueInputs::write() numbers them
    std::size_t most;
    const std::uint8_t* buckets;  // [n]
    const float* targets;         // [n], expected results
};

// The work of one thread, compiled for an instruction set.
struct NnueGradientKernels {
    std::string_view name;
    void (*outputs)(const NnueSizes&, const NnueArrays<const float>&, const NnueExamples&,
                    std::span<const std::int64_t> rows, float* to);
    void (*gradient)(const NnueSizes&, const NnueArrays<const float>&, const NnueExamples&,
                     std::span<const std::int64_t> rows, float power, float share, const NnueArrays<float>& to,
                     double* losses);
};

// Those that this CPU can run, the fastest first; the last runs everywhere. They differ in how they round.
std::span<const NnueGradientKernels> nnue_gradient_kernels();

// The outputs [rows, nets] for some examples, logits of the expected results.
void nnue_outputs(const NnueSizes& sizes, const NnueArrays<const float>& weights, const NnueExamples& examples,
                  std::span<const std::int64_t> rows, std::span<float> outputs, std::size_t threads,
                  const NnueGradientKernels& kernels = nnue_gradient_kernels().front());

// Adds the gradient of the mean loss to `gradient`, and the losses of each network, summed over the examples, to
// `losses`. The loss is |expected result - target| to the given power.
void nnue_gradient(const NnueSizes& sizes, const NnueArrays<const float>& weights, const NnueExamples& examples,
                   std::span<const std::int64_t> rows, float power, const NnueArrays<float>& gradient,
                   std::span<double> losses, std::size_t threads,
                   const NnueGradientKernels& kernels = nnue_gradient_kernels().front());

}  // namespace damier
