// The door to Lines of Action.

#pragma once

#include "damier/engine/board.h"
#include "damier/games/loa/loa.h"

namespace damier {

extern template class GameBoard<Loa>;

}  // namespace damier
