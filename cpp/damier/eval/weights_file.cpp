// Reading files of weights, and refusing those that do not fit.

#include "damier/eval/weights_file.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "damier/base/sha256.h"

namespace damier {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

namespace {

constexpr std::string_view Format = "damier 1";
constexpr std::uintmax_t LargestFile = std::uintmax_t{1} << 30;
constexpr int MostWorth = 10'000;  // a hundred men: beyond it sums would leave their 16 bits

}  // namespace

WeightsFile::WeightsFile(std::string bytes) : bytes_(std::move(bytes)) {
    if (bytes_.starts_with("PK\x03\x04"))
        throw Error("a numpy archive, which older versions wrote; save it again as .safetensors");
    held_ = read_safetensors(bytes_);
    if (!held_.metadata.contains("format") || !text("format").starts_with("damier "))
        throw Error("a safetensors file, but without weights for damier");
    if (text("format") != Format) throw Error("its format is " + shown(text("format")) + ", expected " + shown(Format));
    check_digest();
    kind_ = read_kind();
}

WeightsFile WeightsFile::load(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (path.find('\0') != std::string::npos || !std::filesystem::exists(status)) throw Error("no such file");
    if (!std::filesystem::is_regular_file(status)) throw Error("not a file");
    const auto size = std::filesystem::file_size(path, error);
    if (error) throw Error("cannot be read (" + error.message() + ")");
    if (size > LargestFile) throw Error("has " + std::to_string(size) + " bytes, expected at most 1 GiB");
    std::ifstream file(path, std::ios::binary);
    std::string bytes(static_cast<std::size_t>(size), '\0');
    if (!file.read(bytes.data(), static_cast<std::streamsize>(size)))
        throw Error(std::string("cannot be read (") + std::strerror(errno) + ")");
    return WeightsFile(std::move(bytes));
}

std::string_view WeightsFile::bytes(const Tensor& tensor) const {
    return std::string_view(bytes_).substr(tensor.begin, tensor.end - tensor.begin);
}

std::string WeightsFile::digest(std::string_view bytes, std::size_t begin) {
    return sha256({bytes.substr(0, begin), std::string(DigestSize, '0'), bytes.substr(begin + DigestSize)});
}

void WeightsFile::check_digest() const {
    const auto found = held_.metadata.find("sha256");
    if (found == held_.metadata.end() || found->second.value.size() != DigestSize ||
        std::string_view(bytes_).substr(found->second.begin, DigestSize) != found->second.value)
        throw Error("its metadata have no sha256 of 64 digits");
    if (digest(bytes_, found->second.begin) != found->second.value)
        throw Error("damaged: its content does not have the sha256 it was written with");
}

const std::string& WeightsFile::text(std::string_view key) const {
    const auto found = held_.metadata.find(key);
    if (found == held_.metadata.end()) throw Error("its metadata lack " + shown(key));
    return found->second.value;
}

std::vector<double> WeightsFile::numbers(std::string_view key, std::size_t count) const {
    std::vector<double> values;
    for (const auto word : words(text(key))) {
        double value = 0;
        const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || stop != word.data() + word.size() || !std::isfinite(value))
            throw Error(std::string(key) + " is " + shown(text(key)) + ", expected numbers");
        values.push_back(value);
    }
    if (values.size() != count)
        throw Error(std::string(key) + " is " + shown(text(key)) + ", expected " + std::to_string(count) +
                    (count == 1 ? " number" : " numbers"));
    return values;
}

WeightsFile::Kind WeightsFile::read_kind() const {
    const std::string& kind = text("kind");
    if (kind == "tapered") return Kind::Tapered;
    if (kind == "linear") return Kind::Linear;
    if (kind == "network") return Kind::Network;
    if (kind == "nnue") return Kind::Nnue;
    if (kind == "patterns") return Kind::Patterns;
    if (kind == "moves") return Kind::Moves;
    if (kind == "neighbours") return Kind::Neighbours;
    if (kind == "policy-value") return Kind::PolicyValue;
    if (kind == "checkpoint") return Kind::Checkpoint;
    throw Error("its kind is " + shown(kind) +
                ", expected tapered, linear, network, nnue, patterns, moves, neighbours or policy-value");
}

