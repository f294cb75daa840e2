// Random first moves, so that games differ.

#pragma once

#include "damier/base/random.h"
#include "damier/engine/board.h"

namespace damier {

// So many random plies that do not end the game; after many tries any will do.
template <class M>
std::unique_ptr<Board<M>> random_opening(const Board<M>& start, int plies, Random& random) {
    std::unique_ptr<Board<M>> board;
    for (int tries = 0; tries < 100; ++tries) {
        board = start.copy();
        for (int ply = 0; ply < plies && !board->outcome(true); ++ply) {
            const auto legal = board->legal_moves();
            board->push(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        if (!board->outcome(true)) break;
    }
    return board;
}

}  // namespace damier
