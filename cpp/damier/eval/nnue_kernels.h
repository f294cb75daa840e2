// The arithmetic of an efficiently updated network, compiled for several instruction sets. All of them give the same
// integers: sums of 16 bits wrap, and output weights are small enough for products and sums to fit.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace damier {

using NnueRow = const std::int16_t*;  // the weights of one input

struct NnueKernels {
    std::string_view name;
    // to = from + the rows that are added - those that are removed; `to` and `from` do not overlap.
    void (*update)(std::int16_t* to, const std::int16_t* from, std::span<const NnueRow> added,
                   std::span<const NnueRow> removed, std::size_t width);
    // The sum of the squares of both accumulators, clamped to 0..NnueOne, times the weights: the first half of the
    // weights is for the side to move.
    std::int32_t (*output)(const std::int16_t* own, const std::int16_t* other, const std::int16_t* weights,
                           std::size_t width);
};

constexpr int NnueOne = 255;            // that stands for 1 in an accumulator
constexpr int NnueOutputOne = 64;       // and in an output weight
constexpr int NnueLargestOutput = 127;  // an output weight: 255 times it fits 16 bits
constexpr std::size_t NnueLanes = 16;   // widths are multiples of it

// Those that this CPU can run, the fastest first; the last runs everywhere.
std::span<const NnueKernels> nnue_kernels();

}  // namespace damier
