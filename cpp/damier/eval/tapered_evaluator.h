// An evaluation that is a sum of weighted features (eval/tapered.h), with weights from a file or from whoever tunes it.

#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "damier/base/error.h"
#include "damier/eval/tapered.h"
#include "damier/eval/tunable_evaluator.h"
#include "damier/eval/weights_file.h"

namespace damier {

// What a game offers to be judged so: its features by group, a cache (one per thread) and the counting.
template <class T, class G>
concept TaperedTerms =
    Game<G> && requires(const typename G::Position& pos, Sum& sum, Tally& tally, typename T::Cache& cache) {
        { T::groups() } -> std::same_as<std::span<const FeatureGroup>>;
        { T::judge(pos, sum, cache) } -> std::same_as<Blend>;
        { T::judge(pos, tally, cache) } -> std::same_as<Blend>;
    };

template <Game G, TaperedTerms<G> T>
class TaperedEvaluator final : public Evaluator<G>, public TunableEvaluator<G> {
  public:
    using Position = typename G::Position;

    TaperedEvaluator(std::string name, const WeightsFile& file)
        : TaperedEvaluator(std::move(name), file.calibration(), file.worths(T::groups())) {}
    TaperedEvaluator(std::string name, Calibration calibration, std::span<const Worth> weights)
        : name_(std::move(name)), calibration_(calibration), worths_(weights.begin(), weights.end()) {
        auto packed = std::make_shared<std::vector<Packed>>();
        for (const Worth worth : weights) packed->push_back(pack(worth));
        weights_ = std::move(packed);
    }

    std::string name() const override { return name_; }
    Calibration calibration() const override { return calibration_; }
    std::unique_ptr<Evaluator<G>> clone() const override { return std::make_unique<TaperedEvaluator>(*this); }

    Score evaluate(const Position& pos) override {
        Sum sum(weights_->data());
        const int value = T::judge(pos, sum, cache_).value(sum.total());
        return clamp_evaluation(pos.turn() == Side::White ? value : -value);
    }

    std::vector<Term> terms(const Position& pos) override {
        Tally tally(weights_->data(), weights_->size());
        const Blend blend = T::judge(pos, tally, cache_);
        std::vector<Term> terms;
        for (const auto& group : T::groups()) {
            const auto same = [&](const Term& term) { return term.name == group.term; };
            if (std::none_of(terms.begin(), terms.end(), same))
                terms.push_back({std::string(group.term), 0.0, 0.0, 0.0});
            Term& term = *std::find_if(terms.begin(), terms.end(), same);
            for (int feature = group.first; feature < group.first + group.size; ++feature) {
                const Packed packed = (*weights_)[static_cast<std::size_t>(feature)];
                const double worth = double(start_of(packed) * blend.start + end_of(packed) * blend.end) / blend.of;
                *term.white += worth * tally.times(Side::White, feature);
                *term.black += worth * tally.times(Side::Black, feature);
            }
            term.total = *term.white - *term.black;
        }
        return terms;
    }

    std::span<const FeatureGroup> groups() const override { return T::groups(); }
    std::span<const Worth> weights() const override { return worths_; }
    std::unique_ptr<Evaluator<G>> with_weights(std::span<const Worth> weights) const override {
        if (weights.size() != worths_.size())
            throw Error(name_ + " has " + std::to_string(worths_.size()) + " weights, not " +
                        std::to_string(weights.size()));
        return std::make_unique<TaperedEvaluator>(name_, calibration_, weights);
    }
    std::unique_ptr<Evaluator<G>> with_weights(std::string name, const WeightsFile& file) const override {
        return std::make_unique<TaperedEvaluator>(std::move(name), file);
    }
    void count_features(const Position& pos, FeatureCounts& counts) override {
        Tally tally(weights_->data(), weights_->size());
        const Blend blend = T::judge(pos, tally, cache_);
        for (int feature = 0; feature < static_cast<int>(weights_->size()); ++feature)
            if (const int times = tally.balance(feature)) counts.add(feature, times);
        counts.end_row(blend);
    }

  private:
    std::string name_;
    Calibration calibration_;
    std::vector<Worth> worths_;
    std::shared_ptr<const std::vector<Packed>> weights_;
    [[no_unique_address]] typename T::Cache cache_{};
};

}  // namespace damier
