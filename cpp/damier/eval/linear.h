// An evaluation that is a weighted sum of a game's features, with weights from anywhere.

#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "damier/base/error.h"
#include "damier/eval/evaluator.h"
#include "damier/eval/features.h"

namespace damier {

template <Game G>
class LinearEvaluator final : public Evaluator<G> {
  public:
    using Position = typename G::Position;

    LinearEvaluator(std::string name, const FeatureSet<G>& features, std::vector<double> weights,
                    Calibration calibration = {})
        : name_(std::move(name)),
          features_(&features),
          weights_(std::move(weights)),
          values_(features.size()),
          calibration_(calibration) {
        if (weights_.size() != features.size())
            throw Error("features " + std::string(features.name) + " need " + std::to_string(features.size()) +
                        " weights, got " + std::to_string(weights_.size()));
        double largest = 0;
        for (const double weight : weights_) {
            if (!std::isfinite(weight)) throw Error("a weight of " + name_ + " is not a finite number");
            largest += std::abs(weight) * LargestFeature;
        }
        if (!std::isfinite(largest)) throw Error("the weights of " + name_ + " are too large: their sum may overflow");
    }

    std::string name() const override { return name_; }
    Calibration calibration() const override { return calibration_; }
    std::unique_ptr<Evaluator<G>> clone() const override { return std::make_unique<LinearEvaluator>(*this); }

    Score evaluate(const Position& pos) override {
        features_->compute(pos, values_);
        double sum = 0;
        for (std::size_t i = 0; i < values_.size(); ++i) sum += weights_[i] * static_cast<double>(values_[i]);
        return features_->sign(pos) * rounded_score(sum);
    }

    // What each feature adds, in the column of its side; a difference has only a total.
    std::vector<Term> terms(const Position& pos) override {
        features_->compute(pos, values_);
        const bool for_white = features_->by_white || pos.turn() == Side::White;
        std::vector<Term> terms;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const double seen = weights_[i] * static_cast<double>(values_[i]);
            const double worth = (for_white ? seen : -seen) + 0.0;  // to White; no -0 for people
            const FeatureOwner owner = owner_of(features_->names[i]);
            const auto same = [&](const Term& term) { return term.name == owner.term; };
            auto term = std::find_if(terms.begin(), terms.end(), same);
            if (term == terms.end()) term = terms.insert(terms.end(), Term{std::string(owner.term)});
            if (const auto side = owner.side(pos.turn())) {
                auto& column = *side == Side::White ? term->white : term->black;
                column = column.value_or(0) + (*side == Side::White ? worth : 0.0 - worth);
            }
            term->total += worth;
        }
        return terms;
    }

  private:
    std::string name_;
    const FeatureSet<G>* features_;  // of the game's list, which lives as long as the program
    std::vector<double> weights_;
    std::vector<float> values_;
    Calibration calibration_;
};

}  // namespace damier
