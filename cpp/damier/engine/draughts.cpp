// The list of draughts variants.

#include "damier/engine/draughts.h"

#include "damier/games/draughts/variants.h"

namespace damier::draughts {

template <class R>
Variant variant_of();  // draughts_variant.h

const std::vector<Variant>& variants() {
#define DAMIER_VARIANT(R) variant_of<R>(),
    static const std::vector<Variant> all = {DAMIER_DRAUGHTS(DAMIER_VARIANT)};
#undef DAMIER_VARIANT
    return all;
}

}  // namespace damier::draughts
