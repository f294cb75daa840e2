// Where draughts is compiled behind the door, and the list of its variants.

#include "damier/engine/draughts.h"

#include "damier/engine/engine.h"

namespace damier {

// A compulsory capture is searched at the leaves anyway, so it earns no depth; what moves answer which tells little
// (docs/results/search.md).
template <>
struct Suited<Draughts> {
    static Tunables tunables(draughts::Rules rules) {
        Tunables suited;
        suited.forcing_extension = 0;
        suited.continuation_history = 0;
        suited.counter_moves = 0;
        suited.singular = rules->board->size > 8;  // pays on the large board only
        return suited;
    }
};

template class GameBoard<Draughts>;

}  // namespace damier

namespace damier::draughts {

std::unique_ptr<Door> Variant::make(const std::optional<std::string>& fen) const {
    using Made = GameBoard<Draughts>;
    return fen ? std::make_unique<Made>(rules, *fen) : std::make_unique<Made>(rules);
}

std::vector<int> Variant::path(const Door& board, Move move) const {
    return Draughts::path(static_cast<const GameBoard<Draughts>&>(board).position(), move);
}

const std::vector<Variant>& variants() {
#define DAMIER_VARIANT(R) {R},
    static const std::vector<Variant> all = {DAMIER_DRAUGHTS(DAMIER_VARIANT)};
#undef DAMIER_VARIANT
    return all;
}

}  // namespace damier::draughts
