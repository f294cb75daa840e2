// Negamax: what is good for one side is equally bad for the other, so min(a, b) = -max(-a, -b) and one function does
// for both. The same tree as minimax, half the code: every value is that of the side to move.

#pragma once

#include "damier/search/textbook/quiescence.h"

namespace damier::textbook {

template <Game G>
class Negamax {
  public:
    using Position = typename G::Position;

    explicit Negamax(Walk<G>& walk) : walk_(walk) {}

    Score value(const Position& root, int depth, std::optional<Score>) { return search(root, depth, 0); }

  private:
    Score search(const Position& pos, int depth, int ply) {
        if (depth == 0) return horizon(walk_, pos, -Infinite, Infinite, ply);
        Visit visit(walk_, depth, ply);
        typename G::MoveList moves;
        if (const auto value = walk_.finished(pos, moves, ply)) return visit.ends(*value, Why::Terminal);

        Score best = -Infinite;
        for (const auto move : moves) {
            const Step step(walk_, pos, move, ply);
            const Score value = -search(step.position, depth - 1, ply + 1);
            if (value <= best) continue;
            best = value;
            walk_.improves(ply, move);
        }
        return visit.ends(best, Why::Searched);
    }

    Walk<G>& walk_;
};

}  // namespace damier::textbook
