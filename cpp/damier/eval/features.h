// Features: numbers that describe a position, computed once here for play and for training.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/game/game.h"

namespace damier {

// A named list of numbers about a position, seen by the side to move.
template <Game G>
struct FeatureSet {
    std::string_view name;
    std::vector<std::string> names;  // one a feature
    void (*compute)(const typename G::Position& pos, std::span<float> features);

    std::size_t size() const { return names.size(); }
};

}  // namespace damier
