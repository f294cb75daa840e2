// Draughts with 100 squares, or captures straight ahead.

#include "damier/engine/draughts_variant.h"

namespace damier::draughts {

template Variant variant_of<International>();
template Variant variant_of<Frisian>();
template Variant variant_of<Turkish>();

}  // namespace damier::draughts
