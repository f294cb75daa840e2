// A game record: where it started and the moves played, with every position on the way.

#pragma once

#include <cassert>
#include <vector>

#include "damier/game/perft.h"
#include "damier/game/trail.h"

namespace damier {

template <Game G>
class Record {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using MoveList = typename G::MoveList;

    explicit Record(const Setup<Position>& start)
        : start_(start), trail_(start.position, start.quiet_plies), positions_{start.position} {}

    const Setup<Position>& start() const { return start_; }
    const Position& position() const { return positions_.back(); }
    const Position& position_at(std::size_t ply) const { return positions_[ply]; }
    const std::vector<Move>& moves() const { return moves_; }
    std::size_t ply() const { return moves_.size(); }

    // The legal moves; none once the board has decided the game.
    void legal_moves(MoveList& list) const {
        if (!position().decided()) position().legal_moves(list);
    }

    int count_legal_moves() const { return position().decided() ? 0 : damier::count_legal_moves<G>(position()); }

    bool is_legal(Move move) const {
        MoveList list;
        legal_moves(list);
        for (const Move legal : list)
            if (legal == move) return true;
        return false;
    }

    void push(Move move) {
        assert(is_legal(move));
        Position next = position();
        next.play(move);
        trail_.push(position(), move, next);
        positions_.push_back(next);
        moves_.push_back(move);
    }

    Move pop() {
        assert(!moves_.empty());
        const Move last = moves_.back();
        moves_.pop_back();
        positions_.pop_back();
        trail_.pop();
        return last;
    }

    Past past() const { return trail_.past(); }
    const Trail<G>& trail() const { return trail_; }

    std::optional<Outcome> outcome(bool claim_draw) const {
        if (const auto outcome = position().decided()) return outcome;
        return outcome_by_rules<G>(position(), count_legal_moves() > 0, past(), claim_draw);
    }

    // The current position with its counters, as in a FEN.
    Setup<Position> setup() const {
        const bool second_moved_first = start_.position.turn() != G::first(start_.position);
        const int plies = static_cast<int>(ply()) + (second_moved_first ? 1 : 0);
        return {position(), trail_.quiet_plies(), start_.move_number + plies / 2};
    }

  private:
    Setup<Position> start_;
    Trail<G> trail_;
    std::vector<Position> positions_;
    std::vector<Move> moves_;
};

}  // namespace damier
