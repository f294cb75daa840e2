// Refusing tables that do not fit, and where the phases of a game lie.

#include "damier/eval/patterns.h"

#include "damier/base/error.h"

namespace damier {

void PatternWeights::check(std::size_t expected) const {
    if (phases() == 0 || phases() > PatternMostPhases)
        throw Error("there are " + std::to_string(phases()) + " phases, expected 1 to " +
                    std::to_string(PatternMostPhases));
    if (states.size() != expected * phases())
        throw Error("the tables have " + std::to_string(states.size()) + " numbers, expected " +
                    std::to_string(expected * phases()) + " for " + std::to_string(expected) + " states");
    if (scale < 1 || scale > PatternLargestScale)
        throw Error("scale is " + std::to_string(scale) + ", expected 1 to " + std::to_string(PatternLargestScale));
}

std::vector<PatternPhase> pattern_phases(std::size_t phases, std::size_t start_pieces) {
    std::vector<PatternPhase> all(start_pieces + 1);
    for (std::size_t pieces = 0; phases > 1 && pieces <= start_pieces; ++pieces) {
        const std::size_t along = pieces * (phases - 1), low = std::min(along / start_pieces, phases - 2);
        all[pieces] = {low, static_cast<int>(along - low * start_pieces)};
    }
    return all;
}

}  // namespace damier
