// Is a set of pieces one 8-connected group?

#pragma once

#include "damier/base/bits.h"

namespace damier::loa {

constexpr Bits NotFileA = 0xFEFEFEFEFEFEFEFEULL;
constexpr Bits NotFileH = 0x7F7F7F7F7F7F7F7FULL;

// The squares next to a set's squares.
constexpr Bits neighbours(Bits set) {
    const Bits beside = ((set << 1) & NotFileA) | ((set >> 1) & NotFileH);
    const Bits wide = set | beside;
    return beside | (wide << 8) | (wide >> 8);
}

// The pieces of `all` in the same group as `seed`.
constexpr Bits group_of(Bits seed, Bits all) {
    for (Bits group = seed & all;;) {
        const Bits larger = (group | neighbours(group)) & all;
        if (larger == group) return group;
        group = larger;
    }
}

constexpr int count_groups(Bits all) {
    int groups = 0;
    for (; all != 0; ++groups) all &= ~group_of(all & -all, all);
    return groups;
}

// The Euler number, groups minus holes: pieces - adjacent pairs + triples of a 2x2 window - full windows.
// It equals the sum by quads (Q1 - Q3 - 2 Qd) / 4 and takes seven population counts.
constexpr int euler(Bits set) {
    const Bits left = (set << 1) & NotFileA;  // the left neighbour is a piece, seen from each square
    const Bits below = set << 8;
    const Bits below_left = (left << 8);
    const Bits pair_across = left & below;
    const Bits pair_main = set & below_left;
    const int pairs = count(set & left) + count(set & below) + count(pair_main) + count(pair_across);
    const Bits full = pair_main & pair_across;
    const Bits three = ((pair_main & (left | below)) | (pair_across & (set | below_left))) & ~full;
    return count(set) - pairs + count(three) + 3 * count(full);
}

bool connected(Bits set);

}  // namespace damier::loa
