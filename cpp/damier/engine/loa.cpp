// Where Lines of Action is compiled behind the door.

#include "damier/engine/loa.h"

#include "damier/engine/engine.h"

namespace damier {

template class GameBoard<Loa>;

}  // namespace damier
