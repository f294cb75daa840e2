// Small dense networks over a game's features: an evaluation whose weights come from a file or from Python.

#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "damier/base/error.h"
#include "damier/base/text.h"
#include "damier/eval/evaluator.h"
#include "damier/eval/features.h"

namespace damier {

enum class Activation : std::uint8_t { Linear, Relu, Tanh };

inline Activation activation_named(std::string_view name) {
    if (name == "linear") return Activation::Linear;
    if (name == "relu") return Activation::Relu;
    if (name == "tanh") return Activation::Tanh;
    throw Error(shown(name) + " is not an activation, expected one of linear, relu, tanh");
}

// One dense layer: activation(weights * in + bias), weights row by row, one row an output.
struct DenseLayer {
    std::size_t inputs = 0;
    std::size_t outputs = 0;
    std::vector<float> weights;
    std::vector<float> bias;
    Activation activation = Activation::Linear;

    // The largest number it can give, or pass through on the way, for inputs up to `largest`.
    double largest_output(double largest) const {
        double most = 0;
        for (std::size_t row = 0; row < outputs; ++row) {
            double sum = std::abs(static_cast<double>(bias[row]));
            for (std::size_t i = 0; i < inputs; ++i)
                sum += std::abs(static_cast<double>(weights[row * inputs + i])) * largest;
            most = std::max(most, sum);
        }
        if (most > std::numeric_limits<float>::max()) return std::numeric_limits<double>::infinity();
        return activation == Activation::Tanh ? std::min(most, 1.0) : most;
    }
    float activated(float sum) const {
        if (activation == Activation::Relu) return sum > 0 ? sum : 0;
        return activation == Activation::Tanh ? std::tanh(sum) : sum;
    }
};

// A layer as it is computed fastest. A wide one lies column by column, so that all sums grow together, and an input of
// zero costs nothing: of squares most are empty, and a ReLU gives many.
class LayerRunner {
  public:
    explicit LayerRunner(DenseLayer layer) : layer_(std::move(layer)), by_column_(layer_.outputs >= WideOutputs) {
        if (!by_column_) return;
        std::vector<float> columns(layer_.weights.size());
        for (std::size_t row = 0; row < layer_.outputs; ++row)
            for (std::size_t i = 0; i < layer_.inputs; ++i)
                columns[i * layer_.outputs + row] = layer_.weights[row * layer_.inputs + i];
        layer_.weights = std::move(columns);
    }

    void apply(const float* in, float* out) const {
        by_column_ ? add_columns(in, out) : add_rows(in, out);
        for (std::size_t row = 0; row < layer_.outputs; ++row) out[row] = layer_.activated(out[row]);
    }

  private:
    static constexpr std::size_t WideOutputs = 8;

    void add_rows(const float* in, float* out) const {
        for (std::size_t row = 0; row < layer_.outputs; ++row) {
            float sum = layer_.bias[row];
            for (std::size_t i = 0; i < layer_.inputs; ++i) sum += layer_.weights[row * layer_.inputs + i] * in[i];
            out[row] = sum;
        }
    }
    void add_columns(const float* in, float* __restrict out) const {
        std::copy(layer_.bias.begin(), layer_.bias.end(), out);
        for (std::size_t i = 0; i < layer_.inputs; ++i) {
            const float input = in[i];
            if (input == 0) continue;
            const float* column = layer_.weights.data() + i * layer_.outputs;
            for (std::size_t row = 0; row < layer_.outputs; ++row) out[row] += column[row] * input;
        }
    }

    DenseLayer layer_;
    bool by_column_;
};

template <Game G>
class NetworkEvaluator final : public Evaluator<G> {
  public:
    using Position = typename G::Position;

    // The score is `scale` times the only output of the last layer; with `both_sides`, less that for the other side.
    NetworkEvaluator(std::string name, const FeatureSet<G>& features, std::vector<DenseLayer> layers, double scale,
                     Calibration calibration = {}, bool both_sides = false)
        : name_(std::move(name)), features_(&features), scale_(scale), calibration_(calibration) {
        check(layers);
        if (both_sides) turned_first_ = std::make_shared<const LayerRunner>(turned(layers.front()));
        std::size_t widest = features.size();
        for (const auto& layer : layers) widest = std::max(widest, layer.outputs);
        layers_ = std::make_shared<const std::vector<LayerRunner>>(std::make_move_iterator(layers.begin()),
                                                                   std::make_move_iterator(layers.end()));
        values_.resize(features.size());
        in_.resize(widest);
        out_.resize(widest);
    }

