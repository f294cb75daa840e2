// The tree a search walked, as columns: one row per visit, parents before children, each family in order.
// At most `cap` rows are kept. When they run out the deepest level makes room for shallower visits, so that every level
// but the last is whole; every visit that is not kept is counted at its nearest ancestor that is.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "damier/eval/score.h"
#include "damier/game/move.h"

namespace damier::textbook {

// Why a visit ended.
enum class Why : std::uint8_t { Searched, Leaf, Cut, Table, Terminal, Research, Stopped };
inline constexpr std::array<std::string_view, 7> WhyNames = {"searched", "leaf",      "cut",    "table",
                                                             "terminal", "re-search", "stopped"};

// What led to a visit: the start of a pass, a move, a null move, or a move of the quiescence.
enum class Role : std::uint8_t { Root, Move, Pass, Quiet };
inline constexpr std::array<std::string_view, 4> RoleNames = {"root", "move", "null", "quiescence"};

struct Trace {
    std::vector<std::int32_t> parent;  // -1 for the start of a pass
    std::vector<std::int32_t> end;     // one past the last row below this one
    std::vector<std::uint8_t> ply;
    std::vector<std::uint8_t> depth;  // left to search
    std::vector<Move> move;           // that led here
    std::vector<std::uint16_t> code;
    std::vector<std::int16_t> alpha, beta;  // the window on arrival
    std::vector<std::int16_t> alpha_out, beta_out;
    std::vector<std::int16_t> value;  // for the side to move, like the windows
    std::vector<Why> why;
    std::vector<Role> role;
    std::vector<std::uint64_t> visits;      // nodes here and below, kept or not; in MCTS the simulations
    std::vector<std::uint64_t> unrecorded;  // nodes below that are not kept
    std::uint64_t outside = 0;              // nodes that are not kept and have no ancestor that is

    std::size_t size() const { return parent.size(); }
};

class Recorder {
  public:
    explicit Recorder(int cap) : cap_(static_cast<std::size_t>(cap)) {}

    struct Arrival {
        int ply, depth;
        Move move;
        std::uint16_t code;
        Role role;
        Score alpha, beta;
    };

    void enter(const Arrival& arrival);
    void leave(Score value, Why why, Score alpha, Score beta, std::uint64_t visits = 0);

    // The visit that ended last did not settle the matter and is made again.
    void last_was_not_enough() {
        if (last_ >= 0) trace_.why[last_] = Why::Research;
    }

    Trace finish(std::uint16_t variant) &&;

  private:
    void count_visits();
    void thin_deepest();

    Trace trace_;
    std::size_t cap_;
    std::uint8_t deepest_ = 0;        // of the rows kept
    std::uint8_t limit_ = 255;        // deeper visits are no longer kept
    std::int32_t kept_ = -1;          // the nearest row on the way from the root to here
    std::int32_t last_ = -1;          // the row of the visit that ended last
    std::vector<std::int32_t> open_;  // the way from the root to here, -1 for visits that are not kept
};

}  // namespace damier::textbook
