// The searches of the ladder put to work: iterative deepening, and the choice among them.

#pragma once

#include "damier/search/ladder/alphabeta.h"
#include "damier/search/ladder/ladder.h"
#include "damier/search/ladder/mcts.h"
#include "damier/search/ladder/memory.h"
#include "damier/search/ladder/minimax.h"
#include "damier/search/ladder/mtdf.h"
#include "damier/search/ladder/negamax.h"
#include "damier/search/ladder/pvs.h"

namespace damier::ladder {

// Iterative deepening: depth 1, 2, 3... A search that may be stopped at any time has an answer, and what a shallow
// search found best is tried first by the next, which often costs less than starting deep.
template <template <Game> class Search, Game G>
void deepen(Walk<G>& walk, const typename G::Position& root, Answer<typename G::Move>& answer) {
    Search<G> search(walk);
    const int last = walk.options.depth;
    // What to expect: the value two plies before if there is one, for whoever moves last is usually better off.
    std::optional<Score> previous, guess;
    for (int depth = walk.options.iterative ? std::min(1, last) : last; depth <= last; ++depth) {
        const Score value = search.value(root, depth, guess);
        if (walk.stopped()) break;
        guess = previous ? previous : value;
        previous = answer.value = value;
        answer.depth = depth;
        answer.line = walk.best_line();
        walk.expect(answer.line);
    }
}

// When no search was finished there is still the best move so far, or any.
template <Game G>
void settle_for_less(Walk<G>& walk, const Record<G>& record, Answer<typename G::Move>& answer) {
    typename G::MoveList legal;
    record.legal_moves(legal);
    if (legal.empty()) return;
    answer.line = walk.best_line();
    if (answer.line.empty()) answer.line = {legal[0]};
    if (answer.stopped) answer.value = walk.evaluate(record.position());
}

template <Game G>
Answer<typename G::Move> climb(Algorithm algorithm, const Record<G>& record, Evaluator<G>& evaluator,
                               const Options& options, const std::atomic<bool>& stop) {
    Walk<G> walk(record, evaluator, options, stop);
    const auto& root = record.position();
    Answer<typename G::Move> answer;
    switch (algorithm) {
        case Algorithm::Minimax: deepen<Minimax>(walk, root, answer); break;
        case Algorithm::Negamax: deepen<Negamax>(walk, root, answer); break;
        case Algorithm::AlphaBeta: deepen<AlphaBeta>(walk, root, answer); break;
        case Algorithm::AlphaBetaMemory: deepen<AlphaBetaMemory>(walk, root, answer); break;
        case Algorithm::Mtdf: deepen<Mtdf>(walk, root, answer); break;
        case Algorithm::Pvs: deepen<Pvs>(walk, root, answer); break;
        case Algorithm::Mcts: {
            Mcts<G> mcts(walk);
            answer.value = mcts.run(root);
            answer.line = mcts.line();
            break;
        }
    }
    answer.stopped = walk.stopped();
    if (answer.line.empty()) settle_for_less(walk, record, answer);
    answer.counters = walk.counters;
    answer.trace = std::move(walk.recorder()).finish();
    return answer;
}

}  // namespace damier::ladder
