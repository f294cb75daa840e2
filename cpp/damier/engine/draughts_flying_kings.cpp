// Draughts with kings that fly, on 8x8.

#include "damier/engine/draughts_variant.h"

namespace damier::draughts {

template void add_variant<Russian>(Registry&);
template void add_variant<Brazilian>(Registry&);
template void add_variant<Pool>(Registry&);
template void add_variant<Czech>(Registry&);
template void add_variant<Spanish>(Registry&);

}  // namespace damier::draughts
