// The Paris report's view of a draughts position: pieces and queens (our kings) of either side.

#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "damier/games/draughts/draughts.h"

namespace damier::draughts {

// Own pieces, enemy pieces (kings included), own kings, enemy kings.
inline std::vector<std::string> paris_names() { return {"own pieces", "enemy pieces", "own kings", "enemy kings"}; }

// Until a tournament chooses others: a king is worth three men.
constexpr std::array<double, 4> ParisWeights{100, -100, 200, -200};

inline void paris(const Position& pos, std::span<float> features) {
    const Bits kings = pos.kings();
    features[0] = static_cast<float>(count(pos.own()));
    features[1] = static_cast<float>(count(pos.other()));
    features[2] = static_cast<float>(count(pos.own() & kings));
    features[3] = static_cast<float>(count(pos.other() & kings));
}

}  // namespace damier::draughts
