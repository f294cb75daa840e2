// The weights of `classic` that are built in: classic.safetensors, beside this file.

#include "damier/base/embedded.h"
#include "damier/eval/weights_file.h"
#include "damier/games/loa/classic.h"

namespace damier::loa {

DAMIER_EMBED(loa_classic, "damier/games/loa/classic.safetensors")

const WeightsFile& classic_weights() {
    static const WeightsFile file{std::string(loa_classic())};
    return file;
}

}  // namespace damier::loa
