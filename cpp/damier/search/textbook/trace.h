// The tree a search walked, as columns: one row a visit, parents before children, each family in order.
// At most `cap` rows are kept. When they run out the deepest level makes room for shallower visits, so that every level
// but the last is whole; every visit that is not kept is counted at its nearest ancestor that is.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
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

    template <class Do>
    void each_column(Do&& act) {
        act(parent), act(ply), act(depth), act(move), act(code), act(alpha), act(beta), act(alpha_out), act(beta_out);
        act(value), act(why), act(role), act(visits), act(unrecorded);
    }
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

    void enter(const Arrival& arrival) {
        const auto ply = static_cast<std::uint8_t>(arrival.ply);
        if (trace_.size() == cap_ && ply < deepest_) thin_deepest();
        if (trace_.size() == cap_ || ply > limit_) {
            ++(kept_ < 0 ? trace_.outside : trace_.unrecorded[kept_]);
            open_.push_back(-1);
            return;
        }
        trace_.parent.push_back(kept_);
        trace_.ply.push_back(ply);
        trace_.depth.push_back(static_cast<std::uint8_t>(arrival.depth));
        trace_.move.push_back(arrival.move);
        trace_.code.push_back(arrival.code);
        trace_.alpha.push_back(static_cast<std::int16_t>(arrival.alpha));
        trace_.beta.push_back(static_cast<std::int16_t>(arrival.beta));
        trace_.alpha_out.push_back(0), trace_.beta_out.push_back(0), trace_.value.push_back(0);
        trace_.why.push_back(Why::Stopped);
        trace_.role.push_back(arrival.role);
        trace_.visits.push_back(0), trace_.unrecorded.push_back(0);
        deepest_ = std::max(deepest_, ply);
        kept_ = static_cast<std::int32_t>(trace_.size()) - 1;
        open_.push_back(kept_);
    }

    void leave(Score value, Why why, Score alpha, Score beta, std::uint64_t visits = 0) {
        last_ = open_.back();
        open_.pop_back();
        if (last_ < 0) return;
        trace_.value[last_] = static_cast<std::int16_t>(value);
        trace_.why[last_] = why;
        trace_.alpha_out[last_] = static_cast<std::int16_t>(alpha);
        trace_.beta_out[last_] = static_cast<std::int16_t>(beta);
        trace_.visits[last_] = visits;
        kept_ = trace_.parent[last_];
    }

    // The visit that ended last did not settle the matter and is made again.
    void last_was_not_enough() {
        if (last_ >= 0) trace_.why[last_] = Why::Research;
    }

    Trace finish(std::uint16_t variant) && {
        for (Move& move : trace_.move) move.variant = variant;
        const auto rows = static_cast<std::int32_t>(trace_.size());
        trace_.end.resize(trace_.size());
        for (std::int32_t i = 0; i < rows; ++i) trace_.end[i] = i + 1;
        for (std::int32_t i = rows - 1; i >= 0; --i) {
            if (const auto parent = trace_.parent[i]; parent >= 0)
                trace_.end[parent] = std::max(trace_.end[parent], trace_.end[i]);
        }
        count_visits(rows);
        return std::move(trace_);
    }

  private:
    // Children come after their parents, so that one walk from the end adds everything up.
    void count_visits(std::int32_t rows) {
        for (std::int32_t i = rows - 1; i >= 0; --i) {
            if (trace_.visits[i] > 0) continue;  // MCTS has counted
            trace_.visits[i] = 1 + trace_.unrecorded[i];
            for (auto child = i + 1; child < trace_.end[i]; child = trace_.end[child])
                trace_.visits[i] += trace_.visits[child];
        }
    }

    // Removes the later half of the deepest level, whose rows have none below, and counts them at their parents.
    void thin_deepest() {
        auto spared = std::count(trace_.ply.begin(), trace_.ply.end(), deepest_) / 2;
        limit_ = static_cast<std::uint8_t>(deepest_ - 1);
        const bool gone = spared == 0;
        std::vector<std::int32_t> moved(trace_.size());
        std::size_t kept = 0;
        for (std::size_t i = 0; i < trace_.size(); ++i) {
            const auto parent = trace_.parent[i];
            if (trace_.ply[i] == deepest_ && spared-- <= 0) {
                trace_.unrecorded[moved[parent]] += 1 + trace_.unrecorded[i];
                moved[i] = -1;
                continue;
            }
            moved[i] = static_cast<std::int32_t>(kept);
            trace_.each_column([&](auto& column) { column[kept] = column[i]; });
            if (parent >= 0) trace_.parent[kept] = moved[parent];
            ++kept;
        }
        trace_.each_column([&](auto& column) { column.resize(kept); });
        for (auto& row : open_)
            if (row >= 0) row = moved[row];
        if (kept_ >= 0) kept_ = moved[kept_];
        if (gone) --deepest_;
    }

    Trace trace_;
    std::size_t cap_;
    std::uint8_t deepest_ = 0;        // of the rows kept
    std::uint8_t limit_ = 255;        // deeper visits are no longer kept
    std::int32_t kept_ = -1;          // the nearest row on the way from the root to here
    std::int32_t last_ = -1;          // the row of the visit that ended last
    std::vector<std::int32_t> open_;  // the way from the root to here, -1 for visits that are not kept
};

}  // namespace damier::textbook
