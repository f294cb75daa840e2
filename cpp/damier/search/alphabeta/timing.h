// Time management: two limits derived from a clock, and the timer that tells when they are reached.

#pragma once

#include <algorithm>
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
    std::atomic<bool> pondered_enough = false;   // when the opponent plays the expected move, answer at once
    const std::atomic<bool>* outside = nullptr;  // a stop that others may give, looked at now and then
    std::atomic<std::uint64_t> nodes_left = 0;   // of a limit
    std::uint64_t main_share = 0, nodes_per_claim = 1;
    static constexpr std::uint64_t ClaimsPerShare = 16, LargestClaim = 256;
    Watch watch;        // for limits
    Watch since_start;  // for reports

    // A limit of nodes: the main thread has its share, the rest is spent in small portions by whichever threads the
    // machine lets run.
    void share_nodes(std::uint64_t limit, std::size_t threads) {
        nodes_left = limit;
        main_share = limit / threads + (limit % threads != 0);
        nodes_per_claim = std::clamp<std::uint64_t>(main_share / ClaimsPerShare, 1, LargestClaim);
    }
    std::uint64_t claim_nodes(std::uint64_t wanted) {
        std::uint64_t left = nodes_left.load(std::memory_order_relaxed), taken = 0;
        do {
            taken = std::min(left, wanted);
        } while (!nodes_left.compare_exchange_weak(left, left - taken, std::memory_order_relaxed));
        return taken;
    }
};

}  // namespace damier
