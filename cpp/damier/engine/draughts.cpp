// Draughts enters the registry: one game, compiled once, with a rule book for each variant.

#include "damier/games/draughts/draughts.h"
#include "damier/engine/game_variant.h"
#include "damier/eval/tapered_evaluator.h"
#include "damier/games/draughts/classic.h"
#include "damier/games/draughts/evaluation.h"

namespace damier {

namespace {

using draughts::Rules;
using Made = std::unique_ptr<Evaluator<Draughts>>;

const std::vector<FeatureSet<Draughts>>& feature_sets() {
    static const std::vector<FeatureSet<Draughts>> all = {{"paris", draughts::paris_names(), draughts::paris}};
    return all;
}

template <const draughts::Board& B>
Made classic(Rules rules) {
    return std::make_unique<TaperedEvaluator<Draughts, draughts::Classic<B>>>("classic",
                                                                              draughts::classic_weights(rules->name));
}

std::vector<NamedEvaluation<Draughts>> evaluations(Rules rules) {
    std::vector<NamedEvaluation<Draughts>> all = {
        {"classic",
         [rules] {
             if (rules->board == &draughts::Dark8) return classic<draughts::Dark8>(rules);
             if (rules->board == &draughts::Dark10) return classic<draughts::Dark10>(rules);
             return classic<draughts::All8>(rules);
         }},
        {"paris",
         []() -> Made {
             const std::vector<double> weights(draughts::ParisWeights.begin(), draughts::ParisWeights.end());
             return std::make_unique<LinearEvaluator<Draughts>>("paris", feature_sets().front(), weights,
                                                                Calibration{60, 90});
         }},
    };
    if (const auto weights = draughts::nnue_of(rules->name))
        all.insert(all.begin(), {"nnue", [rules, weights]() -> Made {
                                     return std::make_unique<NnueEvaluator<Draughts>>(
                                         "nnue", std::make_shared<const NnueInputs<Draughts>>(rules), weights());
                                 }});
    return all;
}

// A compulsory capture is searched at the leaves anyway, so it earns no depth; what moves answer which tells little
// (docs/results/search.md).
Tunables tunables(Rules rules) {
    Tunables suited;
    suited.forcing_extension = 0;
    suited.continuation_history = 0;
    suited.previous_move_history = 0;
    suited.counter_moves = 0;
    suited.moves_expected = 24;
    suited.singular = rules->board->size > 8;  // pays on the large board only
    if (rules->name == "international") {
        suited.aspiration_window = 17;
        suited.reverse_futility_margin = 58;
        suited.lmr_base = 66;
        suited.lmr_slope = 48;
        suited.lmr_history = 6242;
        suited.futility_base = 92;
        suited.futility_margin = 105;
        suited.history_slope = 119;
        suited.history_most = 2073;
    }
    return suited;
}

void add_variant(Registry& registry, Rules rules) {
    add_game<Draughts>(registry,
                       {.name = std::string(rules->name),
                        .title = std::string(rules->title),
                        .family = "draughts",
                        .record_format = "pdn",
                        .game_type = rules->game_type,
                        .two_point_win = rules->two_point_win},
                       rules,
                       std::make_shared<const GameSettings<Draughts>>(GameSettings<Draughts>{
                           .evaluations = evaluations(rules),
                           .features = feature_sets(),
                           .tunables = tunables(rules),
                       }));
}

}  // namespace

void add_draughts(Registry& registry) {
#define DAMIER_ADD(R) add_variant(registry, draughts::R);
    DAMIER_DRAUGHTS(DAMIER_ADD)
#undef DAMIER_ADD
}

}  // namespace damier
