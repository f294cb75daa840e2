// Draughts whose kings, if there are any, capture from the next square, on 8x8.

#include "damier/engine/draughts_variant.h"

namespace damier::draughts {

template void add_variant<English>(Registry&);
template void add_variant<Italian>(Registry&);
template void add_variant<Rennes>(Registry&);
template void add_variant<Paris>(Registry&);

}  // namespace damier::draughts
