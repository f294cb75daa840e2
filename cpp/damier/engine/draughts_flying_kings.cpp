// Draughts with kings that fly, on 8x8.

#include "damier/engine/draughts_variant.h"

namespace damier::draughts {

template Variant variant_of<Russian>();
template Variant variant_of<Brazilian>();
template Variant variant_of<Pool>();
template Variant variant_of<Czech>();
template Variant variant_of<Spanish>();

}  // namespace damier::draughts
