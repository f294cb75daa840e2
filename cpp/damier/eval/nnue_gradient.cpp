// One source for all instruction sets, as in nnue_kernels.cpp.

#include "damier/eval/nnue_gradient.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include "damier/base/instruction_sets.h"
#include "damier/eval/nnue_kernels.h"

namespace damier {

namespace {

constexpr std::size_t SumBlock = 64;  // sums kept in registers while rows are added; widths are multiples of NnueLanes

// What a thread works with, for one example at a time.
struct Scratch {
    explicit Scratch(const NnueSizes& sizes, std::size_t most)
        : rows(2 * most), sums(2 * sizes.width()), squares(2 * sizes.width()), errors(2 * sizes.width()) {}
    std::vector<std::int16_t> rows;  // the active inputs of both sides
    std::size_t counts[2] = {};
    std::vector<float> sums, squares, errors;  // of both sides
};

template <std::size_t Size>
DAMIER_INLINE void sum_block(float* __restrict to, const float* __restrict bias, const float* __restrict weights,
                             const std::int16_t* inputs, std::size_t count, std::size_t width) {
    float sum[Size];
    for (std::size_t i = 0; i < Size; ++i) sum[i] = bias[i];
    for (std::size_t k = 0; k < count; ++k) {
        const float* __restrict row = weights + static_cast<std::size_t>(inputs[k]) * width;
        for (std::size_t i = 0; i < Size; ++i) sum[i] += row[i];
    }
    for (std::size_t i = 0; i < Size; ++i) to[i] = sum[i];
}

DAMIER_INLINE float dot(const float* __restrict a, const float* __restrict b, std::size_t width) {
    float parts[NnueLanes] = {}, sum = 0;
    for (std::size_t i = 0; i < width; i += NnueLanes)
        for (std::size_t k = 0; k < NnueLanes; ++k) parts[k] += a[i + k] * b[i + k];
    for (const float part : parts) sum += part;
    return sum;
}

// The squares of the first layer for an example, as both sides see it.
DAMIER_INLINE void first_layer(const NnueSizes& sizes, const NnueArrays<const float>& weights,
                               const NnueExamples& examples, std::size_t example, Scratch& scratch) {
    const std::size_t width = sizes.width();
    for (std::size_t side = 0; side < 2; ++side) {
        const std::int16_t* given = examples.inputs + (2 * example + side) * examples.most;
        std::int16_t* active = scratch.rows.data() + side * examples.most;
        std::size_t count = 0;
        for (std::size_t k = 0; k < examples.most; ++k)
            if (static_cast<std::uint16_t>(given[k]) < sizes.inputs) active[count++] = given[k];
        scratch.counts[side] = count;
        float* sums = scratch.sums.data() + side * width;
        std::size_t at = 0;
        for (; at + SumBlock <= width; at += SumBlock)
            sum_block<SumBlock>(sums + at, weights.input_bias + at, weights.input_weights + at, active, count, width);
        for (; at < width; at += NnueLanes)
            sum_block<NnueLanes>(sums + at, weights.input_bias + at, weights.input_weights + at, active, count, width);
    }
    for (std::size_t i = 0; i < 2 * width; ++i) {
        const float clipped = std::min(std::max(scratch.sums[i], 0.0F), 1.0F);
        scratch.squares[i] = clipped * clipped;
    }
}

DAMIER_INLINE float output(const NnueSizes& sizes, const NnueArrays<const float>& weights, std::size_t net,
                           std::size_t bucket, const Scratch& scratch) {
    const std::size_t hidden = sizes.hidden, row = net * sizes.buckets + bucket;
    const float* own = weights.output_weights + row * 2 * hidden;
    const float* squares = scratch.squares.data() + net * hidden;
    return weights.output_bias[row] + dot(own, squares, hidden) + dot(own + hidden, squares + sizes.width(), hidden);
}

DAMIER_INLINE void some_outputs(const NnueSizes& sizes, const NnueArrays<const float>& weights,
                                const NnueExamples& examples, std::span<const std::int64_t> rows, float* outputs) {
    Scratch scratch(sizes, examples.most);
    for (const auto row : rows) {
        const auto example = static_cast<std::size_t>(row);
        first_layer(sizes, weights, examples, example, scratch);
        for (std::size_t net = 0; net < sizes.nets; ++net)
            *outputs++ = output(sizes, weights, net, examples.buckets[example], scratch);
    }
}

// The gradient by the output of a network goes back to its last layer, and to the squares of the first.
DAMIER_INLINE void last_layer(const NnueSizes& sizes, const NnueArrays<const float>& weights, std::size_t net,
                              std::size_t bucket, float slope, Scratch& scratch, const NnueArrays<float>& gradient) {
    const std::size_t hidden = sizes.hidden, row = net * sizes.buckets + bucket;
    gradient.output_bias[row] += slope;
    for (std::size_t side = 0; side < 2; ++side) {
        const std::size_t first = side * sizes.width() + net * hidden, place = (2 * row + side) * hidden;
        const float* __restrict sums = scratch.sums.data() + first;
        const float* __restrict squares = scratch.squares.data() + first;
        const float* __restrict from = weights.output_weights + place;
        float* __restrict to = gradient.output_weights + place;
        float* __restrict errors = scratch.errors.data() + first;
        for (std::size_t i = 0; i < hidden; ++i) {
            to[i] += slope * squares[i];
            const float inside = sums[i] > 0 && sums[i] <= 1 ? 2 * sums[i] : 0.0F;
            errors[i] = slope * from[i] * inside;
        }
    }
}

DAMIER_INLINE void some_gradient(const NnueSizes& sizes, const NnueArrays<const float>& weights,
                                 const NnueExamples& examples, std::span<const std::int64_t> rows, float power,
                                 float share, const NnueArrays<float>& gradient, double* losses) {
    const std::size_t width = sizes.width();
    Scratch scratch(sizes, examples.most);
    for (const auto row : rows) {
        const auto example = static_cast<std::size_t>(row);
        first_layer(sizes, weights, examples, example, scratch);
        for (std::size_t net = 0; net < sizes.nets; ++net) {
            const std::size_t bucket = examples.buckets[example];
            const float expected = 1 / (1 + std::exp(-output(sizes, weights, net, bucket, scratch)));
            const float miss = expected - examples.targets[example], size = std::abs(miss);
            const float by_miss = power == 2 ? 2 * size : power * std::pow(size, power - 1);
            losses[net] += power == 2 ? size * size : std::pow(size, power);
            const float slope = std::copysign(by_miss, miss) * expected * (1 - expected) * share;
            last_layer(sizes, weights, net, bucket, slope, scratch, gradient);
        }
        for (std::size_t side = 0; side < 2; ++side) {
            const float* __restrict errors = scratch.errors.data() + side * width;
            for (std::size_t i = 0; i < width; ++i) gradient.input_bias[i] += errors[i];
            for (std::size_t k = 0; k < scratch.counts[side]; ++k) {
                const auto input = static_cast<std::size_t>(scratch.rows[side * examples.most + k]);
                float* __restrict to = gradient.input_weights + input * width;
                for (std::size_t i = 0; i < width; ++i) to[i] += errors[i];
            }
        }
    }
}

#define DAMIER_GRADIENT_KERNELS(NAME, TARGET)                                                                     \
    TARGET void outputs_of_##NAME(const NnueSizes& sizes, const NnueArrays<const float>& weights,                 \
                                  const NnueExamples& examples, std::span<const std::int64_t> rows, float* to) {  \
        some_outputs(sizes, weights, examples, rows, to);                                                         \
    }                                                                                                             \
    TARGET void gradient_of_##NAME(const NnueSizes& sizes, const NnueArrays<const float>& weights,                \
                                   const NnueExamples& examples, std::span<const std::int64_t> rows, float power, \
                                   float share, const NnueArrays<float>& gradient, double* losses) {              \
        some_gradient(sizes, weights, examples, rows, power, share, gradient, losses);                            \
    }

