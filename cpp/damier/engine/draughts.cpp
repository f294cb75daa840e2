// Where every draughts variant is compiled behind the door.

#include "damier/engine/draughts.h"

#include "damier/games/draughts/variants.h"

namespace damier::draughts {

namespace {

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

}  // namespace

const std::vector<Variant>& variants() {
#define DAMIER_VARIANT(R) variant_of<R>(),
    static const std::vector<Variant> all = {DAMIER_DRAUGHTS(DAMIER_VARIANT)};
#undef DAMIER_VARIANT
    return all;
}

}  // namespace damier::draughts
