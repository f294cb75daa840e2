// The evaluations of chess by name.

#include "damier/engine/chess.h"
#include "damier/eval/plain.h"
#include "damier/eval/tapered.h"
#include "damier/games/chess/classic.h"
#include "damier/games/chess/evaluation.h"

namespace damier {

template <>
const std::vector<NamedEvaluation<Chess>>& evaluations<Chess>() {
    static const std::vector<NamedEvaluation<Chess>> all = {
        {"classic", "material, squares, mobility, pawns, kings and threats, from opening to ending",
         [](const auto&) -> std::unique_ptr<Evaluator<Chess>> {
             return std::make_unique<TaperedEvaluator<Chess, chess::Classic>>("classic", Calibration{97, 157},
                                                                              chess::Classic::weights());
         }},
        {"ocap", "values and a tenth of a pawn for each rank advanced",
         [](const auto&) -> std::unique_ptr<Evaluator<Chess>> {
             return std::make_unique<PlainEvaluator<Chess>>("ocap", chess::ocap, chess::ocap_terms, Calibration{});
         }},
    };
    return all;
}

template <>
const std::vector<FeatureSet<Chess>>& feature_sets<Chess>() {
    static const std::vector<FeatureSet<Chess>> all = {
        {"ocap", chess::ocap_names(), chess::ocap_features},
    };
    return all;
}

}  // namespace damier
