// A game between two engines, played to its end without leaving the core.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "damier/engine/adjudicator.h"
#include "damier/engine/engine.h"

namespace damier {

// One side of a game: who searches, and how much a move.
template <class M>
struct Seat {
    Engine<M>* engine;
    Limit limit;
};

// What the engines said of their moves, as columns.
struct Turns {
    std::vector<Score> scores;  // for the side that moved
    std::vector<std::int32_t> depths;
    std::vector<std::uint64_t> nodes;
    std::vector<double> seconds;

    std::size_t size() const { return scores.size(); }
    template <class M>
    void add(const Found<M>& found) {
        scores.push_back(found.score);
        depths.push_back(found.depth);
        nodes.push_back(found.nodes);
        seconds.push_back(found.seconds);
    }
};

// Plays on from the board's position until the rules, the adjudicator or `longest` moves end the game; the result where
// the adjudicator did. Told to stop, it leaves the game where it is.
template <class M>
std::optional<Result> play_on(Board<M>& board, const std::array<Seat<M>, 2>& seats, std::size_t longest,
                              Adjudicator adjudicator, Turns& turns, const std::atomic<bool>& stop) {
    while (turns.size() < longest && !board.outcome(true)) {
        const Side side = board.turn();
        const auto& [engine, limit] = seats[static_cast<std::size_t>(index(side))];
        engine->arm(limit);
        const Found<M> found = engine->run(board, limit, 1, {}, nullptr, &stop);
        if (stop.load(std::memory_order_relaxed)) break;
        turns.add(found);
        board.push(found.move);
        if (const auto agreed = adjudicator.after(side, found.score, board.moves().size())) return agreed;
    }
    return std::nullopt;
}

}  // namespace damier
