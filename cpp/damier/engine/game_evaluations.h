// The evaluations of one game, behind the door.

#pragma once

#include <cmath>

#include "damier/engine/evaluations.h"
#include "damier/engine/game_engine.h"
#include "damier/eval/function_evaluator.h"
#include "damier/eval/linear.h"
#include "damier/eval/squares.h"
#include "damier/eval/weights_file.h"

namespace damier {

template <Game G>
struct NamedEvaluation {
    std::string_view name;
    std::function<std::unique_ptr<Evaluator<G>>()> make;
};

// The item of a list that has the name, or an Error that says which names there are.
template <class Item>
const Item& item_named(const std::vector<Item>& items, std::string_view name, const char* what) {
    std::string known;
    for (const auto& item : items) {
        if (item.name == name) return item;
        known += (known.empty() ? "" : ", ") + std::string(item.name);
    }
    throw Error(shown(name) + " is not " + what + " of this game, expected " +
                (known.empty() ? "none" : "one of " + known));
}

template <Game G>
class GameEvaluations final : public Evaluations {
  public:
    GameEvaluations(const typename G::Rules& rules, std::string family, std::vector<NamedEvaluation<G>> evaluations,
                    std::vector<FeatureSet<G>> features)
        : rules_(rules),
          family_(std::move(family)),
          evaluations_(std::move(evaluations)),
          squares_(rules),
          inputs_(std::make_shared<const NnueInputs<G>>(rules)),
          inputs_by_king_(std::make_shared<const NnueInputs<G>>(rules, true)),
          features_(std::move(features)) {
        features_.push_back(square_features(squares_));
    }

    std::vector<std::string> names() const override {
        std::vector<std::string> names;
        for (const auto& evaluation : evaluations_) names.emplace_back(evaluation.name);
        return names;
    }
    std::shared_ptr<AnyEvaluator> make(const std::string& name_or_path) const override {
        if (is_weights_path(name_or_path)) return in_file(name_or_path, [&] { return load(name_or_path); });
        return of_these_rules(item_named(evaluations_, name_or_path, "an evaluation").make());
    }

    Score evaluate(const Board& board, AnyEvaluator& evaluator) const override {
        const auto& pos = of_this_game<G>(board, rules_).position();
        return at(pos, evaluator)->evaluate(pos);
    }
    std::vector<Term> terms(const Board& board, AnyEvaluator& evaluator) const override {
        const auto& pos = of_this_game<G>(board, rules_).position();
        return at(pos, evaluator)->terms(pos);
    }

    std::vector<std::string> feature_sets() const override {
        std::vector<std::string> names;
        for (const auto& set : features_) names.emplace_back(set.name);
        return names;
    }
    std::vector<std::string> feature_names(std::string_view set) const override { return named(set).names; }
    std::vector<std::size_t> turned_features(std::string_view set) const override { return named(set).turned; }
    std::vector<std::string> nnue_inputs(std::string_view set) const override { return nnue_named(set)->names(); }
    std::size_t king_buckets() const override { return inputs_by_king_->size() / inputs_->size(); }
    std::size_t start_pieces() const override { return inputs_->start_pieces(); }
    std::string pattern_windows(std::string_view windows) const override {
        return windows_text(pattern_inputs(windows)->windows());
    }
    std::vector<PatternTable> pattern_tables(std::string_view windows) const override {
        return pattern_inputs(windows)->tables();
    }
    std::vector<std::string> pattern_names(std::string_view windows) const override {
        return pattern_inputs(windows)->names();
    }
    std::vector<float> features(const Board& board, std::string_view set) const override {
        std::vector<float> values(named(set).size());
        named(set).compute(of_this_game<G>(board, rules_).position(), values);
        return values;
    }

