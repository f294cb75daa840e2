// Random games, by the whole rule book: every move uniformly among the legal ones until the game is over.

#pragma once

#include <algorithm>
#include <atomic>
#include <vector>

#include "damier/base/random.h"
#include "damier/game/codes.h"
#include "damier/game/trail.h"

namespace damier {

// Games laid end to end as columns: the codes of game i are codes[ends[i-1]..ends[i]).
struct Playouts {
    std::vector<std::uint16_t> codes;
    std::vector<std::int32_t> ends;
    std::vector<std::uint32_t> plies;
    std::vector<Result> results;
    std::vector<Reason> reasons;
};

// Plays one random game and appends its codes when asked to keep them.
template <Game G>
class Playout {
  public:
    explicit Playout(const Setup<typename G::Position>& start)
        : start_(start), trail_(start.position, start.quiet_plies) {}

    int plies() const { return plies_; }

    Outcome run(Random& random, std::vector<std::uint16_t>* codes) {
        auto pos = start_.position;
        trail_.restart(pos, start_.quiet_plies);
        for (plies_ = 0;; ++plies_) {
            if (const auto outcome = pos.decided()) return *outcome;
            typename G::MoveList legal;
            pos.legal_moves(legal);
            if (const auto outcome = outcome_by_rules<G>(pos, !legal.empty(), trail_.past(), false)) return *outcome;
            const auto move = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
            if (codes) append_code<G>(legal, move, *codes);
            const auto before = pos;
            pos.play(move);
            trail_.push(before, move, pos);
        }
    }

  private:
    Setup<typename G::Position> start_;
    Trail<G> trail_;
    int plies_ = 0;
};

// Game number n of a run depends on (seed, n) alone, so a run can be cut anywhere and taken up again.
template <Game G>
Playouts play_games(const Setup<typename G::Position>& start, std::uint64_t seed, std::uint64_t first_game, int games,
                    bool keep_moves, const std::atomic<bool>& stop) {
    Playouts played;
    constexpr std::size_t UsualLength = 64, Most = 1 << 22;  // saves most of the growing
    if (keep_moves) played.codes.reserve(std::min(UsualLength * static_cast<std::size_t>(games), Most));
    Playout<G> playout(start);
    for (int i = 0; i < games && !stop.load(std::memory_order_relaxed); ++i) {
        std::uint64_t state = seed;
        Random random(splitmix(state) ^ (first_game + static_cast<std::uint64_t>(i)));
        const Outcome outcome = playout.run(random, keep_moves ? &played.codes : nullptr);
        played.ends.push_back(static_cast<std::int32_t>(played.codes.size()));
        played.plies.push_back(static_cast<std::uint32_t>(playout.plies()));
        played.results.push_back(outcome.result);
        played.reasons.push_back(outcome.reason);
    }
    return played;
}

}  // namespace damier
