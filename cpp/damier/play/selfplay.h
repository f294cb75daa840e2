// Games of an engine against itself, for learning: random first moves, then a small search per move.

#pragma once

#include "damier/engine/engine.h"
#include "damier/play/adjudicator.h"

namespace damier {

struct SelfPlay {
    std::uint64_t seed = 0;
    std::uint64_t first_game = 0;
    int games = 1;
    int random_plies = 8;  // one more in every second game, so that both sides get to move first
    SearchRequest request{.limit = {.nodes = 1000}};
    int max_plies = 400;          // a game still going is a draw
    Adjudicator adjudicator{{}};  // of each game, from its start
};

// What ended a game; reasons are those of the rules alone.
enum class EndedBy : std::uint8_t { Rules, Adjudicator, Length };

struct SelfPlayGames : Playouts {
    std::vector<std::int16_t> scores;      // one per ply, for the side to move, or NotSearched
    std::vector<std::int32_t> score_ends;  // where each game's scores end
    std::vector<EndedBy> ended_by;
};

// Plays from the board's position until done or told to stop. Game number n of a run depends on (seed, n) alone.
SelfPlayGames play_against_itself(Engine& engine, const Board& board, const SelfPlay& settings,
                                  const std::atomic<bool>& stop);

}  // namespace damier
