// One source for all instruction sets.

#include "damier/eval/nnue_kernels.h"

#include <algorithm>
#include <vector>

#include "damier/base/instruction_sets.h"

namespace damier {

namespace {

// Sums wrap, which signed numbers must not.
using Lanes [[gnu::vector_size(2 * NnueLanes), gnu::aligned(2), gnu::may_alias]] = std::uint16_t;

// A part of the sums stays in registers while all rows are added.
template <std::size_t Count>
DAMIER_INLINE void update_part(std::int16_t* to, const std::int16_t* from, std::span<const NnueRow> added,
                               std::span<const NnueRow> removed, std::size_t first) {
    const auto lanes = [](const std::int16_t* numbers) { return reinterpret_cast<const Lanes*>(numbers); };
    Lanes sums[Count];
    for (std::size_t i = 0; i < Count; ++i) sums[i] = lanes(from + first)[i];
    for (const NnueRow row : added)
        for (std::size_t i = 0; i < Count; ++i) sums[i] += lanes(row + first)[i];
    for (const NnueRow row : removed)
        for (std::size_t i = 0; i < Count; ++i) sums[i] -= lanes(row + first)[i];
    for (std::size_t i = 0; i < Count; ++i) reinterpret_cast<Lanes*>(to + first)[i] = sums[i];
}

DAMIER_INLINE void updated(std::int16_t* to, const std::int16_t* from, std::span<const NnueRow> added,
                           std::span<const NnueRow> removed, std::size_t width) {
    constexpr std::size_t Registers = 8;
    std::size_t first = 0;
    for (; first + Registers * NnueLanes <= width; first += Registers * NnueLanes)
        update_part<Registers>(to, from, added, removed, first);
    for (; first < width; first += NnueLanes) update_part<1>(to, from, added, removed, first);
}

DAMIER_INLINE std::int32_t half_output(const std::int16_t* __restrict sums, const std::int16_t* __restrict weights,
                                       std::size_t width) {
    std::int32_t total = 0;
    for (std::size_t i = 0; i < width; ++i) {
        const auto positive = std::max<std::int16_t>(sums[i], 0);  // by std::clamp it would be no vector of 16 bits
        const auto clamped = std::min<std::int16_t>(positive, NnueOne);
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
