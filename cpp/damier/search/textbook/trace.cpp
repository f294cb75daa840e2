// Recording a tree, row by row.

#include "damier/search/textbook/trace.h"

#include <algorithm>
#include <utility>

namespace damier::textbook {

namespace {

// Does something with every column that is written on the way.
template <class Do>
void each_column(Trace& trace, Do&& act) {
    act(trace.parent), act(trace.ply), act(trace.depth), act(trace.move), act(trace.code), act(trace.alpha);
    act(trace.beta), act(trace.alpha_out), act(trace.beta_out), act(trace.value), act(trace.why), act(trace.role);
    act(trace.visits), act(trace.unrecorded);
}

}  // namespace

void Recorder::enter(const Arrival& arrival) {
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

void Recorder::leave(Score value, Why why, Score alpha, Score beta, std::uint64_t visits) {
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

Trace Recorder::finish(std::uint16_t variant) && {
    for (Move& move : trace_.move) move.variant = variant;
    const auto rows = static_cast<std::int32_t>(trace_.size());
    trace_.end.resize(trace_.size());
    for (std::int32_t i = 0; i < rows; ++i) trace_.end[i] = i + 1;
    for (std::int32_t i = rows - 1; i >= 0; --i) {
        if (const auto parent = trace_.parent[i]; parent >= 0)
            trace_.end[parent] = std::max(trace_.end[parent], trace_.end[i]);
    }
    count_visits();
    return std::move(trace_);
}

// Children come after their parents, so that one walk from the end adds everything up.
void Recorder::count_visits() {
    const auto rows = static_cast<std::int32_t>(trace_.size());
    for (std::int32_t i = rows - 1; i >= 0; --i) {
        if (trace_.visits[i] > 0) continue;  // MCTS has counted
        trace_.visits[i] = 1 + trace_.unrecorded[i];
        for (auto child = i + 1; child < trace_.end[i]; child = trace_.end[child])
            trace_.visits[i] += trace_.visits[child];
    }
}

// Removes the later half of the deepest level, whose rows have none below, and counts them at their parents.
void Recorder::thin_deepest() {
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
        each_column(trace_, [&](auto& column) { column[kept] = column[i]; });
        if (parent >= 0) trace_.parent[kept] = moved[parent];
        ++kept;
    }
    each_column(trace_, [&](auto& column) { column.resize(kept); });
    for (auto& row : open_)
        if (row >= 0) row = moved[row];
    if (kept_ >= 0) kept_ = moved[kept_];
    if (gone) --deepest_;
}

}  // namespace damier::textbook
