// An endgame database and an opening book that ask a function about a board, such as one written in Python. Slow; for
// teaching and trying.

#pragma once

#include "damier/engine/game_board.h"
#include "damier/engine/variant.h"

namespace damier {

template <Game G>
class FunctionProbe final : public EndgameProbe<G> {
  public:
    FunctionProbe(GameBoard<G> like, BoardProbe ask) : like_(std::move(like)), ask_(std::move(ask)) {}

    std::optional<ProbeResult> probe(const typename G::Position& pos) const override {
        return ask_(like_.at(Setup<typename G::Position>{pos}));
    }
    bool fits(const typename G::Rules& rules) const override { return same_game<G>(like_.rules(), rules); }
    bool is_slow() const override { return true; }

  private:
    GameBoard<G> like_;  // of the rules by which it is asked
    BoardProbe ask_;
};

template <Game G>
class FunctionBook final : public OpeningBook<G> {
  public:
    using Entry = typename OpeningBook<G>::Entry;

    FunctionBook(GameBoard<G> like, BoardBook ask) : like_(std::move(like)), ask_(std::move(ask)) {}

    std::vector<Entry> moves(const typename G::Position& pos) const override {
        std::vector<Entry> entries;
        for (const auto& [move, weight] : ask_(like_.at(Setup<typename G::Position>{pos})))
            entries.push_back({G::native(move), weight});
        return entries;
    }
    bool fits(const typename G::Rules& rules) const override { return same_game<G>(like_.rules(), rules); }

  private:
    GameBoard<G> like_;
    BoardBook ask_;
};

}  // namespace damier
