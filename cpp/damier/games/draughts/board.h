// The boards of draughts: where squares lie in a word, what a step is, and where the men start.
//
// Dark squares are laid out row by row from the top (seen by White), with gaps so that every direction is one constant
// shift and leaving the board leads to a gap: on 10x10 the diagonals are the shifts 6 and 7, on 8x8 they are 5 and 6.
// Mirrored boards (Italian, Spanish) are played unmirrored; only their drawing and their numbers are mirrored
// (chart.h).

#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <utility>

#include "damier/base/bits.h"
#include "damier/game/result.h"

namespace damier::draughts {

// The step in a direction is a shift by `by`, allowed on the squares of `from`.
struct Direction {
    int by = 0;
    Bits from = 0;
};

// Directions come in pairs of opposites, d and d ^ 1. A set of directions is a mask of 1 << d.
constexpr int opposite(int d) { return d ^ 1; }

enum class Squares { Dark, All };

// Rows count from the top. What is known at compile time of the boards below is a constant in the code that uses it.
struct Board {
    int size;
    Squares squares;
    int men_rows;    // rows of men at the start
    int empty_rows;  // rows behind them

    Bits all = 0;
    std::array<Direction, 8> directions = {};
    unsigned up = 0, down = 0;       // where men move
    unsigned lines = 0;              // where kings move
    unsigned lines_and_columns = 0;  // and where Frisian pieces capture

    constexpr Board(int rows, Squares played, int with_men, int behind)
        : size(rows), squares(played), men_rows(with_men), empty_rows(behind) {
        for (int i = 0; i < size; ++i) all |= row_bits(i);
        if (squares == Squares::Dark) {  // along diagonals, and over the next row or column
            set_directions({{{-1, -1}, {1, 1}, {-1, 1}, {1, -1}, {-2, 0}, {2, 0}, {0, -2}, {0, 2}}});
            up = 0b0101, down = 0b1010, lines = 0b1111, lines_and_columns = 0b11111111;
        } else {  // along rows and columns; men move up or down, and sideways
            set_directions({{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}});
            up = 0b1101, down = 0b1110, lines = lines_and_columns = 0b1111;
        }
    }

    // The square in a row and a file, -1 where there is none to play on.
    constexpr int at(int row, int file) const {
        if (row < 0 || row >= size || file < 0 || file >= size) return -1;
        if (squares == Squares::All) return row * size + file;
        return (row + file) % 2 == 0 ? -1 : row / 2 * (size + 3) + row % 2 * (size / 2 + 1) + file / 2;
    }
    constexpr int row(int sq) const {
        return squares == Squares::All ? sq / size : sq / (size + 3) * 2 + (sq % (size + 3) > size / 2 ? 1 : 0);
    }
    constexpr int file(int sq) const {
        if (squares == Squares::All) return sq % size;
        return sq % (size + 3) % (size / 2 + 1) * 2 + (row(sq) % 2 == 0 ? 1 : 0);
    }

    constexpr Bits row_bits(int row) const {
        Bits bits = 0;
        for (int file = 0; file < size; ++file)
            if (at(row, file) >= 0) bits |= bit(at(row, file));
        return bits;
    }
    constexpr Bits last_row(Side side) const { return row_bits(side == Side::White ? 0 : size - 1); }
    constexpr Bits start(Side side) const {
        Bits men = 0;
        for (int i = empty_rows; i < empty_rows + men_rows; ++i)
            men |= row_bits(side == Side::White ? size - 1 - i : i);
        return men;
    }
    constexpr int men_at_start() const { return count(start(Side::White)); }

    constexpr unsigned forward(Side side) const { return side == Side::White ? up : down; }

    // All squares of a set, one step on; nothing falls on a gap.
    constexpr Bits step(int d, Bits bits) const { return std::rotl(bits & directions[d].from, directions[d].by); }

  private:
    constexpr void set_directions(const std::array<std::pair<int, int>, 8>& deltas) {
        for (std::size_t d = 0; d < deltas.size(); ++d) {
            const auto [rows, files] = deltas[d];
            if (rows == 0 && files == 0) continue;
            for (int from : damier::squares(all)) {
                const int to = at(row(from) + rows, file(from) + files);
                if (to < 0) continue;
                assert(directions[d].from == 0 || directions[d].by == to - from);
                directions[d].by = to - from;
                directions[d].from |= bit(from);
            }
        }
    }
};

inline constexpr Board Dark8{8, Squares::Dark, 3, 0};
inline constexpr Board Dark10{10, Squares::Dark, 4, 0};
inline constexpr Board All8{8, Squares::All, 2, 1};

// The same step for a board and a direction known at compile time. What leaves the board may fall on a gap: mask the
// result with playing squares.
template <const Board& B, int D>
constexpr Bits step(Bits bits) {
    return shift(B.squares == Squares::All ? bits & B.directions[D].from : bits, B.directions[D].by);
}

// Calls f with each direction of a set as a compile-time number.
template <unsigned Set, class F>
constexpr void for_each_direction(F f) {
    [&]<int... D>(std::integer_sequence<int, D...>) {
        (
            [&] {
                if constexpr ((Set >> D & 1) != 0) f(std::integral_constant<int, D>{});
            }(),
            ...);
    }(std::make_integer_sequence<int, 8>{});
}

}  // namespace damier::draughts
