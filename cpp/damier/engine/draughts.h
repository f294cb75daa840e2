// The door to the draughts family: its variants as a list, each able to set up a board.

#pragma once

#include "damier/engine/board.h"
#include "damier/games/draughts/draughts.h"

namespace damier::draughts {

using Door = damier::Board<Move>;

struct Variant {
    std::string_view name;
    std::string_view title;
    int game_type;       // of PDN, 0 when it has none
    bool two_point_win;  // results are written 2-0, 1-1, 0-2
    std::unique_ptr<Door> (*make)(const std::optional<std::string>& fen);
    std::vector<int> (*path)(const Door& board, Move move);  // the squares of one route, start and end included
};

const std::vector<Variant>& variants();

}  // namespace damier::draughts
