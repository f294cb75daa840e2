// Hand-written evaluations of chess, for the side to move, in hundredths of a pawn.

#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "damier/eval/evaluator.h"
#include "damier/games/chess/position.h"

namespace damier::chess {

constexpr std::array<int, 6> PieceValues{100, 300, 300, 500, 900, 0};

// OCAP's: piece values, and a tenth of a pawn for each rank a piece stands above its own back rank.
int ocap(const Position& pos);
std::vector<Term> ocap_terms(const Position& pos);

// What it counts, ours less theirs: pawns to queens, then ranks advanced.
std::vector<std::string> ocap_names();
void ocap_features(const Position& pos, std::span<float> features);

}  // namespace damier::chess
