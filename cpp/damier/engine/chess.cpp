// Where chess is compiled behind the door.

#include "damier/engine/chess.h"

namespace damier {

template class GameBoard<Chess>;

}  // namespace damier
