// An evaluation written by hand: two functions of a position that a game offers.

#pragma once

#include <string>
#include <vector>

#include "damier/eval/evaluator.h"

namespace damier {

template <Game G>
class PlainEvaluator final : public Evaluator<G> {
  public:
    using Position = typename G::Position;
    using Value = int (*)(const Position&);  // for the side to move, hundredths of a man
    using Terms = std::vector<Term> (*)(const Position&);

    PlainEvaluator(std::string name, Value value, Terms explain, Calibration calibration)
        : name_(std::move(name)), value_(value), terms_(explain), calibration_(calibration) {}

    std::string name() const override { return name_; }
    Calibration calibration() const override { return calibration_; }
    std::unique_ptr<Evaluator<G>> clone() const override { return std::make_unique<PlainEvaluator>(*this); }
    Score evaluate(const Position& pos) override { return clamp_evaluation(value_(pos)); }
    std::vector<Term> terms(const Position& pos) override { return terms_(pos); }

  private:
    std::string name_;
    Value value_;
    Terms terms_;
    Calibration calibration_;
};

}  // namespace damier
