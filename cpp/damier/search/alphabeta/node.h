// What a search asks of one node, and what each ply remembers while the search is below it.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "damier/eval/score.h"

namespace damier {

// A node to be searched: how deep, within which window, and what is expected of it. Children are seen by the other
// side, so their windows are turned round.
struct Node {
    int depth;
    Score alpha;
    Score beta;
    int ply;
    bool cut;  // expected to fail high
    bool pv;   // the window is open: the value matters, not only on which side of it it lies

    constexpr Node(int depth_, Score alpha_, Score beta_, int ply_, bool cut_)
        : depth(depth_), alpha(alpha_), beta(beta_), ply(ply_), cut(cut_), pv(beta_ - alpha_ > 1) {}

    Node full_window(int deep, bool child_cut) const { return {deep, -beta, -alpha, ply + 1, child_cut}; }
    Node zero_window(int deep, bool child_cut) const { return {deep, -alpha - 1, -alpha, ply + 1, child_cut}; }

    // Mate distance pruning: no line from here can be better than a win at the next ply, nor worse than a loss now.
    void clip_to_mate_distance() {
        alpha = std::max(alpha, loss_in(ply));
        beta = std::min(beta, win_in(ply + 1));
        pv = beta - alpha > 1;
    }
};

// What statistics know a move by.
struct MoveOutline {
    std::uint16_t code = 0;  // 0 for none
    int shape = -1;          // -1 for none
};

// What a ply of the present line remembers.
template <class Move>
struct StackEntry {
    Score evaluation = NoScore;
    bool improving = false;  // the evaluation has risen since our last move
    bool quiet = true;       // is_quiet of the position
    bool tactical = false;   // the move being searched is
    bool null_move = false;  // the move being searched is a null move
    bool has_excluded = false;
    Move excluded{};     // left out to see how good the other moves are
    MoveOutline move{};  // the one being searched
    std::array<std::uint16_t, 2> killers{};
};

// The principal variation below a node.
template <class Move>
struct Line {
    std::array<Move, MaxPly + 1> moves;
    int size = 0;

    void set(Move first, const Line& rest) {
        moves[0] = first;
        std::copy_n(rest.moves.begin(), rest.size, moves.begin() + 1);
        size = rest.size + 1;
    }
};

}  // namespace damier
