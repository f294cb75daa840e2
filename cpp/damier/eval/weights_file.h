// Weights of evaluations as files: safetensors whose metadata say which game, which features and what shape they are
// for. `sha256` among the metadata is the digest of the whole file with zeros in place of the digest itself, so that no
// byte can change unnoticed. docs/evaluation.md lists the metadata.

#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/safetensors.h"
#include "damier/eval/evaluator.h"
#include "damier/eval/network.h"
#include "damier/eval/nnue.h"
#include "damier/eval/patterns.h"
#include "damier/eval/tapered.h"

namespace damier {

class WeightsFile {
  public:
    enum class Kind {
        Tapered,
        Linear,
        Network,
        Nnue,         // an efficiently updated network
        Patterns,     // tables over regions of squares
        Moves,        // a network over boards before and after a move, which no search can ask
        Neighbours,   // boards or moves and what they are worth
        PolicyValue,  // a network for tree searches
        Checkpoint,   // a training under way
    };

    // Throws Error when the bytes are damaged or something else.
    explicit WeightsFile(std::string bytes);
    static WeightsFile load(const std::string& path);

    const Safetensors& tensors() const { return held_; }
    std::string_view bytes(const Tensor& tensor) const;

    Kind kind() const { return kind_; }
    const std::string& text(std::string_view key) const;  // one of the metadata; throws Error when it is not there
    Calibration calibration() const;

    // Errors unless the file is for games of this family, or for these features of theirs.
    void check_family(std::string_view family) const;
    void check_features(std::span<const std::string> names) const;

    // What the file holds, by kind; Error when names, types or shapes differ from what is expected.
    std::vector<Worth> worths(std::span<const FeatureGroup> groups) const;
    std::vector<double> linear(std::size_t features) const;
    std::vector<DenseLayer> layers() const;
    NnueWeights nnue() const;
    PatternWeights patterns(std::size_t states) const;
    double scale() const;
    bool looks_from_both_sides() const;

    // The digest that a file should have whose own begins at that byte.
    static std::string digest(std::string_view bytes, std::size_t begin);
    static constexpr std::size_t DigestSize = 64;

  private:
    void check_digest() const;
    Kind read_kind() const;
    int whole_scale(int largest) const;
    std::vector<double> numbers(std::string_view key, std::size_t count) const;
    const Tensor& tensor(std::string_view name, ElementType type) const;
    void check_shape(const Tensor& tensor, const std::vector<std::size_t>& shape) const;
    void check_count(std::size_t expected) const;
    template <class T>
    std::vector<T> values(const Tensor& tensor) const;

    std::string bytes_;
    Safetensors held_;
    Kind kind_{};
};

// Tells features of the same name apart: the first digits of the digest of what each of them is called.
std::string features_digest(std::span<const std::string> names);

// Calls `read` and puts the path before what it complains of.
template <class Read>
auto in_file(const std::string& path, Read read) {
    try {
        return read();
    } catch (const Error& error) {
        throw Error(escaped(path) + ": " + error.what());
    }
}

// Is it the path of a file rather than the name of an evaluation? Names have neither dots nor slashes.
bool is_weights_path(std::string_view text);

}  // namespace damier
