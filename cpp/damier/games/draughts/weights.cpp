// The weights that are built in, the files beside this one, and which variants share them.

#include "damier/base/embedded.h"
#include "damier/eval/weights_file.h"
#include "damier/games/draughts/classic.h"

namespace damier::draughts {

DAMIER_EMBED(draughts_english, "damier/games/draughts/classic_english.safetensors")
DAMIER_EMBED(draughts_frisian, "damier/games/draughts/classic_frisian.safetensors")
DAMIER_EMBED(draughts_international, "damier/games/draughts/classic_international.safetensors")
DAMIER_EMBED(draughts_paris, "damier/games/draughts/classic_paris.safetensors")
DAMIER_EMBED(draughts_rennes, "damier/games/draughts/classic_rennes.safetensors")
DAMIER_EMBED(draughts_russian, "damier/games/draughts/classic_russian.safetensors")
DAMIER_EMBED(draughts_turkish, "damier/games/draughts/classic_turkish.safetensors")

const WeightsFile& classic_weights(std::string_view variant) {
    static const WeightsFile english{std::string(draughts_english())};
    static const WeightsFile frisian{std::string(draughts_frisian())};
    static const WeightsFile international{std::string(draughts_international())};
    static const WeightsFile paris{std::string(draughts_paris())};
    static const WeightsFile rennes{std::string(draughts_rennes())};
    static const WeightsFile russian{std::string(draughts_russian())};
    static const WeightsFile turkish{std::string(draughts_turkish())};
    if (variant == "english" || variant == "italian") return english;
    if (variant == "frisian") return frisian;
    if (variant == "international") return international;
    if (variant == "paris") return paris;
    if (variant == "rennes") return rennes;
    if (variant == "turkish") return turkish;
    return russian;  // 8x8 and long kings
}

DAMIER_EMBED(draughts_nnue_english, "damier/games/draughts/nnue_english.safetensors")
DAMIER_EMBED(draughts_nnue_frisian, "damier/games/draughts/nnue_frisian.safetensors")
DAMIER_EMBED(draughts_nnue_international, "damier/games/draughts/nnue_international.safetensors")
DAMIER_EMBED(draughts_nnue_russian, "damier/games/draughts/nnue_russian.safetensors")

namespace {

template <std::string_view (*Bytes)()>
std::shared_ptr<const NnueWeights> read_once() {
    static const auto weights = std::make_shared<const NnueWeights>(WeightsFile{std::string(Bytes())}.nnue());
    return weights;
}

}  // namespace

NnueOfVariant nnue_of(std::string_view variant) {
    if (variant == "english") return read_once<draughts_nnue_english>;
    if (variant == "frisian") return read_once<draughts_nnue_frisian>;
    if (variant == "international") return read_once<draughts_nnue_international>;
    if (variant == "russian" || variant == "brazilian") return read_once<draughts_nnue_russian>;
    return nullptr;
}

}  // namespace damier::draughts
