// The weights that are built in: files beside this one.

#include "damier/base/embedded.h"
#include "damier/eval/weights_file.h"
#include "damier/games/chess/classic.h"

namespace damier::chess {

DAMIER_EMBED(chess_classic, "damier/games/chess/classic.safetensors")

const WeightsFile& classic_weights() {
    static const WeightsFile file{std::string(chess_classic())};
    return file;
}

DAMIER_EMBED(chess_nnue, "damier/games/chess/nnue.safetensors")

const std::shared_ptr<const NnueWeights>& nnue_weights() {
    static const auto weights = std::make_shared<const NnueWeights>(WeightsFile{std::string(chess_nnue())}.nnue());
    return weights;
}

}  // namespace damier::chess
