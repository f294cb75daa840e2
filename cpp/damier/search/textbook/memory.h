// Alpha-beta with memory: a position that has been searched before may be answered by the table, or at least be
// searched with a narrower window and its best move first.
//
// Only an entry of equal depth answers. A deeper one knows more, but answers another question: with it the value would
// depend on the order of the search and could no longer be compared with minimax's.
//
// The table ignores the path to a position, on which draws depend (the graph-history interaction). Up to depth 4
// that does no harm: only the root can be repeated within the tree, and it is on every path. From depth 5 on, or if a
// move counter is about to run out, a table may change a value.

#pragma once

#include "damier/search/textbook/ordering.h"
#include "damier/search/textbook/quiescence.h"
#include "damier/search/textbook/table.h"
#include "damier/search/textbook/window.h"

namespace damier::textbook {

template <Game G>
class AlphaBetaMemory {
  public:
    using Position = typename G::Position;

    explicit AlphaBetaMemory(Walk<G>& walk)
        : walk_(walk), orderer_(walk.options.ordering), table_(walk.options.table_mb) {}

    Score value(const Position& root, int depth, std::optional<Score> guess) {
        return aspire(walk_, guess, [&](Score alpha, Score beta) { return search(root, depth, alpha, beta, 0); });
    }

    Score search(const Position& pos, int depth, Score alpha, Score beta, int ply) {
        if (depth == 0) return horizon(walk_, pos, alpha, beta, ply);
        Visit visit(walk_, depth, ply, alpha, beta);
        typename G::MoveList moves;
        if (const auto value = walk_.finished(pos, moves, ply)) return visit.ends(*value, Why::Terminal);

        const TableEntry known = table_.find(pos.key());
        if (known.depth == depth && ply > 0) {  // the root is not asked: it must give a move
            if (const auto value = answer(known, ply, alpha, beta)) return visit.ends(*value, Why::Table);
        }
        const auto deeper = [&](auto&&... node) { return search(node...); };
        if (passing_is_enough(walk_, pos, depth, beta, ply, deeper)) return visit.ends(beta, Why::Cut);

        const Score sure = alpha;
        Score best = -Infinite;
        std::optional<std::uint16_t> best_code;
        orderer_.sort(pos, moves, ply, known.has_move ? known.hint() : walk_.expected_code(ply));
        for (const auto move : moves) {
            const Step step(walk_, pos, move, ply);
            best = std::max(best, -search(step.position, depth - 1, -beta, -alpha, ply + 1));
            if (best <= alpha) continue;
            alpha = best;
            best_code = G::code(move);
            walk_.improves(ply, move);
            if (best < beta) continue;
            orderer_.has_cut(pos, move, depth, ply);
            break;
        }
        table_.store(pos.key(), depth, best, sure, beta, ply, best_code);
        return visit.ends(best, best < beta ? Why::Searched : Why::Cut);
    }

  private:
    Walk<G>& walk_;
    Orderer<G> orderer_;
    TranspositionTable table_;
};

}  // namespace damier::textbook
