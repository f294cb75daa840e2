// How many plies late moves are searched shallower.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "damier/search/alphabeta/tunables.h"

namespace damier {

// How many plies late moves lose: slope * ln(depth) * ln(number) + base, in hundredths.
class Reductions {
  public:
    explicit Reductions(const Tunables& tunables);
    int plies(int depth, int number) const {
        return table_[static_cast<std::size_t>(std::min(depth, Most))]
                     [static_cast<std::size_t>(std::min(number, Most))];
    }

  private:
    static constexpr int Most = 63;
    std::array<std::array<std::int8_t, Most + 1>, Most + 1> table_{};
};

}  // namespace damier
