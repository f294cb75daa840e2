// Chess and Chess960 enter the registry.

#include "damier/games/chess/chess.h"
#include "damier/engine/game_variant.h"
#include "damier/eval/plain.h"
#include "damier/eval/tapered_evaluator.h"
#include "damier/games/chess/classic.h"
#include "damier/games/chess/evaluation.h"

namespace damier {

namespace {

using Made = std::unique_ptr<Evaluator<Chess>>;

Made classic() {
    return std::make_unique<TaperedEvaluator<Chess, chess::Classic>>("classic", chess::classic_weights());
}

Made nnue() {
    static const auto inputs = std::make_shared<const NnueInputs<Chess>>(Chess::Rules{});
    auto made = std::make_unique<NnueEvaluator<Chess>>("nnue", inputs, chess::nnue_weights());
    made->leave_bare_kings_to(classic());
    return made;
}

Made ocap() { return std::make_unique<PlainEvaluator<Chess>>("ocap", chess::ocap, chess::ocap_terms, Calibration{}); }

// As `damier tune` found them for the network (docs/results/search.md).
Tunables tunables() {
    Tunables suited;
    suited.evaluation_history = 1;
    suited.aspiration_window = 15;
    suited.null_evaluation = 211;
    suited.null_margin = 19;
    suited.reverse_futility_margin = 58;
    suited.lmr_base = 83;
    suited.lmr_slope = 51;
    suited.lmr_history = 5633;
    suited.futility_base = 75;
    suited.futility_margin = 84;
    suited.delta_margin = 206;
    suited.capture_exchange_margin = 91;
    suited.quiet_exchange_margin = 47;
    return suited;
}

}  // namespace

void add_chess(Registry& registry) {
    const auto settings = std::make_shared<const GameSettings<Chess>>(GameSettings<Chess>{
        .evaluations = {{"nnue", nnue}, {"classic", classic}, {"ocap", ocap}},
        .features = {{"ocap", chess::ocap_names(), chess::ocap_features}},
        .tunables = tunables(),
    });
    add_game<Chess>(registry, {.name = "chess", .title = "Chess", .family = "chess"}, {}, settings);
    add_game<Chess>(registry, {.name = "chess960", .title = "Chess960", .family = "chess", .squares_of = "chess"},
                    {.chess960 = true}, settings);
}

}  // namespace damier
