// The textbook searches put to work: iterative deepening, and the choice among them.

#pragma once

#include <functional>

#include "damier/search/textbook/alphabeta.h"
#include "damier/search/textbook/mcts.h"
#include "damier/search/textbook/memory.h"
#include "damier/search/textbook/minimax.h"
#include "damier/search/textbook/mtdf.h"
#include "damier/search/textbook/negamax.h"
#include "damier/search/textbook/pvs.h"
#include "damier/search/textbook/textbook.h"

namespace damier::textbook {

// What a search knows when it ends, its line still in the moves of the game.
template <Game G>
struct Finding {
    Score value = 0;
    int depth = 0;  // that was finished, less than asked for when stopped
    std::vector<typename G::Move> line;
};

// The value of the root by one of the algorithms, to a depth and near a guess.
using ValueAt = std::function<Score(int depth, std::optional<Score> guess)>;

// Iterative deepening: depth 1, 2, 3... A search that may be stopped at any time has an answer, and what a shallow
// search found best is tried first by the next, which often costs less than starting deep.
template <Game G>
void deepen(Walk<G>& walk, const ValueAt& value_at, Finding<G>& found) {
    const int last = walk.options.depth;
    // What to expect: the value two plies before if there is one, for whoever moves last is usually better off.
    std::optional<Score> previous, guess;
    for (int depth = walk.options.iterative ? std::min(1, last) : last; depth <= last; ++depth) {
        const Score value = value_at(depth, guess);
        if (walk.stopped()) break;
        guess = previous ? previous : value;
        previous = found.value = value;
        found.depth = depth;
        found.line = walk.best_line();
        walk.expect(found.line);
    }
}

// When no search was finished there is still the best move so far, or any.
template <Game G>
void settle_for_less(Walk<G>& walk, const Record<G>& record, Finding<G>& found) {
    typename G::MoveList legal;
    record.legal_moves(legal);
    if (legal.empty()) return;
    found.line = walk.best_line();
    if (found.line.empty()) found.line = {legal[0]};
    if (walk.stopped()) found.value = walk.evaluate(record.position());
}

template <Game G>
SearchResult search(Algorithm algorithm, const Record<G>& record, Evaluator<G>& evaluator, const Options& options,
                    std::uint16_t variant, const std::atomic<bool>& stop, const EndgameProbe<G>* probe) {
    Walk<G> walk(record, evaluator, options, stop, probe);
    const auto& root = record.position();
    Finding<G> found;
    const auto deepen_by = [&](auto&& chosen) {
        deepen(walk, [&](int depth, std::optional<Score> guess) { return chosen.value(root, depth, guess); }, found);
    };
    switch (algorithm) {
        case Algorithm::Minimax: deepen_by(Minimax<G>(walk)); break;
        case Algorithm::Negamax: deepen_by(Negamax<G>(walk)); break;
        case Algorithm::AlphaBeta: deepen_by(AlphaBeta<G>(walk)); break;
        case Algorithm::AlphaBetaMemory: deepen_by(AlphaBetaMemory<G>(walk)); break;
        case Algorithm::Mtdf: deepen_by(Mtdf<G>(walk)); break;
        case Algorithm::Pvs: deepen_by(Pvs<G>(walk)); break;
        case Algorithm::Mcts: {
            Mcts<G> mcts(walk);
            found.value = mcts.run(root);
            found.line = mcts.line();
            break;
        }
    }
    if (found.line.empty()) settle_for_less(walk, record, found);
    SearchResult result{.score = found.value,
                        .bound = Bound::Exact,
                        .depth = found.depth,
                        .seldepth = static_cast<int>(found.line.size()),
                        .nodes = walk.counters.nodes,
                        .pv = line_of<G>(root, found.line, variant),
                        .stopped = walk.stopped(),
                        .counters = walk.counters};
    if (result.pv.size() > 1) result.ponder = result.pv[1];
    if (options.trace_cap > 0) result.trace = std::make_shared<const Trace>(std::move(walk.recorder()).finish(variant));
    return result;
}

}  // namespace damier::textbook
