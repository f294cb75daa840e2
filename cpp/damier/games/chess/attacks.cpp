// Attack tables, built before main.

#include "damier/games/chess/attacks.h"

#include "damier/games/chess/magics.h"

namespace damier::chess {

namespace {

struct Direction {
    int file;
    int rank;
};
using Directions = std::array<Direction, 4>;
constexpr Directions Straight{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
constexpr Directions Diagonal{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
constexpr Directions Leaps{{{1, 2}, {2, 1}, {-1, 2}, {-2, 1}}};  // and their opposites

// The neighbour of a square, or -1 beyond the edge.
int neighbour(int sq, Direction step) {
    const int file = file_of(sq) + step.file, rank = rank_of(sq) + step.rank;
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : square(file, rank);
}

Bits one_step(int sq, Direction step) {
    const int to = neighbour(sq, step);
    return to < 0 ? 0 : bit(to);
}

// The squares seen in four directions, each up to and including the first occupied one.
Bits walk(int sq, const Directions& directions, Bits occupied) {
    Bits seen = 0;
    for (const Direction step : directions) {
        for (int to = neighbour(sq, step); to >= 0; to = neighbour(to, step)) {
            seen |= bit(to);
            if (has(occupied, to)) break;
        }
    }
    return seen;
}

// The squares seen on an empty board, less the last one in each direction: what stands there hides nothing.
Bits relevant(int sq, const Directions& directions) {
    Bits mask = 0;
    for (const Direction step : directions) {
        for (int to = neighbour(sq, step); to >= 0 && neighbour(to, step) >= 0; to = neighbour(to, step))
            mask |= bit(to);
    }
    return mask;
}

// Fills the attacks of the slider on `sq` from `place` on, and returns the place after them.
Bits* fill(Slider& slider, int sq, const Directions& directions, Bits magic, Bits* place) {
    slider.mask = relevant(sq, directions);
    slider.magic = magic;
    slider.shift = 64 - count(slider.mask);
    slider.attacks = place;
    Bits occupied = 0;
    do {  // every subset of the mask
        Bits& entry = place[slider.index(occupied)];
        const Bits seen = walk(sq, directions, occupied);
        assert(entry == 0 || entry == seen);
        entry = seen;
        occupied = (occupied - slider.mask) & slider.mask;
    } while (occupied != 0);
    return place + (Bits{1} << count(slider.mask));
}

}  // namespace

Tables::Tables() {
    Bits* bishop_place = bishop_attacks.data();
    Bits* rook_place = rook_attacks.data();
    for (int sq = 0; sq < 64; ++sq) {
        for (const auto [file, rank] : Leaps) knight[sq] |= one_step(sq, {file, rank}) | one_step(sq, {-file, -rank});
        for (const auto& directions : {Straight, Diagonal}) {
            for (const Direction step : directions) {
                king[sq] |= one_step(sq, step);
                Bits passed = 0;
                for (int to = neighbour(sq, step); to >= 0; to = neighbour(to, step)) {
                    between[sq][to] = passed;
                    passed |= bit(to);
                }
            }
        }
        bishop_place = fill(bishop[sq], sq, Diagonal, BishopMagics[sq], bishop_place);
        rook_place = fill(rook[sq], sq, Straight, RookMagics[sq], rook_place);
    }
    assert(bishop_place == bishop_attacks.data() + bishop_attacks.size());
    assert(rook_place == rook_attacks.data() + rook_attacks.size());
}

const Tables tables;

}  // namespace damier::chess
