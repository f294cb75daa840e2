// Scores, always for the side to move: hundredths of a man, with wins and losses counted in plies at the far ends.

#pragma once

#include <cassert>
#include <cstdint>

#include "damier/game/result.h"

namespace damier {

using Score = int;

constexpr int MaxPly = 200;                  // the deepest line a search follows
constexpr Score Win = 32000;                 // won here and now
constexpr Score SureWin = Win - 2 * MaxPly;  // every win proven by a line scores at least this
constexpr Score KnownWin = SureWin - 1;      // won, in a number of plies that nobody knows; every evaluation is less
constexpr Score Infinite = Win + 1;
constexpr Score NoScore = Win + 2;

constexpr Score win_in(int plies) { return Win - plies; }
constexpr Score loss_in(int plies) { return plies - Win; }
constexpr bool is_win(Score score) { return score >= SureWin; }
constexpr bool is_loss(Score score) { return score <= -SureWin; }
constexpr bool is_sure(Score score) { return is_win(score) || is_loss(score); }
// Won or lost, in a known number of plies or not: no evaluation.
constexpr bool is_decisive(Score score) { return score >= KnownWin || score <= -KnownWin; }

// In files of games: the score of a move that was not searched.
constexpr std::int16_t NotSearched = INT16_MIN;

// Plies to the end of a proven win (positive) or loss (negative or zero).
constexpr int plies_to_end(Score score) {
    assert(is_sure(score));
    return score > 0 ? Win - score : -(Win + score);
}

// The score of a finished game for the side to move, `ply` plies from the root.
constexpr Score final_score(Result result, Side turn, int ply) {
    if (result == Result::Draw) return 0;
    return result == win_for(turn) ? win_in(ply) : loss_in(ply);
}

// An evaluation never looks like a proof.
constexpr Score LargestEvaluation = KnownWin - 1;
constexpr Score clamp_evaluation(int value) {
    return value > LargestEvaluation ? LargestEvaluation : value < -LargestEvaluation ? -LargestEvaluation : value;
}

// Wins are counted from the root while searching ("in 5 plies from there") and from the position in the table ("in 2
// from here"), where the same position may stand at another distance from the root.
constexpr Score from_here(Score score, int ply) {
    return is_win(score) ? score + ply : is_loss(score) ? score - ply : score;
}
constexpr Score from_root(Score score, int ply) {
    return is_win(score) ? score - ply : is_loss(score) ? score + ply : score;
}

}  // namespace damier
