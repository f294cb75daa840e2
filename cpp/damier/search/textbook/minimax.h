// Minimax (von Neumann 1928, Shannon 1950): I choose the highest value, my opponent the lowest. Nothing else.
// It visits every position down to the depth, which is what all that follows avoids.

#pragma once

#include "damier/search/textbook/quiescence.h"

namespace damier::textbook {

template <Game G>
class Minimax {
  public:
    using Position = typename G::Position;

    explicit Minimax(Walk<G>& walk) : walk_(walk) {}

    Score value(const Position& root, int depth, std::optional<Score>) { return highest(root, depth, 0); }

  private:
    // Values are mine, the side to move at the root, in both functions.
    Score highest(const Position& pos, int depth, int ply) {
        if (depth == 0) return horizon(walk_, pos, -Infinite, Infinite, ply);
        Visit visit(walk_, depth, ply);
        typename G::MoveList moves;
        if (const auto value = walk_.finished(pos, moves, ply)) return visit.ends(*value, Why::Terminal);

        Score best = -Infinite;
        for (const auto move : moves) {
            const Step step(walk_, pos, move, ply);
            const Score value = lowest(step.position, depth - 1, ply + 1);
            if (value <= best) continue;
            best = value;
            walk_.improves(ply, move);
        }
        return visit.ends(best, Why::Searched);
    }

    // What the rules, the evaluation and the record say here is said for my opponent: hence the signs.
    Score lowest(const Position& pos, int depth, int ply) {
        if (depth == 0) return -horizon(walk_, pos, -Infinite, Infinite, ply);
        Visit visit(walk_, depth, ply);
        typename G::MoveList moves;
        if (const auto value = walk_.finished(pos, moves, ply)) return -visit.ends(*value, Why::Terminal);

        Score best = Infinite;
        for (const auto move : moves) {
            const Step step(walk_, pos, move, ply);
            const Score value = highest(step.position, depth - 1, ply + 1);
            if (value >= best) continue;
            best = value;
            walk_.improves(ply, move);
        }
        return -visit.ends(-best, Why::Searched);
    }

    Walk<G>& walk_;
};

}  // namespace damier::textbook
