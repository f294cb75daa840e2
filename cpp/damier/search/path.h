// The line of play from the root to the current node: what its history says about draws, and what an evaluator keeps
// along it. The one place where searches report moves to an evaluator.

#pragma once

#include "damier/eval/evaluator.h"
#include "damier/game/record.h"

namespace damier {

template <Game G>
class SearchPath {
  public:
    using Position = typename G::Position;

    // Starts at the last position of a record, with room for `plies` more below it.
    void start(const Record<G>& record, Evaluator<G>& evaluator, std::size_t plies) {
        trail_ = record.trail();
        trail_.reserve(plies);
        evaluator_ = &evaluator;
        follower_ = evaluator.follows_line() ? &evaluator : nullptr;
        if (follower_) follower_->on_root(record.position());
    }

    // Records that `move`, played in `before`, gave `after`.
    void push(const Position& before, typename G::Move move, const Position& after) {
        trail_.push(before, move, after);
        if (follower_) follower_->on_push(before, move, after);
    }
    void push_null_move(const Position& before, const Position& after) {
        trail_.push_pass(after);
        if (follower_) follower_->on_null_move(before, after);
    }
    void pop() {
        trail_.pop();
        if (follower_) follower_->on_pop();
    }

    Past past() const { return trail_.past(); }
    int quiet_plies() const { return trail_.quiet_plies(); }
    Score evaluate(const Position& pos) const { return evaluator_->evaluate(pos); }
    const Evaluator<G>& evaluator() const { return *evaluator_; }

  private:
    Trail<G> trail_;
    Evaluator<G>* evaluator_ = nullptr;
    Evaluator<G>* follower_ = nullptr;  // the evaluator, if it follows the line
};

}  // namespace damier
