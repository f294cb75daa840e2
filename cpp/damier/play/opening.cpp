// Random first moves.

#include "damier/play/opening.h"

namespace damier {

std::unique_ptr<Board> random_opening(const Board& start, int plies, Random& random) {
    std::unique_ptr<Board> board;
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
