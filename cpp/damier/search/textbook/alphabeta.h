// Alpha-beta (McCarthy 1956, Knuth and Moore 1975): carry along what each side is already sure of. I have at least
// alpha, the opponent has a way to keep me to beta; a move that gives me beta or more will not be allowed, however much
// more it gives, so the position can be left at once.
//
// Fail-soft: a value outside the window is still a bound, which is worth more than "outside": value <= alpha says at
// most `value`, value >= beta says at least `value`.

#pragma once

#include "damier/search/textbook/ordering.h"
#include "damier/search/textbook/quiescence.h"
#include "damier/search/textbook/window.h"

namespace damier::textbook {

template <Game G>
class AlphaBeta {
  public:
    using Position = typename G::Position;

    explicit AlphaBeta(Walk<G>& walk) : walk_(walk), orderer_(walk.options.ordering) {}

    Score value(const Position& root, int depth, std::optional<Score> guess) {
        return aspire(walk_, guess, [&](Score alpha, Score beta) { return search(root, depth, alpha, beta, 0); });
    }

  private:
    Score search(const Position& pos, int depth, Score alpha, Score beta, int ply) {
        if (depth == 0) return horizon(walk_, pos, alpha, beta, ply);
        Visit visit(walk_, depth, ply, alpha, beta);
        typename G::MoveList moves;
        if (const auto value = walk_.finished(pos, moves, ply)) return visit.ends(*value, Why::Terminal);

        const auto deeper = [&](auto&&... node) { return search(node...); };
        if (passing_is_enough(walk_, pos, depth, beta, ply, deeper)) return visit.ends(beta, Why::Cut);

        Score best = -Infinite;
        orderer_.sort(pos, moves, ply, walk_.expected_code(ply));
        for (const auto move : moves) {
            const Step step(walk_, pos, move, ply);
            best = std::max(best, -search(step.position, depth - 1, -beta, -alpha, ply + 1));
            if (best <= alpha) continue;
            alpha = best;
            walk_.improves(ply, move);
            if (best < beta) continue;
            orderer_.has_cut(pos, move, depth, ply);
            return visit.ends(best, Why::Cut);
        }
        return visit.ends(best, Why::Searched);
    }

    Walk<G>& walk_;
    Orderer<G> orderer_;
};

}  // namespace damier::textbook
