// Random first moves, so that games differ.

#pragma once

#include "damier/base/random.h"
#include "damier/engine/board.h"

namespace damier {

// So many random plies that do not end the game; after a hundred tries any will do.
std::unique_ptr<Board> random_opening(const Board& start, int plies, Random& random);

}  // namespace damier