    std::string name() const override { return name_; }
    Calibration calibration() const override { return calibration_; }
    std::unique_ptr<Evaluator<G>> clone() const override { return std::make_unique<NetworkEvaluator>(*this); }

    Score evaluate(const Position& pos) override { return features_->sign(pos) * rounded_score(scale_ * output(pos)); }

    // A network does not tell the sides apart.
    std::vector<Term> terms(const Position& pos) override {
        const double seen = scale_ * output(pos);
        const bool for_white = features_->by_white || pos.turn() == Side::White;
        return {{.name = "network", .total = for_white ? seen : -seen}};
    }

  private:
    double output(const Position& pos) {
        features_->compute(pos, values_);
        const double seen = output_after(layers_->front());
        return turned_first_ ? seen - output_after(*turned_first_) : seen;
    }
    double output_after(const LayerRunner& first) {
        first.apply(values_.data(), in_.data());
        for (std::size_t i = 1; i < layers_->size(); ++i) {
            (*layers_)[i].apply(in_.data(), out_.data());
            std::swap(in_, out_);
        }
        return static_cast<double>(in_[0]);
    }

    // The first layer for the features as the other side sees them, computed from those of the side to move.
    DenseLayer turned(DenseLayer layer) const {
        const auto& places = features_->turned;
        if (places.empty())
            throw Error("network " + name_ + " looks from both sides, which features " + std::string(features_->name) +
                        " cannot");
        const auto weights = layer.weights;
        for (std::size_t row = 0; row < layer.outputs; ++row)
            for (std::size_t i = 0; i < layer.inputs; ++i)
                layer.weights[row * layer.inputs + i] = weights[row * layer.inputs + places[i]];
        return layer;
    }

    // Every layer must take what the one before it gives, the first the features, and the last give one number.
    void check(const std::vector<DenseLayer>& layers) const {
        std::size_t width = features_->size(), number = 0;
        double largest = LargestFeature;
        if (layers.empty()) throw Error("network " + name_ + " has no layers");
        for (const auto& layer : layers) {
            const bool last = ++number == layers.size();
            const auto expected =
                "[" + (last ? "1" : std::to_string(layer.outputs)) + ", " + std::to_string(width) + "]";
            if (layer.inputs != width || (last && layer.outputs != 1))
                throw Error("network " + name_ + ": layer " + std::to_string(number) + " has the shape [" +
                            std::to_string(layer.outputs) + ", " + std::to_string(layer.inputs) + "], expected " +
                            expected);
            if (layer.weights.size() != layer.inputs * layer.outputs || layer.bias.size() != layer.outputs)
                throw Error("network " + name_ + ": layer " + std::to_string(number) + " needs " +
                            std::to_string(layer.outputs) + " biases, got " + std::to_string(layer.bias.size()));
            for (const auto* values : {&layer.weights, &layer.bias})
                for (const float value : *values)
                    if (!std::isfinite(value))
                        throw Error("network " + name_ + ": layer " + std::to_string(number) +
                                    " has a weight that is not a finite number");
            width = layer.outputs;
            largest = layer.largest_output(largest);
        }
        if (!std::isfinite(scale_)) throw Error("the scale of network " + name_ + " is not a finite number");
        if (!(std::abs(scale_) * largest <= std::numeric_limits<float>::max()))
            throw Error("the weights of network " + name_ + " are too large: its output may overflow");
    }

    std::string name_;
    const FeatureSet<G>* features_;
    std::shared_ptr<const std::vector<LayerRunner>> layers_;
    std::shared_ptr<const LayerRunner> turned_first_;  // null unless it looks from both sides
    std::vector<float> values_, in_, out_;
    double scale_;
    Calibration calibration_;
};

}  // namespace damier
