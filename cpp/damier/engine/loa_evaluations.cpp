// The evaluations of Lines of Action by name.

#include "damier/engine/loa.h"
#include "damier/eval/plain.h"
#include "damier/eval/tapered.h"
#include "damier/games/loa/classic.h"
#include "damier/games/loa/evaluation.h"

namespace damier {

template <>
const std::vector<NamedEvaluation<Loa>>& evaluations<Loa>() {
    static const std::vector<NamedEvaluation<Loa>> all = {
        {"classic", "concentration, centralisation, connection and mobility, from opening to ending",
         []() -> std::unique_ptr<Evaluator<Loa>> {
             return std::make_unique<TaperedEvaluator<Loa, loa::Classic>>("classic", Calibration{0, 120});
         }},
        {"material", "pieces alone",
         []() -> std::unique_ptr<Evaluator<Loa>> {
             return std::make_unique<PlainEvaluator<Loa>>("material", loa::material, loa::material_terms,
                                                          Calibration{});
         }},
    };
    return all;
}

template <>
const std::vector<FeatureSet<Loa>>& feature_sets<Loa>() {
    static const std::vector<FeatureSet<Loa>> all = {};
    return all;
}

}  // namespace damier
