// Two things done with a window, by every search that has one: aspiration and the null move.

#pragma once

#include <algorithm>
#include <optional>

#include "damier/search/textbook/walk.h"

namespace damier::textbook {

// Aspiration: the value is probably near that of the shallower search, and a narrow window cuts more. When the value
// falls outside, that side of the window is opened and the search made again.
template <Game G, class Search>
Score aspire(Walk<G>& walk, std::optional<Score> guess, Search&& search) {
    const Score width = walk.options.aspiration;
    const bool narrow = guess && width > 0;
    Score alpha = narrow ? std::max(*guess - width, -Infinite) : -Infinite;
    Score beta = narrow ? std::min(*guess + width, Infinite) : Infinite;
    for (;;) {
        const Score value = search(alpha, beta);
        if (walk.stopped()) return value;
        if (value <= alpha && alpha > -Infinite) {
            alpha = -Infinite;
        } else if (value >= beta && beta < Infinite) {
            beta = Infinite;
        } else {
            return value;
        }
        walk.search_again();
    }
}

// Null move: if I could pass and still be too good for the opponent to have come here, I surely have a good move.
// Asked with a shallower search; wrong where every move hurts, so a game says where a pass is sound, and two in a row
// would only be a shallower search of the same position. This is a gamble: the value may differ from minimax's.
template <Game G, class Search>
bool passing_is_enough([[maybe_unused]] Walk<G>& walk, [[maybe_unused]] const typename G::Position& pos,
                       [[maybe_unused]] int depth, [[maybe_unused]] Score beta, [[maybe_unused]] int ply,
                       [[maybe_unused]] Search&& search) {
    if constexpr (CanPass<G>) {
        constexpr int Reduction = 2;
        if (!walk.options.null_move || depth <= Reduction || ply == 0 || walk.has_just_passed(ply)) return false;
        if (is_sure(beta) || !pos.pass_is_sound()) return false;
        const Step<G> step(walk, pos, ply);
        return -search(step.position, depth - 1 - Reduction, -beta, 1 - beta, ply + 1) >= beta;
    } else {
        return false;
    }
}

}  // namespace damier::textbook
