// A game between two engines, played to its end without leaving the core.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "damier/engine/engine.h"
#include "damier/play/adjudicator.h"

namespace damier {

// One side of a game: who searches, and how much per move.
struct DuelPlayer {
    Engine* engine;
    SearchRequest request;
};

// What the engines said of their moves, as columns.
struct MoveScores {
    std::vector<std::optional<Score>> scores;  // for the side that moved; none where nothing was searched to its end
    std::vector<std::int32_t> depths;
    std::vector<std::uint64_t> nodes;
    std::vector<double> seconds;

    std::size_t size() const { return scores.size(); }
    void add(const SearchResult& result);
};

// Plays from the board's position until the rules, the adjudicator or `max_plies` end the game; the result where the
// adjudicator did. Players by side. When stopped, it leaves the game where it is.
std::optional<Result> play_on(Board& board, const std::array<DuelPlayer, 2>& players, std::size_t max_plies,
                              Adjudicator adjudicator, MoveScores& scores, const std::atomic<bool>& stop);

}  // namespace damier
