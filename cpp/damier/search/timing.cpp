// Sharing out the clock.

#include "damier/search/timing.h"

#include <algorithm>

namespace damier {

TimeBudget time_budget(const Limit& limit) {
    TimeBudget budget;
    if (limit.time_ms > 0) {
        const std::int64_t spared = std::min(limit.overhead_ms, limit.time_ms / 2);
        budget.hard_ms = std::max<std::int64_t>(1, limit.time_ms - spared);
    }
    if (!limit.clock) return budget;

    // A game lasts about forty more moves. The increment comes only after the move, so what is left bounds everything.
    const Clock& clock = *limit.clock;
    const int moves = clock.moves_to_go > 0 ? std::min(clock.moves_to_go, 40) : 40;
    const std::int64_t left = std::max<std::int64_t>(0, clock.left_ms - limit.overhead_ms);
    const std::int64_t share =
        left / moves + std::max<std::int64_t>(0, 3 * clock.increment_ms / 4 - limit.overhead_ms / 4);
    const std::int64_t most = clock.moves_to_go == 1 ? left * 9 / 10 : left * 2 / 5;
    budget.soft_ms = std::clamp<std::int64_t>(share, 1, std::max<std::int64_t>(1, most));
    budget.hard_ms = std::min(budget.hard_ms, std::clamp<std::int64_t>(4 * share, 1, std::max<std::int64_t>(1, most)));
    return budget;
}

}  // namespace damier