Calibration WeightsFile::calibration() const {
    const auto values = numbers("calibration", 2);
    if (values[1] <= 0) throw Error("calibration is " + shown(text("calibration")) + ", expected a spread above 0");
    return {values[0], values[1]};
}

void WeightsFile::check_family(std::string_view family) const {
    if (text("family") != family)
        throw Error("holds weights for " + shown(text("game")) + ", not for a game of " + std::string(family));
}

void WeightsFile::check_features(std::span<const std::string> names) const {
    if (text("features_sha256") != features_digest(names))
        throw Error("holds weights for " + shown(text("game")) + ", made for other features by the name of " +
                    shown(text("features")));
}

const Tensor& WeightsFile::tensor(std::string_view wanted, ElementType type) const {
    const Tensor* found = held_.find(wanted);
    if (!found) throw Error("has no tensor " + shown(wanted));
    if (found->type != type)
        throw Error("tensor " + shown(wanted) + " has numbers of type " + std::string(name(found->type)) +
                    ", expected " + std::string(name(type)));
    return *found;
}

void WeightsFile::check_shape(const Tensor& tensor, const std::vector<std::size_t>& shape) const {
    if (tensor.shape != shape)
        throw Error("tensor " + shown(tensor.name) + " has the shape " + shape_text(tensor.shape) + ", expected " +
                    shape_text(shape));
}

void WeightsFile::check_count(std::size_t expected) const {
    if (held_.tensors.size() != expected)
        throw Error("has " + std::to_string(held_.tensors.size()) + " tensors, expected " + std::to_string(expected));
}

template <class T>
std::vector<T> WeightsFile::values(const Tensor& tensor) const {
    const auto raw = bytes(tensor);
    std::vector<T> values(raw.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), raw.data(), raw.size());
    return values;
}

// One tensor a group, [features, 2]: worth at the start and at the end of a game.
std::vector<Worth> WeightsFile::worths(std::span<const FeatureGroup> groups) const {
    std::vector<Worth> worths;
    for (const auto& group : groups) {
        const auto& held = tensor(group.name, ElementType::I16);
        check_shape(held, {static_cast<std::size_t>(group.size), 2});
        const auto numbers = values<std::int16_t>(held);
        for (const int number : numbers)
            if (std::abs(number) > MostWorth)
                throw Error("tensor " + shown(group.name) + " has a weight of " + std::to_string(number) +
                            ", expected -" + std::to_string(MostWorth) + " to " + std::to_string(MostWorth));
        for (std::size_t i = 0; i < numbers.size(); i += 2) worths.push_back({numbers[i], numbers[i + 1]});
    }
    check_count(groups.size());
    return worths;
}

std::vector<double> WeightsFile::linear(std::size_t features) const {
    const auto& held = tensor("weights", ElementType::F64);
    check_shape(held, {features});
    check_count(1);
    return values<double>(held);
}

// Two tensors a layer, weights [outputs, inputs] and bias [outputs].
std::vector<DenseLayer> WeightsFile::layers() const {
    std::vector<DenseLayer> layers;
    for (const auto activation : words(text("activations"))) {
        const auto prefix = "layers." + std::to_string(layers.size());
        const auto& weights = tensor(prefix + ".weights", ElementType::F32);
        if (weights.shape.size() != 2)
            throw Error("tensor " + shown(weights.name) + " has the shape " + shape_text(weights.shape) +
                        ", expected [outputs, inputs]");
        const auto& bias = tensor(prefix + ".bias", ElementType::F32);
        check_shape(bias, {weights.shape[0]});
        layers.push_back({weights.shape[1], weights.shape[0], values<float>(weights), values<float>(bias),
                          activation_named(activation)});
    }
    check_count(2 * layers.size());
    return layers;
}

