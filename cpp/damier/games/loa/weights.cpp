// The weights that are built in: files beside this one.

#include "damier/base/embedded.h"
#include "damier/eval/weights_file.h"
#include "damier/games/loa/classic.h"
#include "damier/games/loa/features.h"

namespace damier::loa {

DAMIER_EMBED(loa_classic, "damier/games/loa/classic.safetensors")

const WeightsFile& classic_weights() {
    static const WeightsFile file{std::string(loa_classic())};
    return file;
}

DAMIER_EMBED(loa_bing, "damier/games/loa/bing.safetensors")

const WeightsFile& bing_weights() {
    static const WeightsFile file{std::string(loa_bing())};
    return file;
}

DAMIER_EMBED(loa_nnue, "damier/games/loa/nnue.safetensors")

const std::shared_ptr<const NnueWeights>& nnue_weights() {
    static const auto weights = std::make_shared<const NnueWeights>(WeightsFile{std::string(loa_nnue())}.nnue());
    return weights;
}

}  // namespace damier::loa
