// What a search asks at its leaves. Games offer numbers; an Evaluator turns them into a score.
// One virtual call a leaf: every evaluation, hand-written, learnt or given from Python, serves every algorithm.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "damier/game/game.h"
#include "damier/game/term.h"
#include "damier/search/score.h"

namespace damier {

// How scores become chances: the share of wins at a score is 1 / (1 + exp((margin - score) / spread)).
struct Calibration {
    double margin = 0;  // half the width of the drawn zone
    double spread = 150;
};

// An evaluation of some game, for whoever carries it without knowing the game.
class AnyEvaluator {
  public:
    virtual ~AnyEvaluator() = default;
    virtual std::string name() const = 0;
    virtual Calibration calibration() const { return {}; }
    virtual bool is_slow() const { return false; }  // a millisecond and more: then the clock is read at every node
};

template <Game G>
class Evaluator : public AnyEvaluator {
  public:
    using Position = typename G::Position;

    virtual std::unique_ptr<Evaluator> clone() const = 0;  // every search thread has its own

    // For the side to move; the position is undecided. Never as large as a proven win. One that asks somebody else may
    // throw, which ends the search.
    virtual Score evaluate(const Position& pos) = 0;

    // The same value term by term, for people.
    virtual std::vector<Term> terms(const Position& pos) = 0;

    // It belongs to the variant it is made for, where a game has variants.
    void belong_to(const typename G::Rules& rules) { rules_ = rules; }
    bool fits(const typename G::Rules& rules) const { return !rules_ || same_game<G>(*rules_, rules); }

  private:
    std::optional<typename G::Rules> rules_;
};

}  // namespace damier
