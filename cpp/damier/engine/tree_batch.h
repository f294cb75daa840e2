// The door to tree searches of many boards at once, one tree per board: a network evaluates all leaves in one call.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "damier/game/actions.h"
#include "damier/search/puct.h"

namespace damier {

class TreeBatch {
  public:
    // The moves of the roots, those of board i from ends[i - 1] to ends[i].
    struct Policies {
        std::vector<Action> actions;
        std::vector<float> shares;  // of the visits, which add up to 1 for each board
        std::vector<float> priors;
        std::vector<float> values;  // for the side to move, NaN where a move was not tried
        std::vector<std::int64_t> ends;
    };

    virtual ~TreeBatch() = default;

    // Begins to search the boards as they stand, so many simulations each, none where that is 0 or the game is over.
    // A tree keeps what it knows of the moves played since, and counts it.
    virtual void begin(std::span<const std::int64_t> simulations, std::span<const std::uint8_t> noisy) = 0;

    // Walks down every tree to at most so many leaves, and says how many there are in all; 0 when the search is over.
    virtual std::size_t select(int leaves_per_tree, int threads) = 0;
    virtual void write_planes(std::span<float> planes, int threads) const = 0;
    // What the network said of each leaf: a logit per action, and a value for the side to move.
    virtual void back_up(std::span<const float> logits, std::span<const float> values, int threads) = 0;

    virtual Policies policies() const = 0;
    virtual void root_values(std::span<float> values) const = 0;
    // A move for each board that was searched, else -1; drawn by visits to the power of 1 / temperature.
    virtual void choose(std::span<const float> temperatures, std::span<std::int64_t> actions) = 0;
    virtual std::size_t nodes() const = 0;  // of all trees
};

}  // namespace damier
