// The weights of `classic` for Rennes draughts: what each feature is worth at the start and at the end of a
// game, in hundredths of a man. Hand-set. `damier learn classic rennes` writes this file.

#pragma once

#include <array>

#include "damier/eval/tapered.h"

namespace damier::draughts {

// clang-format off
inline constexpr std::array<Worth, 103> ClassicRennes{{
    // man
    {100, 100},
    // king
    {100, 100},
    // man squares
    {3, 1}, {5, 5}, {4, 3}, {2, 0},
    {0, -1}, {3, 3}, {5, 4}, {1, 1},
    {-1, 0}, {4, 4}, {2, 2}, {-3, -1},
    {-6, -2}, {1, 1}, {4, 3}, {-3, -1},
    {-4, -2}, {2, 1}, {-1, 0}, {-8, -4},
    {-8, -6}, {-3, -2}, {0, 0}, {-5, -4},
    {-6, -6}, {-2, -3}, {-4, -4}, {-8, -8},
    {-8, -10}, {-6, -7}, {-5, -5}, {-7, -9},
    // king squares
    {0, 0}, {0, 0}, {0, 0}, {0, 0},
    {0, 0}, {0, 0}, {0, 0}, {0, 0},
    {0, 0}, {0, 0}, {0, 0}, {0, 0},
    {0, 0}, {0, 0}, {0, 0}, {0, 0},
    {0, 0}, {0, 0}, {0, 0}, {0, 0},
    {0, 0}, {0, 0}, {0, 0}, {0, 0},
    {0, 0}, {0, 0}, {0, 0}, {0, 0},
    {0, 0}, {0, 0}, {0, 0}, {0, 0},
    // back row
    {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0},
    {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0},
    // steps of men
    {3, 10},
    // stuck man
    {-6, -14},
    // moves of kings
    {2, 3},
    // stuck king
    {-25, -40},
    // links
    {3, 2}, {3, 2},
    // lines of three
    {2, 1}, {2, 1},
    // runaway
    {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0},
    // only side with a king
    {0, 0},
    // main road
    {0, 0},
    // the move
    {0, 4},
    // skew
    {-3, -1},
    // tempo
    {2, 2},
}};
// clang-format on

}  // namespace damier::draughts
