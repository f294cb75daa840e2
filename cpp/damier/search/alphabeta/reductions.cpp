// The table of reductions.

#include "damier/search/alphabeta/reductions.h"

#include <cmath>

namespace damier {

namespace {

constexpr int LargestReduction = 30;  // plies

}  // namespace

Reductions::Reductions(const Tunables& tunables) {
    for (int depth = 1; depth <= Most; ++depth) {
        for (int number = 1; number <= Most; ++number) {
            const double hundredths = tunables.lmr_base + tunables.lmr_slope * std::log(depth) * std::log(number);
            table_[static_cast<std::size_t>(depth)][static_cast<std::size_t>(number)] =
                static_cast<std::int8_t>(std::clamp(static_cast<int>(hundredths / 100), 0, LargestReduction));
        }
    }
}

}  // namespace damier
