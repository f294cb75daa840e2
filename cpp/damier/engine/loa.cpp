// Lines of Action enters the registry: four sizes, four rule sets, and single articles by choice.

#include "damier/games/loa/loa.h"
#include "damier/engine/game_variant.h"
#include "damier/eval/plain.h"
#include "damier/eval/tapered_evaluator.h"
#include "damier/games/loa/classic.h"
#include "damier/games/loa/evaluation.h"
#include "damier/games/loa/features.h"

namespace damier {

namespace {

using loa::NoMove;
using loa::Rules;
using loa::Simultaneous;
using Made = std::unique_ptr<Evaluator<Loa>>;

const std::vector<FeatureSet<Loa>>& feature_sets() {
    static const std::vector<FeatureSet<Loa>> all = {
        {"bing", loa::bing_names(), loa::bing, true},
        {"quads", loa::quads_names(), loa::quads},
    };
    return all;
}

Made linear(const char* name, std::string_view features, const std::vector<double>& weights) {
    return std::make_unique<LinearEvaluator<Loa>>(name, item_named(feature_sets(), features, "a feature set"), weights,
                                                  Calibration{0, 120});
}

// BING's components weighed by hand, as the program was before its network learnt: White's, Black's, turn and bias.
const std::vector<double> BingByHand = {12,  -60, -14, -16, 3,  -12,  //
                                        -12, 60,  14,  16,  -3, 12,   //
                                        15,  0};

// The five-level program's heuristics by hand.
const std::vector<double> QuadsByHand = {-25, 4, 6, -6, -1, -3, 2, -10};

std::vector<NamedEvaluation<Loa>> evaluations(const Rules& rules) {
    std::vector<NamedEvaluation<Loa>> all = {
        {"classic",
         []() -> Made {
             return std::make_unique<TaperedEvaluator<Loa, loa::Classic>>("classic", loa::classic_weights());
         }},
        {"bing-linear", [] { return linear("bing-linear", "bing", BingByHand); }},
        {"bing",
         []() -> Made {
             const auto& file = loa::bing_weights();
             return std::make_unique<NetworkEvaluator<Loa>>("bing", item_named(feature_sets(), "bing", "a feature set"),
                                                            file.layers(), file.scale(), file.calibration());
         }},
        {"quads", [] { return linear("quads", "quads", QuadsByHand); }},
        {"material",
         []() -> Made {
             return std::make_unique<PlainEvaluator<Loa>>("material", loa::material, loa::material_terms,
                                                          Calibration{});
         }},
    };
    if (rules.size == 8)
        all.insert(all.begin(), {"nnue", [rules]() -> Made {
                                     return std::make_unique<NnueEvaluator<Loa>>(
                                         "nnue", std::make_shared<const NnueInputs<Loa>>(rules), loa::nnue_weights());
                                 }});
    return all;
}

// A capture is a move like others in Lines of Action, and a late quiet move is often the connecting one
// (docs/results/search.md).
Tunables tunables() {
    Tunables suited;
    suited.tactics_first = 0;
    suited.late_move_pruning = 0;
    suited.moves_expected = 16;  // games are short
    suited.aspiration_window = 13;
    suited.null_margin = 19;
    suited.null_evaluation = 168;
    suited.reverse_futility_margin = 13;
    suited.lmr_base = 68;
    suited.lmr_slope = 71;
    suited.lmr_history = 5810;
    suited.futility_base = 99;
    suited.futility_margin = 96;
    suited.delta_margin = 154;
    suited.history_square = 17;
    suited.history_slope = 139;
    suited.history_most = 2406;
    return suited;
}

Articles articles(const Rules& rules) {
    return {{"simultaneous", rules.simultaneous == Simultaneous::Draws ? "draws" : "mover wins"},
            {"no_move", rules.no_move == NoMove::Passes ? "passes" : "loses"},
            {"repetition", std::to_string(rules.repetition)}};
}

// Is it the second of two choices?
bool second(const std::string& article, const std::string& given, const char* one, const char* other) {
    if (given != one && given != other)
        throw Error(article + " is " + shown(given) + ", expected " + one + " or " + other);
    return given == other;
}

Rules choose(Rules rules, const Articles& chosen) {
    for (const auto& [article, given] : chosen) {
        if (article == "simultaneous") {
            rules.simultaneous =
                second(article, given, "mover wins", "draws") ? Simultaneous::Draws : Simultaneous::MoverWins;
        } else if (article == "no_move") {
            rules.no_move = second(article, given, "loses", "passes") ? NoMove::Passes : NoMove::Loses;
        } else if (article == "repetition") {
            rules.repetition = second(article, given, "2", "3") ? 3 : 2;
        } else {
            throw Error(shown(article) +
                        " is not an article of Lines of Action, expected simultaneous, no_move or "
                        "repetition");
        }
    }
    return rules;
}

struct NamedRules {
    const char* suffix;
    const char* title;
};
constexpr NamedRules Sets[] = {{"", ""},
                               {":olympiad", ", Computer Olympiad rules"},
                               {":openspiel", ", OpenSpiel rules"},
                               {":bing", ", rules of the program BING"}};

}  // namespace

void add_loa(Registry& registry) {
    const auto add = [&](const std::string& board, const std::string& size, const NamedRules& set) {
        const std::string name = board + set.suffix;
        const Rules rules = *loa::rules_named(name);
        add_game<Loa>(registry,
                      {.name = name,
                       .title = "Lines of Action" + size + set.title,
                       .family = "loa",
                       .squares_of = name == board ? "" : board,
                       .listed = name == board || board == "loa",
                       .record_format = "sgf"},
                      rules,
                      std::make_shared<const GameSettings<Loa>>(GameSettings<Loa>{
                          .evaluations = evaluations(rules),
                          .features = feature_sets(),
                          .tunables = tunables(),
                          .articles = articles,
                          .choose = choose,
                      }));
    };
    add("loa", "", Sets[0]);
    for (const char* side : {"5", "6", "7"})
        add(std::string("loa") + side, std::string(", ") + side + "x" + side, Sets[0]);
    for (const auto& set : {Sets[1], Sets[2], Sets[3]}) {
        add("loa", "", set);
        for (const char* side : {"5", "6", "7"})
            add(std::string("loa") + side, std::string(", ") + side + "x" + side, set);
    }
}

}  // namespace damier
