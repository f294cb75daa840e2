// Features: numbers that describe a position, computed once here for play and for training.

#pragma once

#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/eval/score.h"
#include "damier/game/game.h"

namespace damier {

// A named list of numbers about a position, seen by the side to move, or by White whoever moves.
template <Game G>
struct FeatureSet {
    std::string_view name;
    std::vector<std::string> names;  // one a feature
    void (*compute)(const typename G::Position& pos, std::span<float> features);
    bool by_white = false;

    std::size_t size() const { return names.size(); }
    // +1 when a value made of these features is one for the side to move, -1 when it must be turned round.
    int sign(const typename G::Position& pos) const { return by_white && pos.turn() == Side::Black ? -1 : 1; }
};

// A real value as a score; rounding treats both sides alike, and what is not a number is worth nothing.
inline Score rounded_score(double value) {
    constexpr double Most = LargestEvaluation;
    if (!(value > -Most)) return value <= -Most ? static_cast<Score>(-Most) : 0;
    return value >= Most ? static_cast<Score>(Most) : static_cast<Score>(std::lround(value));
}

}  // namespace damier
