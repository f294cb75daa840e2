// An evaluation that asks a function, such as one written in Python. Slow; for teaching and trying.

#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "damier/eval/features.h"
#include "damier/search/evaluator.h"

namespace damier {

// What is asked must not stop a search half way: the first failure is kept, and from then on everything is worth 0.
class Failure {
  public:
    bool happened() const { return happened_.load(std::memory_order_relaxed); }
    void keep(std::exception_ptr error) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::move(error);
        happened_ = true;
    }
    void rethrow() {
        std::exception_ptr error;
        {
            const std::lock_guard lock(mutex_);
            std::swap(error, error_);
            happened_ = false;
        }
        if (error) std::rethrow_exception(error);
    }

  private:
    std::atomic<bool> happened_ = false;
    std::mutex mutex_;
    std::exception_ptr error_;
};

template <Game G>
class CalledEvaluator final : public Evaluator<G> {
  public:
    using Position = typename G::Position;
    using Value = std::function<double(const Position&)>;  // for the side to move; called from any thread

    CalledEvaluator(std::string name, Value value) : name_(std::move(name)), value_(std::move(value)) {}

    std::string name() const override { return name_; }
    std::unique_ptr<Evaluator<G>> clone() const override { return std::make_unique<CalledEvaluator>(*this); }
    Score evaluate(const Position& pos) override { return rounded_score(value_of(pos)); }
    std::vector<Term> terms(const Position& pos) override {
        const double worth = value_of(pos);
        if (pos.turn() == Side::White) return {{name_, worth, 0, worth}};
        return {{name_, 0, worth, -worth}};
    }
    void rethrow() override { failure_->rethrow(); }

  private:
    double value_of(const Position& pos) {
        if (failure_->happened()) return 0;
        try {
            return value_(pos);
        } catch (...) {
            failure_->keep(std::current_exception());
            return 0;
        }
    }

    std::string name_;
    Value value_;
    std::shared_ptr<Failure> failure_ = std::make_shared<Failure>();  // shared with the clones
};

}  // namespace damier
