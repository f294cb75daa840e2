// The names of reasons, as people read them.

#include "damier/game/result.h"

namespace damier {

std::string_view name(Reason reason) {
    switch (reason) {
        case Reason::Connection: return "connection";
        case Reason::SimultaneousConnection: return "simultaneous connection";
        case Reason::Checkmate: return "checkmate";
        case Reason::Stalemate: return "stalemate";
        case Reason::NoMoves: return "no moves";
        case Reason::InsufficientMaterial: return "insufficient material";
        case Reason::Repetition: return "repetition";
        case Reason::MoveLimit: return "move limit";
        case Reason::ThreefoldClaim: return "threefold repetition";
        case Reason::FiftyMovesClaim: return "fifty moves";
        case Reason::Endgame: return "endgame move limit";
        case Reason::Goal: return "goal reached";
    }
    return "unknown";
}

}  // namespace damier
