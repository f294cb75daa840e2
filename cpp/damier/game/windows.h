// Regions of a board as data: rectangles of so many rows and columns as drawn, laid over the board in steps. As text,
// 4x6/2x2 are windows of 4 rows and 6 columns, each 2 rows or 2 columns from the next; several are set off by commas.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/bits.h"
#include "damier/game/game.h"

namespace damier {

struct Windows {
    int rows = 3;
    int columns = 3;
    int row_step = 1;
    int column_step = 1;
};

std::vector<Windows> read_windows(std::string_view text);  // throws Error
std::string windows_text(const std::vector<Windows>& windows);

// Which windows tell most about a position is known of some games; others have all of 3x3 squares.
template <class G>
concept HasWindows = requires(const typename G::Rules& rules) {
    { G::windows(rules) } -> std::same_as<std::vector<Windows>>;
};

// The playing squares in each window, from the bottom left.
inline std::vector<Bits> window_squares(const std::vector<Windows>& windows, const std::vector<SquareInfo>& squares) {
    int rows = 0, columns = 0;
    for (const auto& square : squares) {
        rows = std::max(rows, square.rank + 1);
        columns = std::max(columns, square.file + 1);
    }
    std::vector<Bits> regions;
    for (const Windows& each : windows) {
        for (int bottom = 0; bottom + each.rows <= rows; bottom += each.row_step) {
            for (int left = 0; left + each.columns <= columns; left += each.column_step) {
                Bits region = 0;
                for (const auto& square : squares)
                    if (square.rank >= bottom && square.rank < bottom + each.rows && square.file >= left &&
                        square.file < left + each.columns)
                        region |= bit(square.index);
                regions.push_back(region);
            }
        }
    }
    return regions;
}

}  // namespace damier
