// The draughts variants in the order in which they are listed.

#include "damier/engine/variant.h"
#include "damier/games/draughts/variants.h"

namespace damier {

namespace draughts {

template <class R>
void add_variant(Registry& registry);  // draughts_variant.h

}  // namespace draughts

void add_draughts(Registry& registry) {
#define DAMIER_ADD(R) draughts::add_variant<R>(registry);
    DAMIER_DRAUGHTS(DAMIER_ADD)
#undef DAMIER_ADD
}

}  // namespace damier
