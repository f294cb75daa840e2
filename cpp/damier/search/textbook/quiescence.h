// The end of a search. A position in the middle of an exchange is misjudged by any evaluation: quiescence plays the
// exchange out first. Its value is that of a game in which a side may stop at a quiet position or go on with a tactical
// move, and at a position that is not quiet (in check, a compulsory capture) must play on with any move.

#pragma once

#include "damier/search/textbook/ordering.h"
#include "damier/search/textbook/walk.h"

namespace damier::textbook {

template <Game G>
    requires KnowsQuiet<G> && HasTactics<G>
Score quiesce(Walk<G>& walk, const typename G::Position& pos, Score alpha, Score beta, int ply) {
    Visit visit(walk, 0, ply, alpha, beta);
    if (const auto value = walk.finished(pos, ply)) return visit.ends(*value, Why::Terminal);
    if (ply >= MaxPly - 1) return visit.ends(walk.evaluate(pos), Why::Leaf);

    Score best = -Infinite;
    typename G::MoveList moves;
    if (pos.is_quiet()) {
        best = walk.evaluate(pos);
        if (best >= beta) return visit.ends(best, Why::Leaf);
        alpha = std::max(alpha, best);
        pos.tactical_moves(moves);
    } else {
        pos.legal_moves(moves);
    }
    if (moves.empty()) return visit.ends(best, Why::Leaf);

    Orderer<G>(Ordering::Captures).sort(pos, moves, ply, std::nullopt);
    for (const auto move : moves) {
        const Step step(walk, pos, move, ply, Role::Quiet);
        best = std::max(best, -quiesce(walk, step.position, -beta, -alpha, ply + 1));
        if (best >= beta) return visit.ends(best, Why::Cut);
        alpha = std::max(alpha, best);
    }
    return visit.ends(best, Why::Searched);
}

// The value of a position at which the depth has run out.
template <Game G>
Score horizon(Walk<G>& walk, const typename G::Position& pos, Score alpha, Score beta, int ply) {
    if constexpr (KnowsQuiet<G> && HasTactics<G>) {
        if (walk.options.quiescence) return quiesce(walk, pos, alpha, beta, ply);
    }
    Visit visit(walk, 0, ply, alpha, beta);
    if (const auto value = walk.finished(pos, ply)) return visit.ends(*value, Why::Terminal);
    return visit.ends(walk.evaluate(pos), Why::Leaf);
}

}  // namespace damier::textbook
