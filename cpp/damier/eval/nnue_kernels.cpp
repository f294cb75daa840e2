// One source for all instruction sets.

#include "damier/eval/nnue_kernels.h"

#include <algorithm>
#include <array>
#include <vector>

#include "damier/base/instruction_sets.h"

namespace damier {

namespace {

// Wraps, which signed numbers must not.
DAMIER_INLINE std::int16_t wrapped(unsigned value) { return static_cast<std::int16_t>(value & 0xFFFF); }
DAMIER_INLINE unsigned plain(std::int16_t value) { return static_cast<std::uint16_t>(value); }

// The usual numbers of rows go in one pass over the accumulator.
template <std::size_t Added, std::size_t Removed>
DAMIER_INLINE void one_pass(std::int16_t* __restrict to, const std::int16_t* __restrict from, const NnueRow* added,
                            const NnueRow* removed, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
        unsigned sum = plain(from[i]);
        for (std::size_t k = 0; k < Added; ++k) sum += plain(added[k][i]);
        for (std::size_t k = 0; k < Removed; ++k) sum -= plain(removed[k][i]);
        to[i] = wrapped(sum);
    }
}

DAMIER_INLINE void any_rows(std::int16_t* __restrict to, const std::int16_t* __restrict from,
                            std::span<const NnueRow> added, std::span<const NnueRow> removed, std::size_t width) {
    std::copy_n(from, width, to);
    const auto pairs = std::min(added.size(), removed.size());
    for (std::size_t k = 0; k < pairs; ++k) {
        const std::int16_t* __restrict plus = added[k];
        const std::int16_t* __restrict minus = removed[k];
        for (std::size_t i = 0; i < width; ++i) to[i] = wrapped(plain(to[i]) + plain(plus[i]) - plain(minus[i]));
    }
    for (const NnueRow row : added.subspan(pairs)) {
        const std::int16_t* __restrict plus = row;
        for (std::size_t i = 0; i < width; ++i) to[i] = wrapped(plain(to[i]) + plain(plus[i]));
    }
    for (const NnueRow row : removed.subspan(pairs)) {
        const std::int16_t* __restrict minus = row;
        for (std::size_t i = 0; i < width; ++i) to[i] = wrapped(plain(to[i]) - plain(minus[i]));
    }
}

DAMIER_INLINE void updated(std::int16_t* to, const std::int16_t* from, std::span<const NnueRow> added,
                           std::span<const NnueRow> removed, std::size_t width) {
    if (added.size() == 1 && removed.size() == 1) {  // a move
        one_pass<1, 1>(to, from, added.data(), removed.data(), width);
    } else if (added.size() == 1 && removed.size() == 2) {  // a capture
        one_pass<1, 2>(to, from, added.data(), removed.data(), width);
    } else if (added.size() == 2 && removed.size() == 2) {  // castling, or two moves
        one_pass<2, 2>(to, from, added.data(), removed.data(), width);
    } else {
        any_rows(to, from, added, removed, width);
    }
}

DAMIER_INLINE std::int32_t half_output(const std::int16_t* __restrict sums, const std::int16_t* __restrict weights,
                                       std::size_t width) {
    std::int32_t total = 0;
    for (std::size_t i = 0; i < width; ++i) {
        const auto clamped = std::clamp<std::int16_t>(sums[i], 0, NnueOne);
        const auto weighted = static_cast<std::int16_t>(clamped * weights[i]);
        total += std::int32_t{clamped} * weighted;
    }
    return total;
}

DAMIER_INLINE std::int32_t whole_output(const std::int16_t* own, const std::int16_t* other, const std::int16_t* weights,
                                        std::size_t width) {
    return half_output(own, weights, width) + half_output(other, weights + width, width);
}

#define DAMIER_NNUE_KERNELS(NAME, TARGET)                                                                              \
    TARGET void update_##NAME(std::int16_t* to, const std::int16_t* from, std::span<const NnueRow> added,              \
                              std::span<const NnueRow> removed, std::size_t width) {                                   \
        updated(to, from, added, removed, width);                                                                      \
    }                                                                                                                  \
    TARGET std::int32_t output_##NAME(const std::int16_t* own, const std::int16_t* other, const std::int16_t* weights, \
                                      std::size_t width) {                                                             \
        return whole_output(own, other, weights, width);                                                               \
    }

DAMIER_NNUE_KERNELS(portable, )
#if defined(DAMIER_HAS_AVX)
DAMIER_NNUE_KERNELS(avx2, DAMIER_AVX2)
DAMIER_NNUE_KERNELS(avx512, DAMIER_AVX512)
#endif

std::vector<NnueKernels> runnable() {
    std::vector<NnueKernels> kernels;
#if defined(DAMIER_HAS_AVX)
    if (runs_avx512()) kernels.push_back({"AVX-512", update_avx512, output_avx512});
    if (runs_avx2()) kernels.push_back({"AVX2", update_avx2, output_avx2});
#endif
    kernels.push_back({"portable", update_portable, output_portable});
    return kernels;
}

}  // namespace

std::span<const NnueKernels> nnue_kernels() {
    static const auto kernels = runnable();
    return kernels;
}

}  // namespace damier
