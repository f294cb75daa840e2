// Evaluations for tests that search below the door: the engine's own, and one that is quick.

#pragma once

#include "damier/eval/plain.h"
#include "damier/eval/tapered_evaluator.h"
#include "damier/games/chess/chess.h"
#include "damier/games/chess/classic.h"
#include "damier/games/chess/evaluation.h"
#include "damier/games/draughts/classic.h"
#include "damier/games/draughts/draughts.h"
#include "damier/games/draughts/evaluation.h"
#include "damier/games/loa/classic.h"
#include "damier/games/loa/evaluation.h"
#include "damier/games/loa/loa.h"

namespace damier {

template <class G>
struct ClassicOf;
template <>
struct ClassicOf<Loa> {
    using Type = loa::Classic;
    static const WeightsFile& weights() { return loa::classic_weights(); }
};
template <>
struct ClassicOf<Chess> {
    using Type = chess::Classic;
    static const WeightsFile& weights() { return chess::classic_weights(); }
};
template <class R>
struct ClassicOf<Draughts<R>> {
    using Type = draughts::Classic<R>;
    static const WeightsFile& weights() { return draughts::classic_weights(R::Name); }
};

template <Game G>
std::unique_ptr<Evaluator<G>> classic() {
    return std::make_unique<TaperedEvaluator<G, typename ClassicOf<G>::Type>>("classic", ClassicOf<G>::weights());
}

template <Game G>
std::unique_ptr<Evaluator<G>> quick() {
    if constexpr (std::is_same_v<G, Loa>) {
        return std::make_unique<PlainEvaluator<G>>("material", loa::material, loa::material_terms, Calibration{});
    } else if constexpr (std::is_same_v<G, Chess>) {
        return std::make_unique<PlainEvaluator<G>>("ocap", chess::ocap, chess::ocap_terms, Calibration{});
    } else {
        return classic<G>();
    }
}

}  // namespace damier
