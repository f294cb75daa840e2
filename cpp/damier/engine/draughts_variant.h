// A draughts variant behind the door. Heavy to compile: the variants are shared out among draughts_*.cpp.

#pragma once

#include "damier/engine/draughts.h"
#include "damier/engine/engine.h"
#include "damier/games/draughts/variants.h"

namespace damier {

// A compulsory capture is searched at the leaves anyway, so it earns no depth; what moves answer which tells little
// (docs/results/search.md).
template <class R>
struct Suited<Draughts<R>> {
    static Tunables tunables() {
        Tunables suited;
        suited.forcing_extension = 0;
        suited.continuation_history = 0;
        suited.counter_moves = 0;
        suited.singular = R::Size > 8;  // pays on the large board only
        return suited;
    }
};

}  // namespace damier

namespace damier::draughts {

template <class R>
Variant variant_of() {
    using G = Draughts<R>;
    return {
        R::Name,
        R::Title,
        R::GameType,
        R::TwoPointWin,
        [](const std::optional<std::string>& fen) -> std::unique_ptr<Door> {
            return fen ? std::make_unique<GameBoard<G>>(typename G::Rules{}, *fen)
                       : std::make_unique<GameBoard<G>>(typename G::Rules{});
        },
        [](const Door& board, Move move) { return G::path(static_cast<const GameBoard<G>&>(board).position(), move); }};
}

}  // namespace damier::draughts