// Inputs [inputs, width] and their bias, outputs [buckets, twice the width] and theirs.
NnueWeights WeightsFile::nnue() const {
    const auto numbers_of = [&](const Tensor& held) {
        const auto numbers = values<std::int16_t>(held);
        return NnueNumbers(numbers.begin(), numbers.end());
    };
    const auto& inputs = tensor("inputs.weights", ElementType::I16);
    const auto& outputs = tensor("outputs.weights", ElementType::I16);
    if (inputs.shape.size() != 2 || outputs.shape.size() != 2)
        throw Error("tensor 'inputs.weights' has the shape " + shape_text(inputs.shape) +
                    " and 'outputs.weights' the shape " + shape_text(outputs.shape) +
                    ", expected [inputs, width] and [buckets, 2 * width]");
    const auto& input_bias = tensor("inputs.bias", ElementType::I16);
    const auto& output_bias = tensor("outputs.bias", ElementType::I16);
    check_shape(input_bias, {inputs.shape[1]});
    check_shape(outputs, {output_bias.shape.empty() ? 0 : output_bias.shape[0], 2 * inputs.shape[1]});
    check_shape(output_bias, {outputs.shape[0]});
    check_count(4);
    return {.inputs = numbers_of(inputs),
            .input_bias = numbers_of(input_bias),
            .outputs = numbers_of(outputs),
            .output_bias = numbers_of(output_bias),
            .scale = whole_scale(NnueLargestScale),
            .calibration = calibration()};
}

// Those of all states that are not 0: by how much the number of each is larger than that of the one before, and a row
// of one weight per phase.
PatternWeights WeightsFile::patterns(std::size_t states) const {
    const auto& steps = tensor("states", ElementType::I16);
    const auto& held = tensor("weights", ElementType::I16);
    const auto& turn = tensor("turn", ElementType::I16);
    if (steps.shape.size() != 1 || turn.shape.size() != 1)
        throw Error("tensor 'states' has the shape " + shape_text(steps.shape) + " and 'turn' the shape " +
                    shape_text(turn.shape) + ", expected [states] and [phases]");
    const std::size_t phases = turn.shape[0];
    check_shape(held, {steps.shape[0], phases});
    check_count(3);
    if (phases == 0 || phases > PatternMostPhases)
        throw Error("tensor 'turn' has the shape " + shape_text(turn.shape) + ", expected 1 to " +
                    std::to_string(PatternMostPhases) + " phases");
    const auto numbers = values<std::int16_t>(held);
    PatternWeights weights{.states = std::vector<std::int16_t>(states * phases),
                           .turn = values<std::int16_t>(turn),
                           .scale = whole_scale(PatternLargestScale),
                           .calibration = calibration()};
    std::size_t end = 0, row = 0;
    for (const int step : values<std::int16_t>(steps)) {
        if (step < 1 || end + static_cast<std::size_t>(step) > states)
            throw Error("tensor 'states' has a step of " + std::to_string(step) + " from state " + std::to_string(end) +
                        " of " + std::to_string(states));
        end += static_cast<std::size_t>(step);
        std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(row * phases), phases,
                    weights.states.begin() + static_cast<std::ptrdiff_t>((end - 1) * phases));
        ++row;
    }
    return weights;
}

int WeightsFile::whole_scale(int largest) const {
    const double scaled = scale();
    if (!(scaled >= 1 && scaled <= largest) || scaled != std::floor(scaled))
        throw Error("scale is " + shown(text("scale")) + ", expected a whole number from 1 to " +
                    std::to_string(largest));
    return static_cast<int>(scaled);
}

double WeightsFile::scale() const { return numbers("scale", 1)[0]; }

bool WeightsFile::looks_from_both_sides() const {
    if (!held_.metadata.contains("sides")) return false;
    if (text("sides") != "both") throw Error("sides is " + shown(text("sides")) + ", expected both");
    return true;
}

std::string features_digest(std::span<const std::string> names) {
    std::string joined;
    for (const auto& name : names) joined += name + "\n";
    return sha256({joined}).substr(0, 16);
}

bool is_weights_path(std::string_view text) { return text.find_first_of("./") != std::string_view::npos; }

}  // namespace damier
