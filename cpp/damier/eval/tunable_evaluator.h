// A linear evaluation with tunable weights: what a tuner asks of an evaluation that is a sum of weighted features.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "damier/eval/evaluator.h"
#include "damier/eval/tapered.h"

namespace damier {

class WeightsFile;

// The features of many positions as sparse rows: row i holds the entries from ends[i - 1] to ends[i].
// The value for White of a row is the sum of times * (start share * start worth + end share * end worth).
struct FeatureCounts {
    std::vector<std::uint16_t> features;
    std::vector<std::int16_t> times;
    std::vector<std::int64_t> ends;
    std::vector<float> start_shares, end_shares;

    void add(int feature, int n) {
        features.push_back(static_cast<std::uint16_t>(feature));
        times.push_back(static_cast<std::int16_t>(n));
    }
    void end_row(const Blend& blend) {
        ends.push_back(static_cast<std::int64_t>(features.size()));
        start_shares.push_back(static_cast<float>(blend.start) / static_cast<float>(blend.of));
        end_shares.push_back(static_cast<float>(blend.end) / static_cast<float>(blend.of));
    }
};

template <Game G>
class TunableEvaluator {
  public:
    virtual ~TunableEvaluator() = default;
    virtual std::span<const FeatureGroup> groups() const = 0;
    virtual std::span<const Worth> weights() const = 0;
    virtual std::unique_ptr<Evaluator<G>> with_weights(std::span<const Worth> weights) const = 0;
    virtual std::unique_ptr<Evaluator<G>> with_weights(std::string name, const WeightsFile& file) const = 0;
    virtual void count_features(const typename G::Position& pos, FeatureCounts& counts) = 0;  // adds one row
};

}  // namespace damier
