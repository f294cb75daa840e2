// The evaluations of Lines of Action by name.

#include "damier/engine/loa.h"
#include "damier/eval/plain.h"
#include "damier/games/loa/evaluation.h"

namespace damier {

template <>
const std::vector<NamedEvaluation<Loa>>& evaluations<Loa>() {
    static const std::vector<NamedEvaluation<Loa>> all = {
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
