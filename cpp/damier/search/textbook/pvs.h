// Principal variation search (Finkel and Fishburn 1982, Marsland 1983), also known as NegaScout: with good ordering the
// first move is the best. So the others are only asked, with a window of width zero, whether they are better; the rare
// one that answers yes is searched again with the whole window.

#pragma once

#include "damier/search/textbook/ordering.h"
#include "damier/search/textbook/quiescence.h"
#include "damier/search/textbook/table.h"
#include "damier/search/textbook/window.h"

namespace damier::textbook {

template <Game G>
class Pvs {
  public:
    using Position = typename G::Position;

    explicit Pvs(Walk<G>& walk) : walk_(walk), orderer_(walk.options.ordering), table_(walk.options.table_mb) {}

    Score value(const Position& root, int depth, std::optional<Score> guess) {
        return aspire(walk_, guess, [&](Score alpha, Score beta) { return search(root, depth, alpha, beta, 0); });
    }

  private:
    Score search(const Position& pos, int depth, Score alpha, Score beta, int ply) {
        if (depth == 0) return horizon(walk_, pos, alpha, beta, ply);
        Visit visit(walk_, depth, ply, alpha, beta);
        typename G::MoveList moves;
        if (const auto value = walk_.finished(pos, moves, ply)) return visit.ends(*value, Why::Terminal);

        const TableEntry known = table_.find(pos.key());
        if (known.depth == depth && ply > 0) {
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
            const bool first = best == -Infinite;
            best = std::max(best, search_move(step.position, depth, alpha, beta, ply, first));
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

    Score search_move(const Position& next, int depth, Score alpha, Score beta, int ply, bool first) {
        if (!first) {
            const Score scouted = -search(next, depth - 1, -alpha - 1, -alpha, ply + 1);
            if (scouted <= alpha || scouted >= beta) return scouted;
            walk_.search_again();
        }
        return -search(next, depth - 1, -beta, -alpha, ply + 1);
    }

    Walk<G>& walk_;
    Orderer<G> orderer_;
    TranspositionTable table_;
};

}  // namespace damier::textbook
