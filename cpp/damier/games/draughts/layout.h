// Where the squares are: how a board is laid out in a word, what a step is, and how squares are named.
//
// Dark squares are laid out row by row from the top (seen by White), with gaps so that every direction is one constant
// shift and leaving the board leads to a gap: on 10x10 the diagonals are the shifts 6 and 7, on 8x8 they are 5 and 6.
// Mirrored boards (Italian, Spanish) are played unmirrored; only their drawing and their numbers are mirrored.

#pragma once

#include <array>
#include <bit>
#include <string>
#include <utility>

#include "damier/base/bits.h"
#include "damier/games/draughts/rules.h"

namespace damier::draughts {

// The step in a direction is a shift by `by`, allowed on the squares of `from`.
struct Direction {
    int by = 0;
    Bits from = 0;
};

// Directions come in pairs of opposites, d and d ^ 1. A set of directions is a mask of 1 << d.
constexpr int opposite(int d) { return d ^ 1; }

// What every layout derives from its at(row, file), row 0 at the top: -1 where there is no playing square.
template <class Layout>
constexpr Bits row_bits(int row) {
    Bits bits = 0;
    for (int file = 0; file < Layout::Size; ++file) {
        if (Layout::at(row, file) >= 0) bits |= bit(Layout::at(row, file));
    }
    return bits;
}

template <class Layout>
constexpr Bits board_bits() {
    Bits bits = 0;
    for (int row = 0; row < Layout::Size; ++row) bits |= row_bits<Layout>(row);
    return bits;
}

template <class Layout>
constexpr Direction make_direction(int rows, int files) {
    Direction direction;
    for (int row = 0; row < Layout::Size; ++row) {
        for (int file = 0; file < Layout::Size; ++file) {
            const int from = Layout::at(row, file);
            const int to = Layout::at(row + rows, file + files);
            if (from < 0 || to < 0) continue;
            assert(direction.from == 0 || direction.by == to - from);
            direction.by = to - from;
            direction.from |= bit(from);
        }
    }
    return direction;
}

// The dark squares of an 8x8 or 10x10 board.
template <int BoardSize>
struct DarkSquares {
    static constexpr int Size = BoardSize;
    static constexpr int Half = Size / 2;
    static constexpr bool Gaps = true;

    static constexpr int at(int row, int file) {
        if (row < 0 || row >= Size || file < 0 || file >= Size || (row + file) % 2 == 0) return -1;
        return row / 2 * (Size + 3) + row % 2 * (Half + 1) + file / 2;
    }
    static constexpr int row(int sq) { return sq / (Size + 3) * 2 + (sq % (Size + 3) > Half ? 1 : 0); }
    static constexpr int file(int sq) { return sq % (Size + 3) % (Half + 1) * 2 + (row(sq) % 2 == 0 ? 1 : 0); }

    // Diagonals first; the last four are the orthogonal captures of Frisian draughts.
    static constexpr std::array<std::pair<int, int>, 8> Deltas = {
        {{-1, -1}, {1, 1}, {-1, 1}, {1, -1}, {-2, 0}, {2, 0}, {0, -2}, {0, 2}}};
    static constexpr unsigned Up = 0b0101, Down = 0b1010, Lines = 0b1111, AllLines = 0b11111111;
};

// All squares of an 8x8 board, played along rows and columns; men move up or down, and sideways.
struct AllSquares {
    static constexpr int Size = 8;
    static constexpr bool Gaps = false;

    static constexpr int at(int row, int file) {
        return row < 0 || row >= Size || file < 0 || file >= Size ? -1 : row * Size + file;
    }
    static constexpr int row(int sq) { return sq / Size; }
    static constexpr int file(int sq) { return sq % Size; }

    static constexpr std::array<std::pair<int, int>, 4> Deltas = {{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
    static constexpr unsigned Up = 0b1101, Down = 0b1110, Lines = 0b1111, AllLines = Lines;
};

template <class R>
using Layout = std::conditional_t<R::AllSquares, AllSquares, DarkSquares<R::Size>>;

// The geometry of a variant: its board, its rows and its directions.
template <class R>
struct Board {
    using L = Layout<R>;
    static constexpr Bits All = board_bits<L>();

    static constexpr auto Directions = [] {
        std::array<Direction, L::Deltas.size()> all;
        for (std::size_t d = 0; d < all.size(); ++d)
            all[d] = make_direction<L>(L::Deltas[d].first, L::Deltas[d].second);
        return all;
    }();

    static constexpr unsigned forward(Side side) { return side == Side::White ? L::Up : L::Down; }
    static constexpr unsigned KingMoves = L::Lines;
    static constexpr unsigned KingCaptures = R::OrthogonalCaptures ? L::AllLines : L::Lines;
    static constexpr unsigned man_captures(Side side) { return R::MenCaptureBack ? KingCaptures : forward(side); }

    static constexpr Bits last_row(Side side) { return row_bits<L>(side == Side::White ? 0 : R::Size - 1); }
    static constexpr Bits start(Side side) {
        Bits men = 0;
        for (int i = R::EmptyRows; i < R::EmptyRows + R::MenRows; ++i) {
            men |= row_bits<L>(side == Side::White ? R::Size - 1 - i : i);
        }
        return men;
    }
    static constexpr int MenAtStart = count(start(Side::White));

    // All squares of a set, one step on. What leaves the board may fall on a gap: mask the result with playing squares.
    template <int D>
    static constexpr Bits step(Bits bits) {
        return shift(L::Gaps ? bits : bits & Directions[D].from, Directions[D].by);
    }
    // The same for a direction known at run time; nothing falls on a gap.
    static constexpr Bits step(int d, Bits bits) { return std::rotl(bits & Directions[d].from, Directions[d].by); }
};

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

// Square numbers (PDN 3.0) and names. Number 0 is no square.
template <class R>
struct Chart {
    using L = Layout<R>;
    static constexpr int Count = count(Board<R>::All);

    // As drawn, seen by White.
    static constexpr int file(int sq) { return R::Mirrored ? R::Size - 1 - L::file(sq) : L::file(sq); }
    static constexpr int rank(int sq) { return R::Size - 1 - L::row(sq); }
    static constexpr int at(int file, int rank) {
        return L::at(R::Size - 1 - rank, R::Mirrored ? R::Size - 1 - file : file);
    }

    static constexpr auto SquareOf = [] {
        std::array<int, Count + 1> square = {-1};
        int number = 0;
        for (int i = 0; i < R::Size * R::Size; ++i) {
            const int place = R::First == Corner::TopLeft ? i : R::Size * R::Size - 1 - i;
            const int sq = at(place % R::Size, R::Size - 1 - place / R::Size);
            if (sq >= 0) square[++number] = sq;
        }
        return square;
    }();

    static constexpr auto NumberOf = [] {
        std::array<int, 64> number = {};
        for (int n = 1; n <= Count; ++n) number[SquareOf[n]] = n;
        return number;
    }();

    static std::string name(int sq) {
        if (!R::Algebraic) return std::to_string(NumberOf[sq]);
        return {static_cast<char>('a' + file(sq)), static_cast<char>('1' + rank(sq))};
    }
};

}  // namespace damier::draughts
