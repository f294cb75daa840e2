// The evaluations of every draughts variant by name.

#include "damier/engine/draughts.h"
#include "damier/eval/linear.h"
#include "damier/eval/tapered.h"
#include "damier/games/draughts/classic.h"
#include "damier/games/draughts/evaluation.h"
#include "damier/games/draughts/variants.h"

namespace damier {

namespace {

template <class R>
const std::vector<FeatureSet<Draughts<R>>>& feature_sets_of() {
    static const std::vector<FeatureSet<Draughts<R>>> all = {
        {"paris", draughts::paris_names(), draughts::paris<R>},
    };
    return all;
}

template <class R>
const std::vector<NamedEvaluation<Draughts<R>>>& evaluations_of() {
    using G = Draughts<R>;
    static const std::vector<NamedEvaluation<G>> all = {
        {"classic", "men, kings, squares, back row, mobility, formation and runaways, from opening to ending",
         []() -> std::unique_ptr<Evaluator<G>> {
             return std::make_unique<TaperedEvaluator<G, draughts::Classic<R>>>("classic", Calibration{140, 100});
         }},
        {"paris", "four weights: pieces and kings of either side",
         []() -> std::unique_ptr<Evaluator<G>> {
             const std::vector<double> weights(draughts::ParisWeights.begin(), draughts::ParisWeights.end());
             const auto& features = item_named(feature_sets<G>(), "paris", "feature set");
             return std::make_unique<LinearEvaluator<G>>("paris", features, weights, Calibration{60, 90});
         }},
    };
    return all;
}

}  // namespace

#define DAMIER_EVALUATIONS(R)                                        \
    template <>                                                      \
    const std::vector<NamedEvaluation<Draughts<R>>>& evaluations() { \
        return evaluations_of<R>();                                  \
    }                                                                \
    template <>                                                      \
    const std::vector<FeatureSet<Draughts<R>>>& feature_sets() {     \
        return feature_sets_of<R>();                                 \
    }
DAMIER_DRAUGHTS(DAMIER_EVALUATIONS)
#undef DAMIER_EVALUATIONS

}  // namespace damier
