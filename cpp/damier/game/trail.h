// The trail: what a line of play remembers so that repetition and move counts can be judged.

#pragma once

#include <algorithm>
#include <cassert>
#include <vector>

#include "damier/game/game.h"

namespace damier {

template <Game G>
class Trail {
  public:
    using Position = typename G::Position;

    Trail() = default;
    explicit Trail(const Position& start, int quiet_plies = 0) { restart(start, quiet_plies); }

    void restart(const Position& start, int quiet_plies = 0) {
        steps_.clear();
        steps_.push_back({start.key(), quiet_plies, quiet_plies, phase_of(start), 0});
    }

    // Records that `move`, played in `before`, gave `after`.
    void push(const Position& before, typename G::Move move, const Position& after) {
        const Step& last = steps_.back();
        const int phase = phase_of(after);
        const bool quiet = !before.is_irreversible(move);
        const Step next{after.key(), quiet ? last.quiet_plies + 1 : 0, quiet ? last.repeatable_plies + 1 : 0, phase,
                        phase == last.phase ? last.phase_plies + 1 : 0};
        steps_.push_back(next);
    }

    // Records a null move of a search: no earlier position counts as repeated after it.
    void push_pass(const Position& after) {
        const int quiet_plies = steps_.back().quiet_plies + 1;
        steps_.push_back({after.key(), quiet_plies, 0, phase_of(after), 0});
    }

    void reserve(std::size_t more) { steps_.reserve(steps_.size() + more); }

    void pop() {
        assert(steps_.size() > 1);
        steps_.pop_back();
    }

    // Sides alternate, so only every second earlier position can be the same.
    Past past() const {
        const std::size_t now = steps_.size() - 1;
        const Step& step = steps_[now];
        Past past{1, step.quiet_plies, step.phase == 0 ? 0 : step.phase_plies, 0};
        const std::size_t window = std::min(now, static_cast<std::size_t>(step.repeatable_plies));
        for (std::size_t back = 2; back <= window; back += 2) {
            if (steps_[now - back].key != step.key) continue;
            ++past.occurrences;
            if (past.cycle == 0) past.cycle = static_cast<int>(back);
        }
        return past;
    }

    int quiet_plies() const { return steps_.back().quiet_plies; }

  private:
    struct Step {
        Key key;
        int quiet_plies;
        int repeatable_plies;  // since the last irreversible move or pass
        int phase;
        int phase_plies;
    };

    static int phase_of([[maybe_unused]] const Position& pos) {
        if constexpr (HasPhases<G>) {
            return G::phase(pos);
        } else {
            return 0;
        }
    }

    std::vector<Step> steps_;
};

// Is a game over that the board has not decided? Having no move comes first, then the draws of the rule book.
template <Game G>
std::optional<Outcome> outcome_by_rules(const typename G::Position& pos, bool can_move, const Past& past,
                                        bool claim_draw) {
    if (!can_move) return pos.stuck();
    if (const auto draw = G::drawn(pos, past); draw && (draw->automatic || claim_draw))
        return Outcome{Result::Draw, draw->reason};
    return std::nullopt;
}

}  // namespace damier
