// An evaluation that asks a function, such as one written in Python. Slow; for teaching and trying.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "damier/eval/evaluator.h"
#include "damier/eval/features.h"

namespace damier {

template <Game G>
class FunctionEvaluator final : public Evaluator<G> {
  public:
    using Position = typename G::Position;
    using Value = std::function<double(const Position&)>;  // for the side to move; called from any thread

    FunctionEvaluator(std::string name, Value value) : name_(std::move(name)), value_(std::move(value)) {}

    std::string name() const override { return name_; }
    std::unique_ptr<Evaluator<G>> clone() const override { return std::make_unique<FunctionEvaluator>(*this); }
    Score evaluate(const Position& pos) override { return rounded_score(value_(pos)); }
    std::vector<Term> terms(const Position& pos) override {
        const double seen = value_(pos);
        rounded_score(seen);  // which refuses what is not a number
        return {{.name = name_, .total = pos.turn() == Side::White ? seen : -seen}};
    }
    bool is_slow() const override { return true; }

  private:
    std::string name_;
    Value value_;
};

}  // namespace damier
