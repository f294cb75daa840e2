// The evaluations of Lines of Action by name.

#include "damier/engine/loa.h"
#include "damier/eval/linear.h"
#include "damier/eval/plain.h"
#include "damier/eval/tapered.h"
#include "damier/games/loa/classic.h"
#include "damier/games/loa/evaluation.h"
#include "damier/games/loa/features.h"

namespace damier {

namespace {

using Made = std::unique_ptr<Evaluator<Loa>>;

const FeatureSet<Loa>& features_named(std::string_view name) {
    return item_named(feature_sets<Loa>(), name, "feature set");
}

// BING's components weighed by hand, as the program was before its network learnt: White's, Black's, turn and bias.
const std::vector<double> BingByHand = {12,  -60, -14, -16, 3,  -12,  //
                                        -12, 60,  14,  16,  -3, 12,   //
                                        15,  0};

// The five-level program's heuristics by hand.
const std::vector<double> QuadsByHand = {-25, 4, 6, -6, -1, -3, 2, -10};

}  // namespace

template <>
const std::vector<NamedEvaluation<Loa>>& evaluations<Loa>() {
    static const std::vector<NamedEvaluation<Loa>> all = {
        {"classic", "concentration, centralisation, connection and mobility, from opening to ending",
         [](const auto&) -> Made {
             return std::make_unique<TaperedEvaluator<Loa, loa::Classic>>("classic", Calibration{0, 85},
                                                                          loa::Classic::weights());
         }},
        {"bing-linear", "BING's six components a side, weighed by hand",
         [](const auto&) -> Made {
             return std::make_unique<LinearEvaluator<Loa>>("bing-linear", features_named("bing"), BingByHand,
                                                           Calibration{0, 120});
         }},
        {"bing", "BING's network of 14-2-1 over its components",
         [](const auto&) -> Made {
             throw Error("'bing' has no trained network yet: use 'bing-linear', or damier.eval.Network over 'bing'");
         },
         false},
        {"quads", "Euler number, quads, distances, captures and freedom, weighed by hand",
         [](const auto&) -> Made {
             return std::make_unique<LinearEvaluator<Loa>>("quads", features_named("quads"), QuadsByHand,
                                                           Calibration{0, 120});
         }},
        {"material", "pieces alone",
         [](const auto&) -> Made {
             return std::make_unique<PlainEvaluator<Loa>>("material", loa::material, loa::material_terms,
                                                          Calibration{});
         }},
    };
    return all;
}

template <>
const std::vector<FeatureSet<Loa>>& feature_sets<Loa>() {
    static const std::vector<FeatureSet<Loa>> all = {
        {"bing", loa::bing_names(), loa::bing, true},
        {"quads", loa::quads_names(), loa::quads},
    };
    return all;
}

}  // namespace damier
