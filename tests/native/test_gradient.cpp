// Gradients of networks in real numbers: those that small steps measure, whichever instructions compute them.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "check.h"
#include "damier/base/random.h"
#include "damier/eval/nnue_gradient.h"

namespace test_gradient {

using namespace damier;

namespace {

constexpr NnueSizes Sizes{.inputs = 40, .nets = 2, .hidden = 80, .buckets = 3};
constexpr std::size_t Most = 7, Count = 50;

struct Net {
    std::vector<float> input_weights = std::vector<float>(Sizes.inputs * Sizes.width());
    std::vector<float> input_bias = std::vector<float>(Sizes.width());
    std::vector<float> output_weights = std::vector<float>(2 * Sizes.width() * Sizes.buckets);
    std::vector<float> output_bias = std::vector<float>(Sizes.nets * Sizes.buckets);

    std::array<std::vector<float>*, 4> layers() { return {&input_weights, &input_bias, &output_weights, &output_bias}; }
    NnueArrays<float> arrays() {
        return {input_weights.data(), input_bias.data(), output_weights.data(), output_bias.data()};
    }
    NnueArrays<const float> read() const {
        return {input_weights.data(), input_bias.data(), output_weights.data(), output_bias.data()};
    }
};

float number(Random& random, float least, float most) {
    return least + (most - least) * static_cast<float>(random.below(10'000)) / 10'000;
}

struct Case {
    Net net;
    std::vector<std::int16_t> inputs = std::vector<std::int16_t>(Count * 2 * Most, Sizes.inputs);
    std::vector<std::uint8_t> buckets = std::vector<std::uint8_t>(Count);
    std::vector<float> targets = std::vector<float>(Count);
    std::vector<std::int64_t> rows = std::vector<std::int64_t>(Count);

    Case() {
        Random random(3);
        for (auto* layer : net.layers())
            for (float& weight : *layer) weight = number(random, -0.3F, 0.4F);
        for (std::size_t i = 0; i < Count; ++i) {
            for (std::size_t side = 0; side < 2; ++side)
                for (std::size_t k = 0; k < 1 + random.below(Most); ++k)
                    inputs[(2 * i + side) * Most + k] = static_cast<std::int16_t>(random.below(Sizes.inputs));
            buckets[i] = static_cast<std::uint8_t>(random.below(Sizes.buckets));
            targets[i] = number(random, 0, 1);
        }
        std::iota(rows.begin(), rows.end(), 0);
    }
    NnueExamples examples() const { return {inputs.data(), Most, buckets.data(), targets.data()}; }

    // The sum of the losses of both networks, by their outputs.
    double loss(float power, const NnueGradientKernels& kernels) const {
        std::vector<float> outputs(Count * Sizes.nets);
        nnue_outputs(Sizes, net.read(), examples(), rows, outputs, 2, kernels);
        double sum = 0;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const double expected = 1 / (1 + std::exp(-static_cast<double>(outputs[i])));
            sum += std::pow(std::abs(expected - targets[i / Sizes.nets]), power);
        }
        return sum;
    }
};

}  // namespace

TEST(gradients_are_what_small_steps_measure) {
    for (const auto& kernels : nnue_gradient_kernels())
        for (const float power : {2.0F, 2.5F}) {
            Case some;
            Net gradient;
            std::array<double, Sizes.nets> losses{};
            nnue_gradient(Sizes, some.net.read(), some.examples(), some.rows, power, gradient.arrays(), losses, 3,
                          kernels);
            CHECK(std::abs(losses[0] + losses[1] - some.loss(power, kernels)) < 1e-3);
            for (std::size_t layer = 0; layer < 4; ++layer) {
                auto& weights = *some.net.layers()[layer];
                const auto& slopes = *gradient.layers()[layer];
                // The steepest one of each layer: there small steps measure best.
                const auto steepest = std::max_element(slopes.begin(), slopes.end(),
                                                       [](float a, float b) { return std::abs(a) < std::abs(b); });
                auto& weight = weights[static_cast<std::size_t>(steepest - slopes.begin())];
                const float before = weight, step = 0.01F;
                weight = before + step;
                const double above = some.loss(power, kernels);
                weight = before - step;
                const double below = some.loss(power, kernels);
                weight = before;
                const double measured = (above - below) / (2 * static_cast<double>(step) * Count);
                CHECK(std::abs(measured - static_cast<double>(*steepest)) <
                      0.03 * std::abs(static_cast<double>(*steepest)) + 1e-5);
            }
        }
}

TEST(all_instructions_and_threads_compute_the_same_gradient) {
    const Case some;
    std::vector<Net> found;
    for (const auto& kernels : nnue_gradient_kernels())
        for (const std::size_t threads : {std::size_t{1}, std::size_t{4}}) {
            std::array<double, Sizes.nets> losses{};
            nnue_gradient(Sizes, some.net.read(), some.examples(), some.rows, 2, found.emplace_back().arrays(), losses,
                          threads, kernels);
        }
    for (auto& other : found)
        for (std::size_t layer = 0; layer < 4; ++layer)
            for (std::size_t i = 0; i < other.layers()[layer]->size(); ++i)
                CHECK(std::abs((*other.layers()[layer])[i] - (*found[0].layers()[layer])[i]) < 1e-5F);
}

}  // namespace test_gradient
