// The door to chess.

#pragma once

#include "damier/engine/board.h"
#include "damier/games/chess/chess.h"

namespace damier {

extern template class GameBoard<Chess>;

}  // namespace damier
