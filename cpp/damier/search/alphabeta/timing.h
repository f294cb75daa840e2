// How long to think: two limits made from a clock, and the watch that tells when they are reached.

#pragma once

#include <atomic>
#include <chrono>

#include "damier/search/limit.h"

namespace damier {

// Start no new iteration after `soft`; stop in mid-search at `hard`. No limit is Forever.
struct TimeBudget {
    static constexpr std::int64_t Forever = INT64_MAX / 4;
    std::int64_t soft_ms = Forever;
    std::int64_t hard_ms = Forever;
};

// For a game that is expected to last so many moves more.
TimeBudget time_budget(const Limit& limit, Side turn, double overhead, int moves_expected);

// Runs from the start of a search, or from the moment a pondered move was played.
class Watch {
  public:
    using Time = std::chrono::steady_clock;

    Watch() { restart(); }
    void restart() { start_.store(Time::now().time_since_epoch().count(), std::memory_order_relaxed); }
    double seconds() const {
        const Time::duration now = Time::now().time_since_epoch();
        return std::chrono::duration<double>(now - Time::duration(start_.load(std::memory_order_relaxed))).count();
    }
    std::int64_t ms() const { return static_cast<std::int64_t>(1000 * seconds()); }

  private:
    std::atomic<Time::rep> start_;
};

// What the threads of one search share besides the table.
struct SearchControl {
    std::atomic<bool> stop = false;
    std::atomic<bool> pondering = false;
    const std::atomic<bool>* outside = nullptr;  // a stop that others may give, looked at now and then
    Watch watch;                                 // for limits
    Watch since_start;                           // for reports
};

}  // namespace damier