    std::shared_ptr<AnyEvaluator> linear(std::string name, std::string_view set, std::vector<double> weights,
                                         Calibration calibration) const override {
        check(calibration);
        return of_these_rules<LinearEvaluator<G>>(std::move(name), named(set), std::move(weights), calibration);
    }
    std::shared_ptr<AnyEvaluator> network(std::string name, std::string_view set, std::vector<DenseLayer> layers,
                                          double scale, Calibration calibration, bool both_sides) const override {
        check(calibration);
        return of_these_rules<NetworkEvaluator<G>>(std::move(name), named(set), std::move(layers), scale, calibration,
                                                   both_sides);
    }
    std::shared_ptr<AnyEvaluator> nnue(std::string name, std::string_view set, NnueWeights weights) const override {
        check(weights.calibration);
        return of_these_rules<NnueEvaluator<G>>(std::move(name), nnue_named(set),
                                                std::make_shared<const NnueWeights>(std::move(weights)));
    }
    std::shared_ptr<AnyEvaluator> patterns(std::string name, std::string_view windows,
                                           const PatternWeights& weights) const override {
        check(weights.calibration);
        return of_these_rules<PatternEvaluator<G>>(std::move(name), pattern_inputs(windows), weights);
    }
    std::shared_ptr<AnyEvaluator> function(std::string name, const Board& like, BoardValue value) const override {
        const auto board = std::make_shared<const GameBoard<G>>(of_this_game<G>(like, rules_));
        return of_these_rules<FunctionEvaluator<G>>(std::move(name), [board, value](const auto& pos) {
            return value(board->at(Setup<typename G::Position>{pos}));
        });
    }

    std::vector<FeatureGroup> groups(const AnyEvaluator& evaluator) const override {
        const auto groups = weighted(evaluator).groups();
        return {groups.begin(), groups.end()};
    }
    std::vector<Worth> weights(const AnyEvaluator& evaluator) const override {
        const auto weights = weighted(evaluator).weights();
        return {weights.begin(), weights.end()};
    }
    std::shared_ptr<AnyEvaluator> with_weights(const AnyEvaluator& evaluator,
                                               std::span<const Worth> weights) const override {
        return of_these_rules(weighted(evaluator).with_weights(weights));
    }
    Samples sample(const Board& board, AnyEvaluator& evaluator, const PlayedGames& games, const Selection& selection,
                   const std::atomic<bool>& stop) const override {
        const auto own = weighted(evaluator).with_weights(weighted(evaluator).weights());  // caches are not shared
        const auto& start = of_this_game<G>(board, rules_).record().start().position;
        return sample_games<G>(start, dynamic_cast<TunableEvaluator<G>&>(*own), games, selection, stop);
    }

    std::unique_ptr<SampleBuffer> sample_buffer(std::optional<std::string_view> set,
                                                const SampleOptions& options) const override {
        constexpr std::string_view Patterns = "patterns", Windowed = "patterns:";
        const bool by_inputs = set && set->starts_with(Nnue), windowed = set && set->starts_with(Windowed);
        const bool by_patterns = set == Patterns || windowed;
        return std::make_unique<GameSampleBuffer<G>>(
            rules_, set && !by_inputs && !by_patterns ? &named(*set) : nullptr,
            by_inputs ? nnue_named(*set).get() : nullptr,
            by_patterns ? pattern_inputs(windowed ? set->substr(Windowed.size()) : "") : nullptr, options);
    }
    PositionRows position_rows(const PlayedGames& games, const GameStarts& starts,
                               const std::atomic<bool>& stop) const override {
        return rows_of_games<G>(rules_, squares_, games, starts, stop);
    }

  private:
    // Evaluations serve the rules they were made for, where rules make games of their own.
    std::shared_ptr<AnyEvaluator> of_these_rules(std::shared_ptr<Evaluator<G>> made) const {
        made->belong_to(rules_);
        return made;
    }
    template <class Made, class... Arguments>
    std::shared_ptr<AnyEvaluator> of_these_rules(Arguments&&... arguments) const {
        return of_these_rules(
            std::shared_ptr<Evaluator<G>>(std::make_shared<Made>(std::forward<Arguments>(arguments)...)));
    }