DAMIER_GRADIENT_KERNELS(portable, )
#if defined(DAMIER_HAS_AVX)
DAMIER_GRADIENT_KERNELS(avx2, DAMIER_AVX2)
DAMIER_GRADIENT_KERNELS(avx512, DAMIER_AVX512)
#endif

std::vector<NnueGradientKernels> runnable_gradients() {
    std::vector<NnueGradientKernels> kernels;
#if defined(DAMIER_HAS_AVX)
    if (runs_avx512()) kernels.push_back({"AVX-512", outputs_of_avx512, gradient_of_avx512});
    if (runs_avx2()) kernels.push_back({"AVX2", outputs_of_avx2, gradient_of_avx2});
#endif
    kernels.push_back({"portable", outputs_of_portable, gradient_of_portable});
    return kernels;
}

// What a thread adds up on its own.
class GradientOfThread {
  public:
    explicit GradientOfThread(const NnueSizes& sizes)
        : input_weights_(sizes.inputs * sizes.width()),
          input_bias_(sizes.width()),
          output_weights_(2 * sizes.width() * sizes.buckets),
          output_bias_(sizes.nets * sizes.buckets) {}

    NnueArrays<float> arrays() {
        return {input_weights_.data(), input_bias_.data(), output_weights_.data(), output_bias_.data()};
    }
    void add_to(const NnueArrays<float>& whole) const {
        add(input_weights_, whole.input_weights);
        add(input_bias_, whole.input_bias);
        add(output_weights_, whole.output_weights);
        add(output_bias_, whole.output_bias);
    }

