// Where Lines of Action is compiled behind the door.

#include "damier/engine/loa.h"

#include "damier/engine/engine.h"

namespace damier {

// Captures are no special moves in Lines of Action, and a late quiet move is often the connecting one
// (docs/results/search.md).
template <>
struct Suited<Loa> {
    static Tunables tunables() {
        Tunables suited;
        suited.tactics_first = 0;
        suited.quiescence_tactics = 0;
        suited.late_move_pruning = 0;
        suited.iir = 0;
        return suited;
    }
};

template class GameBoard<Loa>;

}  // namespace damier
