// The options of the textbook searches, each by itself so that its effect can be seen.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "damier/eval/score.h"

namespace damier::textbook {

// From the plainest to the cleverest, and one that thinks otherwise.
enum class Algorithm : std::uint8_t { Minimax, Negamax, AlphaBeta, AlphaBetaMemory, Mtdf, Pvs, Mcts };
inline constexpr std::array<std::string_view, 7> AlgorithmNames = {
    "minimax", "negamax", "alphabeta", "alphabeta-memory", "mtdf", "pvs", "mcts"};

// In which order moves are tried; each way includes those before it.
enum class Ordering : std::uint8_t { None, Captures, Killers, History };
inline constexpr std::array<std::string_view, 4> OrderingNames = {"none", "captures", "killers", "history"};

// How MCTS judges a new position: by a random game, or by the evaluation.
enum class Leaves : std::uint8_t { Random, Evaluated };
inline constexpr std::array<std::string_view, 2> LeavesNames = {"random", "evaluated"};

struct Options {
    int depth = 3;
    bool iterative = false;  // search depth 1, 2, ... up to `depth`
    Ordering ordering = Ordering::Captures;
    int table_mb = 4;        // for the algorithms that remember; 0 for no table
    Score aspiration = 0;    // half the width of the window around the last value, 0 for a full window
    bool null_move = false;  // the only option that may change the value
    bool quiescence = false;

    int simulations = 800;  // the rest is for MCTS
    double exploration = 1.4;
    Leaves leaves = Leaves::Random;
    std::uint64_t seed = 0;
    int playout_plies = 400;  // a random game that lasts longer is judged by the evaluation

    int trace_cap = 0;  // how many nodes of the tree are recorded
};

}  // namespace damier::textbook
