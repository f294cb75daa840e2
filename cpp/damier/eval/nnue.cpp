// Refusing networks whose arithmetic would not be exact.

#include "damier/eval/nnue.h"

#include <limits>

#include "damier/base/error.h"

namespace damier {

namespace {

constexpr std::size_t MostWidth = 1024, MostBuckets = 16;

void check_size(const char* what, const NnueNumbers& numbers, std::size_t expected) {
    if (numbers.size() != expected)
        throw Error(std::string(what) + " has " + std::to_string(numbers.size()) + " numbers, expected " +
                    std::to_string(expected));
}

}  // namespace

void NnueWeights::check(std::size_t expected) const {
    if (width() == 0 || width() > MostWidth || width() % NnueLanes != 0)
        throw Error("the hidden layer is " + std::to_string(width()) + " wide, expected a multiple of " +
                    std::to_string(NnueLanes) + ", at most " + std::to_string(MostWidth));
    if (buckets() == 0 || buckets() > MostBuckets)
        throw Error("there are " + std::to_string(buckets()) + " outputs, expected 1 to " +
                    std::to_string(MostBuckets));
    check_size("inputs.weights", inputs, expected * width());
    check_size("outputs.weights", outputs, 2 * width() * buckets());
    if (scale < 1 || scale > NnueLargestScale)
        throw Error("scale is " + std::to_string(scale) + ", expected 1 to " + std::to_string(NnueLargestScale));
    for (std::size_t bucket = 0; bucket < buckets(); ++bucket) {
        std::int64_t largest = 0;
        for (std::size_t i = 0; i < 2 * width(); ++i) {
            const int weight = std::abs(int{outputs[bucket * 2 * width() + i]});
            if (weight > NnueLargestOutput)
                throw Error("outputs.weights has a weight of " + std::to_string(weight) + ", expected at most " +
                            std::to_string(NnueLargestOutput));
            largest += std::int64_t{weight} * NnueOne * NnueOne;
        }
        if (largest > std::numeric_limits<std::int32_t>::max())
            throw Error("outputs.weights are too large: their sum may overflow");
    }
}

}  // namespace damier
