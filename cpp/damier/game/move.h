// A move of any game as it is seen from outside: sixteen bytes, made by the game it belongs to.

#pragma once

#include <compare>
#include <cstdint>

#include "damier/base/bits.h"

namespace damier {

struct Move {
    enum class Kind : std::uint8_t { Ordinary, Castling, EnPassant, Pass };

    Bits captured = 0;          // the squares of the pieces it takes
    std::uint16_t variant = 0;  // the number of the variant that names its squares
    std::uint16_t code = 0;     // as stored in files
    std::uint8_t from = 0;
    std::uint8_t to = 0;  // when castling, the square of the rook
    char promotion = 0;   // the letter of what the piece becomes, 0 for nothing else
    Kind kind = Kind::Ordinary;

    auto operator<=>(const Move&) const = default;
};
static_assert(sizeof(Move) == 16);

}  // namespace damier
