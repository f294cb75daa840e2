// Sharing out the clock.

#include "damier/search/alphabeta/timing.h"

#include <algorithm>
#include <cmath>

namespace damier {

namespace {

std::int64_t milliseconds(double seconds) { return static_cast<std::int64_t>(std::clamp(1000 * seconds, -1e12, 1e12)); }

}  // namespace

TimeBudget time_budget(const Limit& limit, Side turn, double overhead) {
    TimeBudget budget;
    if (limit.infinite) return budget;
    if (limit.time) budget.hard_ms = std::max<std::int64_t>(1, milliseconds(*limit.time));  // fixed times are fixed
    const auto clock = limit.clock_of(turn);
    if (!clock) return budget;

    // A game lasts about forty more moves. The increment comes only after the move, so what is left bounds everything.
    const std::int64_t lost = milliseconds(overhead);  // between us and the clock, each move
    const int known = limit.moves_to_go;
    const int moves = known > 0 ? std::min(known, 40) : 40;
    const std::int64_t left = std::max<std::int64_t>(0, milliseconds(*clock) - lost * std::max(1, std::min(known, 40)));
    const std::int64_t increment = milliseconds(limit.increment_of(turn));
    const std::int64_t share = left / moves + std::max<std::int64_t>(0, 3 * increment / 4 - lost / 4);
    const std::int64_t most = std::max<std::int64_t>(1, known == 1 ? left * 9 / 10 : left * 2 / 5);
    budget.soft_ms = std::clamp<std::int64_t>(share, 1, most);
    budget.hard_ms = std::min(budget.hard_ms, std::clamp<std::int64_t>(4 * share, 1, most));
    return budget;
}

}  // namespace damier
