// The evaluations of every draughts variant by name.

#include "damier/engine/draughts.h"
#include "damier/eval/plain.h"
#include "damier/eval/tapered.h"
#include "damier/games/draughts/classic.h"
#include "damier/games/draughts/evaluation.h"
#include "damier/games/draughts/variants.h"

namespace damier {

namespace {

template <class R>
const std::vector<NamedEvaluation<Draughts<R>>>& evaluations_of() {
    using G = Draughts<R>;
    static const std::vector<NamedEvaluation<G>> all = {
        {"classic", "men, kings, squares, back row, mobility, formation and runaways, from opening to ending",
         []() -> std::unique_ptr<Evaluator<G>> {
             return std::make_unique<TaperedEvaluator<G, draughts::Classic<R>>>("classic", Calibration{60, 90});
         }},
        {"paris", "four weights: men and kings of either side",
         []() -> std::unique_ptr<Evaluator<G>> {
             return std::make_unique<PlainEvaluator<G>>("paris", draughts::paris<R>, draughts::paris_terms<R>,
                                                        Calibration{});
         }},
    };
    return all;
}

template <class R>
const std::vector<FeatureSet<Draughts<R>>>& feature_sets_of() {
    static const std::vector<FeatureSet<Draughts<R>>> all = {};
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
