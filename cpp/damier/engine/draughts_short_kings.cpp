// Draughts whose kings, if there are any, capture from the next square, on 8x8.

#include "damier/engine/draughts_variant.h"

namespace damier::draughts {

template Variant variant_of<English>();
template Variant variant_of<Italian>();
template Variant variant_of<Rennes>();
template Variant variant_of<Paris>();

}  // namespace damier::draughts
