// The ladder: search algorithms from minimax to MTD(f), short enough to be read, instrumented so that they can be
// compared and watched, and equal in what they answer: the value of minimax at the same depth, by the whole rule book.
// This file is its face; climb.h is compiled once a game.

#pragma once

#include <atomic>
#include <vector>

#include "damier/game/record.h"
#include "damier/search/evaluator.h"
#include "damier/search/ladder/options.h"
#include "damier/search/ladder/trace.h"

namespace damier::ladder {

template <class M>
struct Answer {
    Score value = 0;      // for the side to move
    int depth = 0;        // that was finished, less than asked for when stopped
    std::vector<M> line;  // the best move and what is expected to follow; empty when the game is over
    bool stopped = false;
    Counters counters;
    Trace<M> trace;
};

// Searches the last position of a record, whose past counts for draws. When `stop` is raised the answer is that of the
// deepest search finished, or any legal move.
template <Game G>
Answer<typename G::Move> climb(Algorithm algorithm, const Record<G>& record, Evaluator<G>& evaluator,
                               const Options& options, const std::atomic<bool>& stop);

}  // namespace damier::ladder
