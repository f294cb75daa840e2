// The weights of `classic` that are built in: classic.safetensors, beside this file.

#include "damier/base/embedded.h"
#include "damier/eval/weights_file.h"
#include "damier/games/chess/classic.h"

namespace damier::chess {

DAMIER_EMBED(chess_classic, "damier/games/chess/classic.safetensors")

const WeightsFile& classic_weights() {
    static const WeightsFile file{std::string(chess_classic())};
    return file;
}

}  // namespace damier::chess
