// Where Lines of Action is compiled behind the door.

#include "damier/engine/loa.h"

#include "damier/engine/engine.h"

namespace damier {

// A capture is a move like others in Lines of Action, and a late quiet move is often the connecting one
// (docs/results/search.md).
template <>
struct Suited<Loa> {
    static Tunables tunables(const loa::Rules&) {
        Tunables suited;
        suited.tactics_first = 0;
        suited.late_move_pruning = 0;
        return suited;
    }
};

template class GameBoard<Loa>;

}  // namespace damier
