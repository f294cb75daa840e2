// Where the ladder is compiled for chess.

#include "damier/engine/chess.h"
#include "damier/search/ladder/climb.h"

namespace damier::ladder {

template Answer<chess::Move> climb(Algorithm, const Record<Chess>&, Evaluator<Chess>&, const Options&,
                                   const std::atomic<bool>&);

}  // namespace damier::ladder
