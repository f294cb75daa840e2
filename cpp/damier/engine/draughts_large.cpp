// Draughts with 100 squares, or captures straight ahead.

#include "damier/engine/draughts_variant.h"

namespace damier::draughts {

template void add_variant<International>(Registry&);
template void add_variant<Frisian>(Registry&);
template void add_variant<Turkish>(Registry&);

}  // namespace damier::draughts
