// The weights of `classic`: what each feature is worth at the start and at the end of a game, in hundredths
// of a man. Tuned on self-play of Brazilian draughts: `damier learn classic russian` writes this file.

#pragma once

#include <array>

#include "damier/eval/tapered.h"

namespace damier::draughts {

// clang-format off
inline constexpr std::array<Worth, 103> ClassicRussian{{
    // man
    {190, 98},
    // king
    {255, 229},
    // man squares
    {13, 13}, {5, 3}, {-2, 2}, {-5, -14},
    {11, -17}, {1, -23}, {7, -12}, {-9, -28},
    {-12, -24}, {2, -8}, {-13, -11}, {1, -13},
    {17, -10}, {-6, 2}, {1, 5}, {-16, -11},
    {-8, -11}, {-10, 3}, {-5, 11}, {23, -8},
    {13, -6}, {7, 14}, {11, 20}, {6, 16},
    {12, 29}, {11, 25}, {11, 25}, {19, 24},
    {0, 0}, {0, 0}, {0, 0}, {0, 0},
    // king squares
    {-3, -9}, {-3, -9}, {-3, -9}, {-2, -6},
    {-1, -5}, {-1, -3}, {-2, -5}, {-3, -9},
    {-2, -7}, {0, -1}, {2, 5}, {-3, -10},
    {-3, -8}, {1, 2}, {4, 9}, {-3, -8},
    {-2, -6}, {4, 12}, {1, 1}, {-3, -10},
    {-2, -7}, {2, 5}, {1, 3}, {-2, -4},
    {-1, 1}, {-3, -7}, {0, 1}, {-1, -5},
    {-2, -7}, {-4, -12}, {-2, -10}, {4, 1},
    // back row
    {-12, -6}, {8, 0}, {7, -3}, {15, 9}, {0, -7}, {23, 12}, {14, 9}, {31, 14},
    {1, -6}, {14, 8}, {10, 4}, {21, 10}, {12, 4}, {33, 11}, {16, 8}, {29, 12},
    // steps of men
    {43, -6},
    // stuck man
    {14, 6},
    // moves of kings
    {50, -23},
    // stuck king
    {-25, -40},
    // links
    {17, 13}, {21, 12},
    // lines of three
    {4, 6}, {-1, 7},
    // runaway
    {0, 0}, {105, 149}, {81, 113}, {62, 82}, {53, 69}, {41, 57}, {28, 40}, {14, 20},
    // only side with a king
    {43, 70},
    // main road
    {14, 35},
    // the move
    {-3, 1},
    // skew
    {6, -29},
    // tempo
    {6, 3},
}};
// clang-format on

}  // namespace damier::draughts
