// The door to judging: features, weights and evaluations of a game for callers that learn only at run time which it is.

#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "damier/engine/evaluations.h"
#include "damier/eval/linear.h"
#include "damier/eval/network.h"
#include "damier/eval/samples.h"

namespace damier {

class Judge {
  public:
    virtual ~Judge() = default;

    virtual std::vector<std::string> feature_sets() const = 0;
    virtual std::vector<std::string> feature_names(std::string_view set) const = 0;
    virtual std::vector<float> features(std::string_view set) const = 0;  // of the board's position

    virtual std::shared_ptr<AnyEvaluator> linear(std::string name, std::string_view set, std::vector<double> weights,
                                                 Calibration calibration) const = 0;
    virtual std::shared_ptr<AnyEvaluator> network(std::string name, std::string_view set,
                                                  std::vector<DenseLayer> layers, double scale,
                                                  Calibration calibration) const = 0;

    // For evaluations that are sums of weighted features; an Error for others.
    virtual std::vector<FeatureGroup> groups(const AnyEvaluator& evaluator) const = 0;
    virtual std::vector<Worth> weights(const AnyEvaluator& evaluator) const = 0;
    virtual std::shared_ptr<AnyEvaluator> with_weights(const AnyEvaluator& evaluator,
                                                       std::span<const Worth> weights) const = 0;
    virtual Samples sample(AnyEvaluator& evaluator, const PlayedGames& games, const Selection& selection,
                           const std::atomic<bool>& stop) const = 0;  // games that began where the board's did
};

template <Game G>
class GameJudge final : public Judge {
  public:
    using Position = typename G::Position;

    GameJudge(const typename G::Rules& rules, const Position& start, const Position& now)
        : rules_(rules), start_(start), now_(now) {}

    std::vector<std::string> feature_sets() const override {
        std::vector<std::string> names;
        for (const auto& set : damier::feature_sets<G>()) names.emplace_back(set.name);
        return names;
    }
    std::vector<std::string> feature_names(std::string_view set) const override { return named(set).names; }
    std::vector<float> features(std::string_view set) const override {
        std::vector<float> values(named(set).size());
        named(set).compute(now_, values);
        return values;
    }

    std::shared_ptr<AnyEvaluator> linear(std::string name, std::string_view set, std::vector<double> weights,
                                         Calibration calibration) const override {
        check(calibration);
        return made_for<G>(
            rules_, std::make_unique<LinearEvaluator<G>>(std::move(name), named(set), std::move(weights), calibration));
    }
    std::shared_ptr<AnyEvaluator> network(std::string name, std::string_view set, std::vector<DenseLayer> layers,
                                          double scale, Calibration calibration) const override {
        check(calibration);
        return made_for<G>(rules_, std::make_unique<NetworkEvaluator<G>>(std::move(name), named(set), std::move(layers),
                                                                         scale, calibration));
    }

    std::vector<FeatureGroup> groups(const AnyEvaluator& evaluator) const override {
        const auto groups = tunable(evaluator).groups();
        return {groups.begin(), groups.end()};
    }
    std::vector<Worth> weights(const AnyEvaluator& evaluator) const override {
        const auto weights = tunable(evaluator).weights();
        return {weights.begin(), weights.end()};
    }
    std::shared_ptr<AnyEvaluator> with_weights(const AnyEvaluator& evaluator,
                                               std::span<const Worth> weights) const override {
        return made_for<G>(rules_, tunable(evaluator).with_weights(weights));
    }
    Samples sample(AnyEvaluator& evaluator, const PlayedGames& games, const Selection& selection,
                   const std::atomic<bool>& stop) const override {
        const auto own = tunable(evaluator).with_weights(tunable(evaluator).weights());  // caches are not shared
        return sample_games<G>(start_, dynamic_cast<Tunable<G>&>(*own), games, selection, stop);
    }

  private:
    static void check(Calibration calibration) {
        if (!std::isfinite(calibration.margin) || !std::isfinite(calibration.spread) || calibration.spread <= 0)
            throw Error("calibration is (" + std::to_string(calibration.margin) + ", " +
                        std::to_string(calibration.spread) + "), expected two numbers, the second above 0");
    }
    static const FeatureSet<G>& named(std::string_view set) {
        return item_named(damier::feature_sets<G>(), set, "feature set");
    }
    const Tunable<G>& tunable(const AnyEvaluator& evaluator) const {
        const auto* of_this_game = dynamic_cast<const Evaluator<G>*>(&evaluator);
        const auto* fitting = dynamic_cast<const Tunable<G>*>(&evaluator);
        if (of_this_game && fitting && of_this_game->fits(rules_)) return *fitting;
        throw Error("evaluation " + shown(evaluator.name()) + " is no sum of weighted features of this game");
    }

    typename G::Rules rules_;
    Position start_, now_;
};

}  // namespace damier
