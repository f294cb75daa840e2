// What each piece attacks. Square 0 is a1, 7 is h1, 63 is h8.
// Sliders look their attacks up by PEXT where the processor has it and by magic multiplication elsewhere.

#pragma once

#include <array>
#include <cstdint>

#include "damier/base/bits.h"
#include "damier/game/result.h"

namespace damier::chess {

constexpr int file_of(int sq) { return sq & 7; }
constexpr int rank_of(int sq) { return sq >> 3; }
constexpr int square(int file, int rank) { return 8 * rank + file; }

constexpr Bits FileA = 0x0101010101010101;
constexpr Bits FileH = FileA << 7;
constexpr Bits LightSquares = 0x55AA55AA55AA55AA;

// Ranks 0 to 7 counted from a side's own edge of the board.
constexpr Bits rank_bits(Side side, int rank) { return Bits{0xFF} << 8 * (side == Side::White ? rank : 7 - rank); }
constexpr int forward(Side side) { return side == Side::White ? 8 : -8; }

// What pawns of a side attack towards the a-file, towards the h-file, and both.
constexpr Bits pawns_left(Side side, Bits pawns) { return shift(pawns & ~FileA, forward(side) - 1); }
constexpr Bits pawns_right(Side side, Bits pawns) { return shift(pawns & ~FileH, forward(side) + 1); }
constexpr Bits pawn_attacks(Side side, Bits pawns) { return pawns_left(side, pawns) | pawns_right(side, pawns); }

// Where the attacks of a slider standing on one square are stored.
struct Slider {
    Bits mask;   // the squares whose occupation matters
    Bits magic;  // spreads every occupation of the mask to its own index (unused with PEXT)
    const Bits* attacks;
    int shift;

    Bits index(Bits occupied) const {
#if DAMIER_HAS_PEXT
        return extract(occupied, mask);
#else
        return ((occupied & mask) * magic) >> shift;
#endif
    }
    Bits seen(Bits occupied) const { return attacks[index(occupied)]; }
};

// Built once before main() starts; ask nothing of this room from the initialiser of a static object.
struct Tables {
    Tables();

    std::array<Bits, 64> knight{};
    std::array<Bits, 64> king{};
    std::array<std::array<Bits, 64>, 64> between{};
    std::array<Slider, 64> bishop{};
    std::array<Slider, 64> rook{};
    std::array<Bits, 5248> bishop_attacks{};  // 2^(mask size), summed over the squares
    std::array<Bits, 102400> rook_attacks{};
};
extern const Tables tables;

inline Bits knight_attacks(int sq) { return tables.knight[sq]; }
inline Bits king_attacks(int sq) { return tables.king[sq]; }
inline Bits bishop_attacks(int sq, Bits occupied) { return tables.bishop[sq].seen(occupied); }
inline Bits rook_attacks(int sq, Bits occupied) { return tables.rook[sq].seen(occupied); }
inline Bits queen_attacks(int sq, Bits occupied) { return bishop_attacks(sq, occupied) | rook_attacks(sq, occupied); }

// The squares strictly between two squares of one line, none when they share no line.
inline Bits between(int a, int b) { return tables.between[a][b]; }

}  // namespace damier::chess
