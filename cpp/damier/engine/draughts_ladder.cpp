// Where the ladder is compiled for draughts.

#include "damier/games/draughts/draughts.h"
#include "damier/search/ladder/climb.h"

namespace damier {

template ladder::Answer<draughts::Move> ladder::climb(ladder::Algorithm, const Record<Draughts>&, Evaluator<Draughts>&,
                                                      const ladder::Options&, const std::atomic<bool>&);

}  // namespace damier