    // The evaluation that a file describes, known by its path.
    std::shared_ptr<AnyEvaluator> load(const std::string& path) const {
        const auto file = WeightsFile::load(path);
        file.check_family(family_);
        if (file.kind() == WeightsFile::Kind::Checkpoint)
            throw Error("it is the checkpoint of a training, expected an evaluation: learnt.safetensors, beside it");
        if (file.kind() == WeightsFile::Kind::Moves || file.kind() == WeightsFile::Kind::Neighbours)
            throw Error("it chooses moves one ply deep, expected an evaluation; play it as learnt:" + path);
        if (file.kind() == WeightsFile::Kind::PolicyValue)
            throw Error("it is a policy and value network, expected an evaluation; it plays as learnt:" + path);
        const auto& features = file.text("features");
        if (file.kind() == WeightsFile::Kind::Tapered) {
            const auto like = item_named(evaluations_, features, "an evaluation").make();
            return of_these_rules(weighted(*like).with_weights(path, file));
        }
        if (file.kind() == WeightsFile::Kind::Nnue) {
            const auto& inputs = nnue_named(features);
            file.check_features(inputs->names());
            auto made =
                std::make_unique<NnueEvaluator<G>>(path, inputs, std::make_shared<const NnueWeights>(file.nnue()));
            if constexpr (HasBareKings<G>)
                made->leave_bare_kings_to(item_named(evaluations_, "classic", "an evaluation").make());
            return of_these_rules(std::move(made));
        }
        if (file.kind() == WeightsFile::Kind::Patterns) {
            const auto inputs = pattern_inputs(file.text("windows"));
            file.check_features(inputs->names());
            return of_these_rules<PatternEvaluator<G>>(path, inputs, file.patterns(inputs->size()));
        }
        const auto& set = named(features);
        file.check_features(set.names);
        if (file.kind() == WeightsFile::Kind::Linear)
            return linear(path, set.name, file.linear(set.size()), file.calibration());
        return network(path, set.name, file.layers(), file.scale(), file.calibration(), file.looks_from_both_sides());
    }

    const std::shared_ptr<const NnueInputs<G>>& nnue_named(std::string_view set) const {
        if (set == Nnue) return inputs_;
        if (set == NnueByKing && HasKingBuckets<G>) return inputs_by_king_;
        throw Error(shown(set) + " is not a set of inputs of this game, expected " + std::string(Nnue) +
                    (HasKingBuckets<G> ? " or " + std::string(NnueByKing) : ""));
    }

    std::shared_ptr<const PatternInputs<G>> pattern_inputs(std::string_view windows) const {
        if (windows.empty()) return std::make_shared<const PatternInputs<G>>(rules_);
        return std::make_shared<const PatternInputs<G>>(rules_, read_windows(windows));
    }

    // A copy each time: another thread may be using the evaluator itself.
    std::unique_ptr<Evaluator<G>> at(const typename G::Position& pos, AnyEvaluator& evaluator) const {
        auto copy = of_this_game<G>(evaluator, rules_).clone();
        copy->on_root(pos);
        return copy;
    }
    static void check(Calibration calibration) {
        if (!std::isfinite(calibration.margin) || !std::isfinite(calibration.spread) || calibration.spread <= 0)
            throw Error("calibration is (" + std::to_string(calibration.margin) + ", " +
                        std::to_string(calibration.spread) + "), expected two numbers, the second above 0");
    }
    const FeatureSet<G>& named(std::string_view set) const { return item_named(features_, set, "a feature set"); }
    const TunableEvaluator<G>& weighted(const AnyEvaluator& evaluator) const {
        const auto* of_game = dynamic_cast<const Evaluator<G>*>(&evaluator);
        if (of_game && !of_game->fits(rules_))
            throw Error("evaluation " + shown(evaluator.name()) + " belongs to another game");
        if (const auto* fitting = dynamic_cast<const TunableEvaluator<G>*>(&evaluator)) return *fitting;
        throw Error("evaluation " + shown(evaluator.name()) + " is not a sum of weighted features of this game");
    }

    static constexpr std::string_view Nnue = "nnue", NnueByKing = "nnue:kings";

    typename G::Rules rules_;
    std::string family_;
    std::vector<NamedEvaluation<G>> evaluations_;
    Squares<G> squares_;
    std::shared_ptr<const NnueInputs<G>> inputs_, inputs_by_king_;
    std::vector<FeatureSet<G>> features_;
};

}  // namespace damier
