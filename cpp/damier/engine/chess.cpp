// Where chess is compiled behind the door.

#include "damier/engine/chess.h"

#include "damier/engine/engine.h"

namespace damier {

template class GameBoard<Chess>;

}  // namespace damier
