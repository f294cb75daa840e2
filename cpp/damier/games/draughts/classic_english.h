// The weights of `classic` for English and Italian draughts: what each feature is worth at the start and at the end of
// a game, in hundredths of a man. Hand-set. `damier learn classic english` writes this file.

#pragma once

#include <array>

#include "damier/game/tapered.h"

namespace damier::draughts {

// clang-format off
inline constexpr std::array<Worth, 103> ClassicEnglish{{
    // man
    {100, 110},
    // king
    {128, 135},
    // man squares
    {-6, -9}, {-5, -7}, {-5, -8}, {-7, -10},
    {-6, -10}, {-3, -8}, {-2, -6}, {-5, -9},
    {-3, -7}, {1, -4}, {-1, -5}, {-5, -8},
    {-4, -4}, {1, -2}, {4, -1}, {-2, -3},
    {0, 2}, {6, 4}, {3, 3}, {-2, 1},
    {1, 7}, {5, 9}, {7, 10}, {3, 8},
    {5, 16}, {8, 18}, {7, 17}, {4, 14},
    {0, 0}, {0, 0}, {0, 0}, {0, 0},
    // king squares
    {-9, -10}, {-9, -10}, {-9, -10}, {-9, -10},
    {-9, -10}, {-3, -3}, {-3, -3}, {-3, -3},
    {-3, -3}, {4, 4}, {4, 4}, {-9, -10},
    {-9, -10}, {4, 4}, {10, 11}, {-3, -3},
    {-3, -3}, {10, 11}, {4, 4}, {-9, -10},
    {-9, -10}, {4, 4}, {4, 4}, {-3, -3},
    {-3, -3}, {-3, -3}, {-3, -3}, {-9, -10},
    {-9, -10}, {-9, -10}, {-9, -10}, {-9, -10},
    // back row
    {0, 0}, {6, 2}, {6, 2}, {11, 3}, {6, 2}, {22, 3}, {11, 3}, {28, 4},
    {6, 2}, {11, 3}, {11, 3}, {16, 4}, {11, 3}, {28, 4}, {16, 4}, {33, 6},
    // steps of men
    {1, 3},
    // stuck man
    {-2, -8},
    // moves of kings
    {2, 3},
    // stuck king
    {-25, -40},
    // links
    {3, 2}, {3, 2},
    // lines of three
    {2, 1}, {2, 1},
    // runaway
    {0, 0}, {17, 24}, {15, 21}, {12, 18}, {10, 14}, {8, 10}, {8, 10}, {8, 10},
    // only side with a king
    {13, 20},
    // main road
    {0, 0},
    // the move
    {1, 5},
    // skew
    {-3, -1},
    // tempo
    {2, 2},
}};
// clang-format on

}  // namespace damier::draughts
