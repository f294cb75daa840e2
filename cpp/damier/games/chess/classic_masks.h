// Sets of squares that `classic` looks up: what lies ahead of a pawn, beside it, around a king.

#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>

#include "damier/games/chess/attacks.h"

namespace damier::chess::masks {

constexpr Bits file_bits(int file) { return FileA << file; }
constexpr int relative(Side side, int sq) { return side == Side::White ? sq : sq ^ 56; }
constexpr int relative_rank(Side side, int sq) { return relative(side, sq) >> 3; }

constexpr Bits Centre = file_bits(2) | file_bits(3) | file_bits(4) | file_bits(5);

template <class Make>
constexpr auto by_square(Make make) {
    std::array<decltype(make(0)), 64> all{};
    for (int sq = 0; sq < 64; ++sq) all[static_cast<std::size_t>(sq)] = make(sq);
    return all;
}

template <class Make>
constexpr auto by_side_and_square(Make make) {
    return std::array{by_square([&](int sq) { return make(Side::White, sq); }),
                      by_square([&](int sq) { return make(Side::Black, sq); })};
}

// All ranks strictly in front of a square.
constexpr Bits ranks_ahead(Side side, int sq) {
    const int rank = rank_of(sq);
    if (side == Side::White) return rank == 7 ? 0 : ~Bits{0} << 8 * (rank + 1);
    return rank == 0 ? 0 : ~Bits{0} >> 8 * (8 - rank);
}

inline constexpr auto BesideFiles = by_square([](int sq) {
    const int file = file_of(sq);
    return (file > 0 ? file_bits(file - 1) : 0) | (file < 7 ? file_bits(file + 1) : 0);
});
inline constexpr auto Ahead =
    by_side_and_square([](Side side, int sq) { return ranks_ahead(side, sq) & file_bits(file_of(sq)); });
inline constexpr auto BesideAhead = by_side_and_square(
    [](Side side, int sq) { return ranks_ahead(side, sq) & BesideFiles[static_cast<std::size_t>(sq)]; });

constexpr Bits ahead(Side side, int sq) { return Ahead[index(side)][sq]; }
constexpr Bits beside_ahead(Side side, int sq) { return BesideAhead[index(side)][sq]; }
constexpr Bits beside(int sq) { return BesideFiles[sq]; }

// Squares of a half board: 8 ranks of files a to d, seen by the side.
inline constexpr auto Half = by_side_and_square([](Side side, int sq) {
    const int file = file_of(sq);
    return static_cast<std::uint8_t>(4 * relative_rank(side, sq) + std::min(file, 7 - file));
});
constexpr int half(Side side, int sq) { return Half[index(side)][sq]; }

// The steps of a king between two squares.
constexpr int distance(int a, int b) {
    const int files = file_of(a) - file_of(b), ranks = rank_of(a) - rank_of(b);
    return std::max(files < 0 ? -files : files, ranks < 0 ? -ranks : ranks);
}

// The zone of a king: three by three squares around its place, moved inwards from the edges.
inline constexpr auto Zone = by_square([](int sq) {
    const int file = std::clamp(file_of(sq), 1, 6), rank = std::clamp(rank_of(sq), 1, 6);
    Bits zone = 0;
    for (int f = file - 1; f <= file + 1; ++f)
        for (int r = rank - 1; r <= rank + 1; ++r) zone |= bit(square(f, r));
    return zone;
});

}  // namespace damier::chess::masks
