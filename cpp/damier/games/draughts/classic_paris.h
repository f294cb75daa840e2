// The weights of `classic` for Paris draughts: what each feature is worth at the start and at the end of a
// game, in hundredths of a man. Hand-set. `damier learn classic paris` writes this file.

#pragma once

#include <array>

#include "damier/eval/tapered.h"

namespace damier::draughts {

// clang-format off
inline constexpr std::array<Worth, 103> ClassicParis{{
    // man
    {100, 110},
    // king
    {220, 250},
    // man squares
    {-7, -12}, {-5, -9}, {-6, -11}, {-8, -14},
    {-7, -13}, {-4, -10}, {-2, -8}, {-5, -11},
    {-4, -9}, {1, -5}, {-1, -7}, {-6, -10},
    {-5, -6}, {1, -2}, {5, -1}, {-2, -4},
    {0, 2}, {7, 6}, {4, 4}, {-3, 0},
    {1, 8}, {6, 12}, {8, 14}, {3, 10},
    {6, 20}, {9, 23}, {8, 22}, {4, 18},
    {0, 0}, {0, 0}, {0, 0}, {0, 0},
    // king squares
    {-4, -5}, {-4, -5}, {-4, -5}, {-4, -5},
    {-4, -5}, {-1, -1}, {-1, -1}, {-1, -1},
    {-1, -1}, {2, 2}, {2, 2}, {-4, -5},
    {-4, -5}, {2, 2}, {5, 5}, {-1, -1},
    {-1, -1}, {5, 5}, {2, 2}, {-4, -5},
    {-4, -5}, {2, 2}, {2, 2}, {-1, -1},
    {-1, -1}, {-1, -1}, {-1, -1}, {-4, -5},
    {-4, -5}, {-4, -5}, {-4, -5}, {-4, -5},
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
    {0, 0}, {74, 105}, {63, 90}, {52, 75}, {42, 60}, {31, 45}, {21, 30}, {10, 15},
    // only side with a king
    {22, 38},
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
