// What a search asks at its leaves. Games offer numbers; an Evaluator turns them into a score.
// One virtual call per leaf: every evaluation, hand-written, learnt or given from Python, serves every algorithm.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "damier/eval/score.h"
#include "damier/game/game.h"

namespace damier {

// One line of an explained evaluation, in hundredths of a man: what a term gives each side, where it can be told apart,
// and what that is worth to White.
struct Term {
    std::string name;
    std::optional<double> white{};
    std::optional<double> black{};
    double total = 0;
};

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
    using Move = typename G::Move;

    virtual std::unique_ptr<Evaluator> clone() const = 0;  // every search thread has its own

    // For the side to move; the position is undecided. Never as large as a proven win. One that asks somebody else may
    // throw, which ends the search.
    virtual Score evaluate(const Position& pos) = 0;

    // The same value term by term, for people.
    virtual std::vector<Term> terms(const Position& pos) = 0;

    // An evaluation may keep something along the line of play, such as the accumulator of a network. One that says so
    // is told where a search starts and of every move it plays and takes back, and is asked to evaluate only the
    // position it was told of last. Others are told nothing, which costs nothing.
    virtual bool follows_line() const { return false; }
    virtual void on_root(const Position& /*root*/) {}
    virtual void on_push(const Position& /*before*/, Move, const Position& /*after*/) {}
    virtual void on_null_move(const Position& /*before*/, const Position& /*after*/) {}
    virtual void on_pop() {}  // the last move or null move is taken back

    // It belongs to the variant it is made for, where a game has variants.
    void belong_to(const typename G::Rules& rules) { rules_ = rules; }
    bool fits(const typename G::Rules& rules) const { return !rules_ || same_game<G>(*rules_, rules); }

  private:
    std::optional<typename G::Rules> rules_;
};

}  // namespace damier
