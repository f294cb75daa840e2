// The order in which the moves of a node are tried: the table's, good captures, quiet moves by what refuted sisters
// and by history, then captures that lose by exchange. Each stage is scored only when it is reached.

#pragma once

#include "damier/base/list.h"
#include "damier/search/statistics.h"
#include "damier/search/tunables.h"

namespace damier {

// What is known of a node before its moves are tried.
template <Game G>
struct Hints {
    using Move = typename G::Move;
    using Row = typename Statistics<G>::Row;

    std::uint16_t table_code = 0;
    std::array<std::uint16_t, 2> killers{};
    std::uint16_t counter = 0;
    std::array<const Row*, 2> following{};  // of the moves one and two plies before, null when there is none
};

template <Game G>
bool is_tactical([[maybe_unused]] const typename G::Position& pos, [[maybe_unused]] typename G::Move move) {
    if constexpr (HasTactics<G>) {
        return pos.is_tactical(move);
    } else {
        return false;
    }
}

template <Game G>
class Picker {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using MoveList = typename G::MoveList;

    Picker(const Position& pos, const MoveList& moves, const Hints<G>& hints, Statistics<G>& statistics,
           const Tunables& tunables)
        : pos_(pos), moves_(moves), hints_(hints), statistics_(statistics), tunables_(tunables) {
        sort_into_kinds();
    }

    // The next move, or none; history() speaks of the move last given.
    const Move* next() {
        switch (stage_) {
            case Stage::Table:
                stage_ = Stage::Scoring;
                if (table_ >= 0) return give(static_cast<std::size_t>(table_), Tendency::Most);
                [[fallthrough]];
            case Stage::Scoring:
                stage_ = Stage::Tactical;
                score_tactical();
                [[fallthrough]];
            case Stage::Tactical:
                while (const Pick* pick = best_of(tactical_, tried_tactical_)) {
                    if (loses_exchange(moves_[pick->index])) {
                        bad_.push_back(*pick);
                        continue;
                    }
                    return give(pick->index, pick->score);
                }
                stage_ = Stage::Quiet;
                score_quiet();
                [[fallthrough]];
            case Stage::Quiet:
                if (!skip_quiet_)
                    if (const Pick* pick = best_of(quiet_, tried_quiet_)) return give(pick->index, pick->score);
                stage_ = Stage::Bad;
                [[fallthrough]];
            case Stage::Bad:
                if (tried_bad_ < bad_.size()) {
                    const Pick& pick = bad_[tried_bad_++];
                    return give(pick.index, pick.score);
                }
        }
        return nullptr;
    }

    bool in_bad_captures() const { return stage_ == Stage::Bad; }
    int history() const { return history_; }
    void skip_quiet() { skip_quiet_ = true; }

  private:
    enum class Stage : std::uint8_t { Table, Scoring, Tactical, Quiet, Bad };
    struct Pick {
        int score;
        std::uint16_t index;
    };
    using Picks = SpillList<Pick, 96>;

    void sort_into_kinds() {
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            const Move move = moves_[i];
            if (table_ < 0 && hints_.table_code != 0 && G::code(move) == hints_.table_code) {
                table_ = static_cast<int>(i);
            } else {
                const bool first = tunables_.tactics_first && is_tactical<G>(pos_, move);
                (first ? tactical_ : quiet_).push_back({0, static_cast<std::uint16_t>(i)});
            }
        }
    }

    void score_tactical() {
        if constexpr (HasTactics<G>) {
            for (Pick& pick : tactical_) {
                const Move move = moves_[pick.index];
                pick.score = 32 * pos_.prize(move) + statistics_.tactical(pos_.turn(), G::code(move));
            }
        }
    }

    void score_quiet() {
        constexpr int Killer = 1 << 20;
        for (Pick& pick : quiet_) {
            const Move move = moves_[pick.index];
            const std::uint16_t code = G::code(move);
            pick.score = history_of(move, code);
            if (code == hints_.killers[0]) pick.score += 3 * Killer;
            if (code == hints_.killers[1]) pick.score += 2 * Killer;
            if (code == hints_.counter) pick.score += Killer;
        }
    }

    int history_of(Move move, std::uint16_t code) const {
        int sum = tunables_.history ? 2 * statistics_.quiet(pos_.turn(), code) : 0;
        if constexpr (HasShapes<G>) {
            const auto shape = static_cast<std::size_t>(pos_.shape(move));
            for (const auto* row : hints_.following)
                if (row) sum += (*row)[shape];
        }
        return sum;
    }

    // Takes the best of the moves not tried yet; moves of equal score keep their order.
    static const Pick* best_of(Picks& picks, std::size_t& tried) {
        if (tried == picks.size()) return nullptr;
        std::size_t best = tried;
        for (std::size_t i = tried + 1; i < picks.size(); ++i)
            if (picks[i].score > picks[best].score) best = i;
        std::swap(picks[tried], picks[best]);
        return &picks[tried++];
    }

    bool loses_exchange([[maybe_unused]] Move move) const {
        if constexpr (HasExchanges<G>) {
            return !pos_.exchange_is_at_least(move, 0);
        } else {
            return false;
        }
    }

    const Move* give(std::size_t index, int history) {
        history_ = history;
        return &moves_[index];
    }

    const Position& pos_;
    const MoveList& moves_;
    const Hints<G>& hints_;
    Statistics<G>& statistics_;
    const Tunables& tunables_;
    Picks tactical_, quiet_, bad_;
    std::size_t tried_tactical_ = 0, tried_quiet_ = 0, tried_bad_ = 0;
    int table_ = -1;
    int history_ = 0;
    Stage stage_ = Stage::Table;
    bool skip_quiet_ = false;
};

}  // namespace damier
