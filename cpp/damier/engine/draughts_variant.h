// A draughts variant enters the registry. Heavy to compile: the variants are shared out among draughts_*.cpp.

#pragma once

#include "damier/engine/game_variant.h"
#include "damier/eval/tapered_evaluator.h"
#include "damier/games/draughts/classic.h"
#include "damier/games/draughts/draughts.h"
#include "damier/games/draughts/evaluation.h"

namespace damier::draughts {

template <class R>
const std::vector<FeatureSet<Draughts<R>>>& feature_sets() {
    static const std::vector<FeatureSet<Draughts<R>>> all = {{"paris", paris_names(), paris<R>}};
    return all;
}

template <class R>
void add_variant(Registry& registry) {
    using G = Draughts<R>;
    GameSettings<G> settings{
        .evaluations =
            {
                {"classic",
                 []() -> std::unique_ptr<Evaluator<G>> {
                     return std::make_unique<TaperedEvaluator<G, Classic<R>>>("classic", classic_weights(R::Name));
                 }},
                {"paris",
                 []() -> std::unique_ptr<Evaluator<G>> {
                     const std::vector<double> weights(ParisWeights.begin(), ParisWeights.end());
                     return std::make_unique<LinearEvaluator<G>>("paris", feature_sets<R>().front(), weights,
                                                                 Calibration{60, 90});
                 }},
            },
        .features = feature_sets<R>(),
        .tunables = {},
    };
    // A compulsory capture is searched at the leaves anyway, so it earns no depth; what moves answer which tells
    // little (docs/results/search.md).
    settings.tunables.forcing_extension = 0;
    settings.tunables.continuation_history = 0;
    settings.tunables.counter_moves = 0;
    settings.tunables.singular = R::Size > 8;  // pays on the large board only
    add_game<G>(registry,
                {.name = std::string(R::Name),
                 .title = std::string(R::Title),
                 .family = "draughts",
                 .record_format = "pdn",
                 .game_type = R::GameType,
                 .two_point_win = R::TwoPointWin},
                {}, std::make_shared<const GameSettings<G>>(std::move(settings)));
}

}  // namespace damier::draughts
