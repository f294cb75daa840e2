// Where the ladder is compiled for Lines of Action.

#include "damier/engine/loa.h"
#include "damier/search/ladder/climb.h"

namespace damier::ladder {

template Answer<loa::Move> climb(Algorithm, const Record<Loa>&, Evaluator<Loa>&, const Options&,
                                 const std::atomic<bool>&);

}  // namespace damier::ladder
