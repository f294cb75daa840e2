// Bitboards: a set of squares is a 64-bit word, square i is bit i.

#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <type_traits>

#if defined(__BMI2__)
#include <immintrin.h>
#define DAMIER_HAS_PEXT 1
#else
#define DAMIER_HAS_PEXT 0
#endif

namespace damier {

using Bits = std::uint64_t;
using Key = std::uint64_t;

constexpr Bits bit(int sq) { return Bits{1} << sq; }
constexpr bool has(Bits bits, int sq) { return (bits >> sq) & 1; }
constexpr int count(Bits bits) { return std::popcount(bits); }
constexpr bool several(Bits bits) { return (bits & (bits - 1)) != 0; }

// The lowest square of a set that is not empty.
constexpr int first(Bits bits) {
    assert(bits != 0);
    return std::countr_zero(bits);
}

constexpr int pop_first(Bits& bits) {
    const int sq = first(bits);
    bits &= bits - 1;
    return sq;
}

// A positive amount shifts towards higher squares, a negative one towards lower squares.
constexpr Bits shift(Bits bits, int amount) { return amount >= 0 ? bits << amount : bits >> -amount; }

// Packs the bits of `bits` selected by `mask` into the low bits, in order.
constexpr Bits extract(Bits bits, Bits mask) {
#if DAMIER_HAS_PEXT
    if (!std::is_constant_evaluated()) return _pext_u64(bits, mask);
#endif
    Bits packed = 0;
    for (Bits place = 1; mask != 0; place <<= 1) {
        if (bits & mask & -mask) packed |= place;
        mask &= mask - 1;
    }
    return packed;
}

// The inverse of extract: spreads the low bits of `bits` over the squares of `mask`.
constexpr Bits deposit(Bits bits, Bits mask) {
#if DAMIER_HAS_PEXT
    if (!std::is_constant_evaluated()) return _pdep_u64(bits, mask);
#endif
    Bits spread = 0;
    for (; mask != 0; bits >>= 1) {
        if (bits & 1) spread |= mask & -mask;
        mask &= mask - 1;
    }
    return spread;
}

// Reflections of a board of 8x8 squares, laid out in rows of eight.
constexpr Bits flip_rows(Bits bits) {
    bits = (bits >> 8 & 0x00FF00FF00FF00FF) | (bits & 0x00FF00FF00FF00FF) << 8;
    bits = (bits >> 16 & 0x0000FFFF0000FFFF) | (bits & 0x0000FFFF0000FFFF) << 16;
    return bits >> 32 | bits << 32;
}
constexpr Bits flip_columns(Bits bits) {
    bits = (bits >> 1 & 0x5555555555555555) | (bits & 0x5555555555555555) << 1;
    bits = (bits >> 2 & 0x3333333333333333) | (bits & 0x3333333333333333) << 2;
    return (bits >> 4 & 0x0F0F0F0F0F0F0F0F) | (bits & 0x0F0F0F0F0F0F0F0F) << 4;
}
// Rows become columns: the first row and the first column keep their corner.
constexpr Bits transpose(Bits bits) {
    const auto exchange = [&](int by, Bits mask) {
        const Bits apart = (bits ^ bits >> by) & mask;
        bits ^= apart ^ apart << by;
    };
    exchange(7, 0x00AA00AA00AA00AA);
    exchange(14, 0x0000CCCC0000CCCC);
    exchange(28, 0x00000000F0F0F0F0);
    return bits;
}

// for (int sq : squares(bits)) visits the squares of a set in increasing order.
class squares {
  public:
    struct End {};
    class Iterator {
      public:
        constexpr explicit Iterator(Bits bits) : bits_(bits) {}
        constexpr int operator*() const { return first(bits_); }
        constexpr Iterator& operator++() {
            bits_ &= bits_ - 1;
            return *this;
        }
        constexpr bool operator!=(End) const { return bits_ != 0; }

      private:
        Bits bits_;
    };

    constexpr explicit squares(Bits bits) : bits_(bits) {}
    constexpr Iterator begin() const { return Iterator(bits_); }
    constexpr End end() const { return {}; }

  private:
    Bits bits_;
};

}  // namespace damier
