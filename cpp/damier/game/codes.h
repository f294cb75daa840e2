// Games as sequences of 16-bit codes. A code that several legal moves share is followed by the move's rank among them.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "damier/base/error.h"
#include "damier/game/game.h"

namespace damier {

// A game in which two legal moves of one position may have the same code says for which moves that can be.
template <class G>
concept SharesCodes = requires(typename G::Move move) {
    { G::may_share_code(move) } -> std::same_as<bool>;
};

// Appends the rank of a move among the legal moves that share its code, if there are others.
template <Game G>
[[gnu::noinline]] void append_rank(const typename G::MoveList& legal, typename G::Move move,
                                   std::vector<std::uint16_t>& codes) {
    std::uint16_t sharing = 0, rank = 0;
    for (const auto other : legal) {
        if (G::code(other) != G::code(move)) continue;
        ++sharing;
        rank = static_cast<std::uint16_t>(rank + (other < move));
    }
    if (sharing > 1) codes.push_back(rank);
}

template <Game G>
void append_code(const typename G::MoveList& legal, typename G::Move move, std::vector<std::uint16_t>& codes) {
    codes.push_back(G::code(move));
    if constexpr (SharesCodes<G>) {
        if (legal.size() > 1 && G::may_share_code(move)) append_rank<G>(legal, move, codes);
    }
}

// The move of that rank among the legal moves that share a code; throws DataError when there is none.
template <Game G>
[[gnu::noinline]] typename G::Move take_rank(const typename G::MoveList& legal, std::uint16_t code,
                                             std::span<const std::uint16_t> codes, std::size_t& at) {
    if (at == codes.size()) throw DataError("the game ends where the rank of a capture was expected");
    const auto rank = codes[at++];
    int sharing = 0;
    for (const auto move : legal) {
        if (G::code(move) != code) continue;
        ++sharing;
        std::uint16_t below = 0;
        for (const auto other : legal) below += G::code(other) == code && other < move;
        if (below == rank) return move;
    }
    throw DataError("rank " + std::to_string(rank) + " among " + std::to_string(sharing) + " captures");
}

// Takes the code at `at` (and its rank) and returns the move it names; throws DataError when there is none.
template <Game G>
typename G::Move take_code(const typename G::MoveList& legal, std::span<const std::uint16_t> codes, std::size_t& at) {
    const auto code = codes[at++];
    const typename G::Move* found = nullptr;
    for (const auto& move : legal) {
        if (G::code(move) != code) continue;
        if (found) return take_rank<G>(legal, code, codes, at);
        found = &move;
        if constexpr (!SharesCodes<G>) break;
    }
    if (!found) throw DataError("code " + std::to_string(code) + " is not a legal move at this point");
    return *found;
}

}  // namespace damier
