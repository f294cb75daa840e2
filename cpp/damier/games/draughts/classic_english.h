// The weights of `classic`: what each feature is worth at the start and at the end of a game, in hundredths
// of a man. Tuned on self-play: `damier learn classic english` writes this file.

#pragma once

#include <array>

#include "damier/eval/tapered.h"

namespace damier::draughts {

// clang-format off
inline constexpr std::array<Worth, 103> ClassicEnglish{{
    // man
    {128, 132},
    // king
    {161, 152},
    // man squares
    {11, 7}, {17, 5}, {7, 7}, {-7, -14},
    {3, -8}, {5, -13}, {7, -6}, {-9, -11},
    {-8, -12}, {0, -16}, {-11, -9}, {0, -1},
    {7, 1}, {-8, -9}, {1, -7}, {-14, 2},
    {-8, 3}, {-5, 0}, {-5, 1}, {3, 10},
    {2, 8}, {4, 11}, {3, 11}, {0, 7},
    {8, 18}, {12, 19}, {12, 20}, {1, 5},
    {0, 0}, {0, 0}, {0, 0}, {0, 0},
    // king squares
    {-7, 1}, {-10, -16}, {-10, -13}, {-8, -9},
    {-7, -1}, {-2, 6}, {-4, -9}, {-4, -6},
    {-2, 6}, {4, -5}, {4, -1}, {-9, -12},
    {-9, -15}, {6, 0}, {11, -3}, {-3, -9},
    {-2, -5}, {17, 2}, {5, -3}, {-7, -9},
    {-8, -10}, {5, 3}, {6, 0}, {-5, 8},
    {-4, -1}, {-1, -3}, {-7, 10}, {-5, 4},
    {-9, -10}, {-3, -8}, {-4, -3}, {-7, 4},
    // back row
    {-4, 0}, {2, 0}, {3, -4}, {11, 2}, {1, -3}, {30, 13}, {13, 5}, {35, 10},
    {2, -5}, {6, -2}, {13, 6}, {22, 7}, {4, -2}, {27, 7}, {19, 5}, {39, 9},
    // steps of men
    {10, 6},
    // stuck man
    {7, -2},
    // moves of kings
    {45, -17},
    // stuck king
    {-22, -34},
    // links
    {6, 1}, {6, 4},
    // lines of three
    {6, 5}, {8, 5},
    // runaway
    {0, 0}, {20, 24}, {14, 18}, {10, 15}, {10, 14}, {8, 10}, {8, 10}, {8, 10},
    // only side with a king
    {15, 28},
    // main road
    {6, -14},
    // the move
    {-5, 11},
    // skew
    {1, -8},
    // tempo
    {1, -1},
}};
// clang-format on

}  // namespace damier::draughts
