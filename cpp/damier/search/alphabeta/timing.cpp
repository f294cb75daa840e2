// Sharing out the clock.

#include "damier/search/alphabeta/timing.h"

#include <algorithm>
#include <cmath>

namespace damier {

namespace {

constexpr int MovesPlanned = 40;   // before a time control, at most
constexpr int LongestThought = 4;  // in shares of the clock, when a search is in mid-iteration

struct Fraction {
    std::int64_t above, below;
    std::int64_t of(std::int64_t whole) const { return whole * above / below; }
};
constexpr Fraction MostOfClock{2, 5};         // into one move
constexpr Fraction MostBeforeControl{9, 10};  // into the last move before a time control
constexpr Fraction IncrementUsed{3, 4};       // the rest is saved
constexpr Fraction OverheadPaid{1, 4};        // out of the increment

std::int64_t milliseconds(double seconds) { return static_cast<std::int64_t>(std::clamp(1000 * seconds, -1e12, 1e12)); }

}  // namespace

TimeBudget time_budget(const Limit& limit, Side turn, double overhead, int moves_expected) {
    TimeBudget budget;
    if (limit.infinite) return budget;
    if (limit.time) budget.hard_ms = std::max<std::int64_t>(1, milliseconds(*limit.time));  // fixed times are fixed
    const auto clock = limit.clock_of(turn);
    if (!clock) return budget;

    // The increment comes only after the move, so what is left on the clock bounds everything: two fifths of it may go
    // into one move, and nearly all into the last one before a time control.
    const std::int64_t lost = milliseconds(overhead);  // between us and the clock, each move
    const int known = limit.moves_to_go;
    const int moves = known > 0 ? std::min(known, MovesPlanned) : moves_expected;
    const std::int64_t left =
        std::max<std::int64_t>(0, milliseconds(*clock) - lost * std::max(1, std::min(known, MovesPlanned)));
    const std::int64_t increment = milliseconds(limit.increment_of(turn));
    const std::int64_t share =
        left / moves + std::max<std::int64_t>(0, IncrementUsed.of(increment) - OverheadPaid.of(lost));
    const std::int64_t most = std::max<std::int64_t>(1, (known == 1 ? MostBeforeControl : MostOfClock).of(left));
    budget.soft_ms = std::clamp<std::int64_t>(share, 1, most);
    budget.hard_ms = std::min(budget.hard_ms, std::clamp<std::int64_t>(LongestThought * share, 1, most));
    return budget;
}

}  // namespace damier