  private:
    static void add(const std::vector<float>& from, float* __restrict to) {
        for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
    }
    std::vector<float> input_weights_, input_bias_, output_weights_, output_bias_;
};

// Calls `work` with each of so many even parts of some rows and its number, at the same time.
template <class Work>
void in_parts(std::span<const std::int64_t> rows, std::size_t threads, Work work) {
    std::vector<std::jthread> others;
    const auto part = [&](std::size_t number) {
        const std::size_t first = rows.size() * number / threads, end = rows.size() * (number + 1) / threads;
        work(number, first, rows.subspan(first, end - first));
    };
    for (std::size_t number = 1; number < threads; ++number) others.emplace_back(part, number);
    part(0);
}

}  // namespace

std::span<const NnueGradientKernels> nnue_gradient_kernels() {
    static const auto kernels = runnable_gradients();
    return kernels;
}

void nnue_outputs(const NnueSizes& sizes, const NnueArrays<const float>& weights, const NnueExamples& examples,
                  std::span<const std::int64_t> rows, std::span<float> outputs, std::size_t threads,
                  const NnueGradientKernels& kernels) {
    in_parts(rows, threads, [&](std::size_t, std::size_t first, std::span<const std::int64_t> some) {
        kernels.outputs(sizes, weights, examples, some, outputs.data() + first * sizes.nets);
    });
}

void nnue_gradient(const NnueSizes& sizes, const NnueArrays<const float>& weights, const NnueExamples& examples,
                   std::span<const std::int64_t> rows, float power, const NnueArrays<float>& gradient,
                   std::span<double> losses, std::size_t threads, const NnueGradientKernels& kernels) {
    std::vector<GradientOfThread> others(threads - 1, GradientOfThread(sizes));
    std::vector<double> all_losses(threads * sizes.nets);
    in_parts(rows, threads, [&](std::size_t number, std::size_t, std::span<const std::int64_t> some) {
        kernels.gradient(sizes, weights, examples, some, power, 1 / static_cast<float>(rows.size()),
                         number == 0 ? gradient : others[number - 1].arrays(), &all_losses[number * sizes.nets]);
    });
    for (const auto& other : others) other.add_to(gradient);
    for (std::size_t i = 0; i < all_losses.size(); ++i) losses[i % sizes.nets] += all_losses[i];
}

}  // namespace damier
