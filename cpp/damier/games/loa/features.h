// Numbers about Lines of Action positions: BING's six components per side, heuristics of the five-level program.

#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "damier/eval/weights_file.h"
#include "damier/games/loa/loa.h"

namespace damier::loa {

// BING's view of one side (Helmstetter and Cazenave). Distances are Chebyshev's, to the real-valued centre of gravity.
struct BingComponents {
    double pieces = 0;
    double spread = 0;       // mean distance of the pieces
    double off_centre = 0;   // distance of the centre of gravity to the middle of the board
    double groups = 0;       // groups, a far one counting as many as it has pieces
    double connections = 0;  // pairs of neighbours, those near the centre of gravity counting more
    double blocked = 0;      // pieces far away whose way back enemies bar
};
BingComponents bing_components(const Position& pos, Side side);

// Both sides' components, White's first, who moves (White 1, Black -1) and a constant 1: the inputs of BING's network.
constexpr std::size_t BingFeatures = 14;
std::vector<std::string> bing_names();
void bing(const Position& pos, std::span<float> features);
const WeightsFile& bing_weights();  // the network that is built in

// The five-level program's heuristics, ours less theirs.
constexpr std::size_t QuadFeatures = 8;
std::vector<std::string> quads_names();
void quads(const Position& pos, std::span<float> features);

}  // namespace damier::loa
