// Textbook search algorithms, from minimax to MTD(f): short enough to be read, instrumented so that they can be
// compared and watched, and equal in what they answer: the value of minimax at the same depth, by the whole rule book.
// This file is their interface; search.h is compiled once per game.

#pragma once

#include <atomic>

#include "damier/eval/evaluator.h"
#include "damier/game/record.h"
#include "damier/search/probe.h"
#include "damier/search/result.h"
#include "damier/search/textbook/options.h"
#include "damier/search/textbook/trace.h"

namespace damier::textbook {

// Searches the last position of a record, whose past counts for draws; `variant` names the squares of moves. When
// `stop` is raised the result is that of the deepest search finished, or any legal move. A position that the endgame
// database knows exactly is a leaf.
template <Game G>
SearchResult search(Algorithm algorithm, const Record<G>& record, Evaluator<G>& evaluator, const Options& options,
                    std::uint16_t variant, const std::atomic<bool>& stop, const EndgameProbe<G>* probe = nullptr);

}  // namespace damier::textbook
