// Values and losses of samples, on several threads.

#include "damier/eval/samples.h"

#include <algorithm>

namespace damier {

namespace {

// Splits rows evenly and calls work(thread, first row, end row) for each part at once.
template <class Work>
void in_parts(std::size_t rows, int threads, Work work) {
    const auto parts = static_cast<std::size_t>(std::max(1, threads));
    std::vector<std::jthread> running;
    for (std::size_t part = 0; part < parts; ++part)
        running.emplace_back(work, part, rows * part / parts, rows * (part + 1) / parts);
}

class Rows {
  public:
    explicit Rows(const FeatureCounts& counts) : counts_(counts) {}

    std::size_t begin(std::size_t row) const { return row == 0 ? 0 : static_cast<std::size_t>(counts_.ends[row - 1]); }
    std::size_t end(std::size_t row) const { return static_cast<std::size_t>(counts_.ends[row]); }

    double value(std::size_t row, std::span<const double> weights) const {
        double start = 0, finish = 0;
        for (std::size_t i = begin(row); i < end(row); ++i) {
            const auto at = 2 * std::size_t{counts_.features[i]};
            start += counts_.times[i] * weights[at];
            finish += counts_.times[i] * weights[at + 1];
        }
        return start * static_cast<double>(counts_.start_shares[row]) +
               finish * static_cast<double>(counts_.end_shares[row]);
    }

    // Adds `slope` times the derivative of the row's value.
    void add_gradient(std::size_t row, double slope, std::span<double> gradient) const {
        const double start = slope * static_cast<double>(counts_.start_shares[row]);
        const double finish = slope * static_cast<double>(counts_.end_shares[row]);
        for (std::size_t i = begin(row); i < end(row); ++i) {
            const auto at = 2 * std::size_t{counts_.features[i]};
            gradient[at] += counts_.times[i] * start;
            gradient[at + 1] += counts_.times[i] * finish;
        }
    }

  private:
    const FeatureCounts& counts_;
};

}  // namespace

void Samples::extend(const Samples& other) {
    const auto shift = static_cast<std::int64_t>(rows.features.size());
    const auto append = [](auto& all, const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
    append(rows.features, other.rows.features);
    append(rows.times, other.rows.times);
    for (const auto end : other.rows.ends) rows.ends.push_back(end + shift);
    append(rows.start_shares, other.rows.start_shares);
    append(rows.end_shares, other.rows.end_shares);
    append(results, other.results);
    features = other.features;
}

std::vector<float> Samples::values(std::span<const double> weights, int threads) const {
    std::vector<float> values(size());
    const Rows all(rows);
    in_parts(size(), threads, [&](std::size_t, std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) values[row] = static_cast<float>(all.value(row, weights));
    });
    return values;
}

double Samples::loss(std::span<const double> weights, double slope, int threads, std::span<double> gradient) const {
    const auto parts = static_cast<std::size_t>(std::max(1, threads));
    std::vector<double> losses(parts);
    std::vector<std::vector<double>> gradients(parts, std::vector<double>(gradient.size()));
    const Rows all(rows);
    in_parts(size(), threads, [&](std::size_t part, std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) {
            const double logit = slope * all.value(row, weights), result = static_cast<double>(results[row]);
            const double chance = 1 / (1 + std::exp(-logit));
            // log(1 + exp(x)) without overflow
            losses[part] += std::max(logit, 0.0) + std::log1p(std::exp(-std::abs(logit))) - result * logit;
            all.add_gradient(row, slope * (chance - result), gradients[part]);
        }
    });
    const double rows_count = static_cast<double>(std::max<std::size_t>(1, size()));
    double loss = 0;
    std::fill(gradient.begin(), gradient.end(), 0.0);
    for (std::size_t part = 0; part < parts; ++part) {
        loss += losses[part];
        for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += gradients[part][i] / rows_count;
    }
    return loss / rows_count;
}

}  // namespace damier
