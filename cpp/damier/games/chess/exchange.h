// What pieces are worth when they are exchanged, in hundredths of a pawn.

#pragma once

#include <array>

#include "damier/games/chess/position.h"

namespace damier::chess {

// By Piece. A king is never lost: it takes only what nobody defends.
constexpr std::array<int, 6> ExchangeValues{100, 320, 330, 500, 950, 0};
constexpr int exchange_value(Piece piece) { return ExchangeValues[index(piece)]; }

}  // namespace damier::chess
