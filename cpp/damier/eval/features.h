// Features: numbers that describe a position, computed once here for play and for training.

#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/error.h"
#include "damier/eval/score.h"
#include "damier/game/game.h"

namespace damier {

// Whose a feature is: a difference belongs to nobody.
enum class Whose : std::uint8_t { Nobody, White, Black, Mover, Opponent };

struct FeatureOwner {
    Whose whose = Whose::Nobody;
    std::string_view term;  // what it counts: the same for both sides

    std::optional<Side> side(Side turn) const {
        switch (whose) {
            case Whose::White: return Side::White;
            case Whose::Black: return Side::Black;
            case Whose::Mover: return turn;
            case Whose::Opponent: return !turn;
            case Whose::Nobody: break;
        }
        return std::nullopt;
    }
};

// Names tell: "white groups" and "black groups" are the groups of the two sides, as are "own groups" and "enemy
// groups"; "groups" alone is a difference.
inline FeatureOwner owner_of(std::string_view name) {
    constexpr std::pair<std::string_view, Whose> Prefixes[] = {
        {"white ", Whose::White}, {"black ", Whose::Black}, {"own ", Whose::Mover}, {"enemy ", Whose::Opponent}};
    for (const auto& [prefix, whose] : Prefixes)
        if (name.starts_with(prefix)) return {whose, name.substr(prefix.size())};
    return {Whose::Nobody, name};
}

// A named list of numbers about a position, seen by the side to move, or by White whoever moves.
template <Game G>
struct FeatureSet {
    std::string_view name;
    std::vector<std::string> names;  // one per feature
    std::function<void(const typename G::Position& pos, std::span<float> features)> compute;
    bool by_white = false;
    std::vector<std::size_t>
        turned{};  // where each feature goes when the other side looks; empty where that is unknown

    std::size_t size() const { return names.size(); }
    // +1 when a value made of these features is one for the side to move, -1 when it must be turned round.
    int sign(const typename G::Position& pos) const { return by_white && pos.turn() == Side::Black ? -1 : 1; }
};

// No feature of a board is larger; weights are checked against it, so that no sum of theirs can overflow.
constexpr double LargestFeature = 1e6;

// A real value as a score; rounding treats both sides alike. What is not a finite number is nobody's score.
inline Score rounded_score(double value) {
    if (!std::isfinite(value))
        throw Error("an evaluation must return a finite number, got " +
                    std::string(std::isnan(value) ? "NaN" : "infinity"));
    constexpr double Most = LargestEvaluation;
    return static_cast<Score>(std::lround(std::clamp(value, -Most, Most)));
}

}  // namespace damier
