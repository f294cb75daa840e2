// The evaluations of draughts by name.

#include "damier/engine/draughts.h"
#include "damier/eval/linear.h"
#include "damier/eval/tapered.h"
#include "damier/games/draughts/classic.h"
#include "damier/games/draughts/classic_weights.h"
#include "damier/games/draughts/evaluation.h"

namespace damier {

namespace {

using Made = std::unique_ptr<Evaluator<Draughts>>;

template <const draughts::Board& B>
Made classic(draughts::Rules rules) {
    const auto weights = draughts::classic_weights(rules);
    assert(weights.size() == draughts::Classic<B>::Features);
    return std::make_unique<TaperedEvaluator<Draughts, draughts::Classic<B>>>("classic", Calibration{140, 100},
                                                                              weights);
}

}  // namespace

template <>
const std::vector<NamedEvaluation<Draughts>>& evaluations<Draughts>() {
    static const std::vector<NamedEvaluation<Draughts>> all = {
        {"classic", "men, kings, squares, back row, mobility, formation and runaways, from opening to ending",
         [](const draughts::Rules& rules) {
             if (rules->board == &draughts::Dark8) return classic<draughts::Dark8>(rules);
             if (rules->board == &draughts::Dark10) return classic<draughts::Dark10>(rules);
             return classic<draughts::All8>(rules);
         }},
        {"paris", "four weights: pieces and kings of either side",
         [](const draughts::Rules&) -> Made {
             const std::vector<double> weights(draughts::ParisWeights.begin(), draughts::ParisWeights.end());
             const auto& features = item_named(feature_sets<Draughts>(), "paris", "feature set");
             return std::make_unique<LinearEvaluator<Draughts>>("paris", features, weights, Calibration{60, 90});
         }},
    };
    return all;
}

template <>
const std::vector<FeatureSet<Draughts>>& feature_sets<Draughts>() {
    static const std::vector<FeatureSet<Draughts>> all = {
        {"paris", draughts::paris_names(), draughts::paris},
    };
    return all;
}

}  // namespace damier
