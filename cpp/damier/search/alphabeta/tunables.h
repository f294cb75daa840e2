// The switches and margins of the search: one line each, with default and bounds. A game states the values that differ.
// Margins are in hundredths of a man. What each technique is worth, game by game: docs/results/search.md.

#pragma once

#include <string_view>
#include <vector>

#include "damier/base/error.h"

//  DO(name, default, least, most, what it is)
#define DAMIER_TUNABLES(DO)                                                                           \
    DO(aspiration, 1, 0, 1, "search a narrow window around the last score first")                     \
    DO(null_move, 1, 0, 1, "a side that stays good after passing is good")                            \
    DO(reverse_futility, 1, 0, 1, "far above the window near the leaves: stop")                       \
    DO(capture_threats, 1, 0, 1, "no reverse futility if the other side threatens a capture")         \
    DO(razoring, 0, 0, 1, "far below the window near the leaves: only look at tactics")               \
    DO(iir, 1, 0, 1, "search shallower if the table has no move")                                     \
    DO(lmr, 1, 0, 1, "search late moves shallower first")                                             \
    DO(late_move_pruning, 1, 0, 1, "near the leaves, skip late quiet moves")                          \
    DO(futility, 1, 0, 1, "near the leaves, skip quiet moves that cannot reach the window")           \
    DO(exchange_pruning, 1, 0, 1, "skip moves that lose material by exchange")                        \
    DO(singular, 1, 0, 1, "search the only good move deeper")                                         \
    DO(multi_cut, 1, 0, 1, "stop if another move than the best one reaches beta as well")             \
    DO(forcing_extension, 1, 0, 1, "search moves that force the other side deeper")                   \
    DO(single_reply_extension, 0, 0, 1, "search deeper if there is only one legal move")              \
    DO(winning_moves, 1, 0, 1, "a move that wins at once is not searched")                            \
    DO(threat_extension, 1, 0, 1, "search deeper, and prune nothing, if a win is threatened")         \
    DO(tactics_first, 1, 0, 1, "try captures before quiet moves")                                     \
    DO(quiescence_tactics, 1, 0, 1, "follow captures at the leaves")                                  \
    DO(spare_forcing, 1, 0, 1, "futility skips no move that forces an answer")                        \
    DO(killers, 1, 0, 1, "first try moves that refuted a sibling")                                    \
    DO(counter_moves, 1, 0, 1, "first try the move that last refuted the previous one")               \
    DO(history, 1, 0, 1, "first try moves that were often good")                                      \
    DO(continuation_history, 1, 0, 1, "first try moves that were good after the previous moves")      \
    DO(previous_move_history, 1, 0, 1, "first try moves, too, to which every reply failed low")       \
    DO(evaluation_history, 0, 0, 1, "first try moves, too, after which the evaluation rose")          \
    DO(aspiration_window, 16, 1, 1000, "half the first window")                                       \
    DO(aspiration_depth, 5, 1, 100, "the minimum depth at which the first window is narrow")          \
    DO(null_depth, 3, 1, 10, "the minimum depth at which to pass")                                    \
    DO(null_reduction, 4, 1, 8, "plies of reduction after a pass, besides a third of the depth")      \
    DO(null_margin, 20, 0, 1000, "how far below beta the evaluation may be to pass, per ply")         \
    DO(null_evaluation, 200, 1, 10000, "how far above beta the evaluation is for one more ply")       \
    DO(reverse_futility_depth, 8, 0, 20, "the maximum depth of reverse futility")                     \
    DO(reverse_futility_margin, 70, 1, 1000, "the margin of reverse futility per ply")                \
    DO(razoring_depth, 3, 0, 10, "the maximum depth of razoring")                                     \
    DO(razoring_margin, 220, 1, 2000, "the margin of razoring per ply")                               \
    DO(iir_depth, 4, 1, 100, "the minimum depth of internal iterative reduction")                     \
    DO(lmr_base, 70, -200, 400, "hundredths of a ply reduced from every late move")                   \
    DO(lmr_slope, 45, 0, 200, "hundredths of ln(depth) * ln(move number)")                            \
    DO(lmr_history, 6000, 500, 50000, "history that means one ply less of reduction")                 \
    DO(lmr_depth, 3, 1, 100, "the minimum depth of late move reductions")                             \
    DO(lmr_moves, 2, 1, 100, "moves searched to the full depth, one more in the principal variation") \
    DO(late_move_base, 3, 0, 50, "quiet moves kept at depth 0")                                       \
    DO(late_move_depth, 8, 0, 20, "the maximum depth of late move pruning")                           \
    DO(futility_depth, 8, 0, 20, "the maximum depth of futility pruning")                             \
    DO(futility_base, 80, 0, 2000, "the margin of futility pruning at depth 0")                       \
    DO(futility_margin, 90, 0, 1000, "growth of the margin of futility pruning per ply")              \
    DO(delta_margin, 180, 0, 2000, "how far a capture at the leaves may miss the window")             \
    DO(singular_depth, 7, 4, 20, "the minimum depth of singular extensions")                          \
    DO(singular_margin, 2, 0, 100, "how far below the table's score other moves must fail, per ply")  \
    DO(double_margin, 20, 0, 1000, "how far below that they must fail for an extension of two plies") \
    DO(capture_exchange_margin, 90, 0, 1000, "what a capture may lose per ply")                       \
    DO(quiet_exchange_margin, 50, 0, 1000, "what a quiet move may lose per ply")                      \
    DO(exchange_depth, 8, 0, 20, "the maximum depth of pruning by exchange")                          \
    DO(moves_expected, 40, 5, 200, "moves that a game on the clock is expected to last from now on")  \
    DO(history_square, 16, 0, 1000, "history of a cut, by the square of its depth")                   \
    DO(history_slope, 128, 0, 10000, "history of a cut, by its depth")                                \
    DO(history_most, 2400, 1, 8192, "the maximum history of a cut")                                   \
    DO(evaluation_weight, 6, 0, 1000, "history of a move, by what it adds to the evaluation")         \
    DO(evaluation_most, 1200, 1, 8192, "the maximum of that history")

namespace damier {

struct Tunables {
#define DAMIER_FIELD(name, value, least, most, about) int name = value;
    DAMIER_TUNABLES(DAMIER_FIELD)
#undef DAMIER_FIELD

    // Sets a field by name; throws Error for an unknown name or a value out of bounds.
    void set(std::string_view field, long long value);
};

struct TunableInfo {
    std::string_view name;
    int value;
    int least;
    int most;
    std::string_view about;
};

// Every tunable, with the value it has in `tunables`.
std::vector<TunableInfo> describe(const Tunables& tunables);

}  // namespace damier
