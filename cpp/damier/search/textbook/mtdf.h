// MTD(f) (Plaat 1994): ask only "is it at least x?". A window of width zero cuts most, and each answer is a bound; from
// a good first guess a few questions close in on the value from both sides. Every question walks nearly the same tree
// again, so it depends on its table.

#pragma once

#include "damier/search/textbook/memory.h"

namespace damier::textbook {

template <Game G>
class Mtdf {
  public:
    using Position = typename G::Position;

    explicit Mtdf(Walk<G>& walk) : walk_(walk), memory_(walk) {}

    Score value(const Position& root, int depth, std::optional<Score> guess) {
        Score value = guess ? *guess : first_guess(root, depth);
        Score lower = -Infinite, upper = Infinite;
        for (bool again = false; lower < upper && !walk_.stopped(); again = true) {
            if (again) walk_.search_again();
            const Score beta = std::max(value, lower + 1);
            value = memory_.search(root, depth, beta - 1, beta, 0);
            (value < beta ? upper : lower) = value;
        }
        return value;
    }

  private:
    // Without a shallower search to start from, one is made: two plies less, so that the same side moves last.
    Score first_guess(const Position& root, int depth) {
        const Score guess = memory_.search(root, std::max(depth - 2, 0), -Infinite, Infinite, 0);
        walk_.search_again();
        return guess;
    }

    Walk<G>& walk_;
    AlphaBetaMemory<G> memory_;
};

}  // namespace damier::textbook
