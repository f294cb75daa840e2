// The weights of `classic` for the 8x8 games with long kings: what each feature is worth at the start and at the end of
// a game, in hundredths of a man. Hand-set. `damier learn classic russian` writes this file.

#pragma once

#include <array>

#include "damier/game/tapered.h"

namespace damier::draughts {

// clang-format off
inline constexpr std::array<Worth, 103> ClassicRussian{{
    // man
    {100, 110},
    // king
    {260, 300},
    // man squares
    {-7, -12}, {-5, -9}, {-6, -11}, {-8, -14},
    {-8, -13}, {-4, -10}, {-2, -8}, {-6, -11},
    {-4, -9}, {2, -5}, {-1, -7}, {-7, -10},
    {-6, -6}, {1, -2}, {5, -1}, {-3, -4},
    {0, 2}, {8, 6}, {4, 4}, {-4, 0},
    {0, 8}, {6, 12}, {9, 14}, {3, 10},
    {6, 20}, {10, 23}, {8, 22}, {4, 18},
    {0, 0}, {0, 0}, {0, 0}, {0, 0},
    // king squares
    {-2, -4}, {-2, -4}, {-2, -4}, {-2, -4},
    {-2, -4}, {-1, -1}, {-1, -1}, {-1, -1},
    {-1, -1}, {1, 2}, {1, 2}, {-2, -4},
    {-2, -4}, {1, 2}, {3, 5}, {-1, -1},
    {-1, -1}, {3, 5}, {1, 2}, {-2, -4},
    {-2, -4}, {1, 2}, {1, 2}, {-1, -1},
    {-1, -1}, {-1, -1}, {-1, -1}, {-2, -4},
    {-2, -4}, {-2, -4}, {-2, -4}, {-2, -4},
    // back row
    {0, 0}, {6, 2}, {6, 2}, {11, 5}, {6, 2}, {22, 5}, {11, 5}, {28, 8},
    {6, 2}, {11, 5}, {11, 5}, {16, 8}, {11, 5}, {28, 8}, {16, 8}, {33, 10},
    // steps of men
    {1, 3},
    // stuck man
    {-2, -8},
    // moves of kings
    {1, 1},
    // stuck king
    {-25, -40},
    // links
    {3, 2}, {3, 2},
    // lines of three
    {2, 1}, {2, 1},
    // runaway
    {0, 0}, {98, 140}, {84, 120}, {70, 100}, {56, 80}, {42, 60}, {28, 40}, {14, 20},
    // only side with a king
    {26, 45},
    // main road
    {10, 20},
    // the move
    {0, 4},
    // skew
    {-3, -1},
    // tempo
    {2, 2},
}};
// clang-format on

}  // namespace damier::draughts
