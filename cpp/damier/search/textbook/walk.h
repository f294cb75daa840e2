// What all textbook searches share: they walk from position to position, see where the game is over, keep
// the best line, count, and can be recorded and stopped. Only its idea is left to each algorithm.

#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "damier/game/perft.h"
#include "damier/search/path.h"
#include "damier/search/probe.h"
#include "damier/search/result.h"
#include "damier/search/textbook/options.h"
#include "damier/search/textbook/trace.h"

namespace damier::textbook {

template <Game G>
class Visit;
template <Game G>
class Step;

template <Game G>
class Walk {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using MoveList = typename G::MoveList;
    using Line = std::vector<Move>;

    Walk(const Record<G>& record, Evaluator<G>& evaluator, const Options& chosen, const std::atomic<bool>& stop,
         const EndgameProbe<G>* probe = nullptr)
        : options(chosen), stop_(stop), probe_(probe), recorder_(chosen.trace_cap) {
        path_.start(record, evaluator, static_cast<std::size_t>(MaxPly));
        lines_.resize(static_cast<std::size_t>(chosen.depth) + 2);
        for (auto& line : lines_) line.reserve(lines_.size());
    }

    const Options options;
    Counters counters;

    bool stopped() const { return stop_.load(std::memory_order_relaxed); }

    // The score of a position in which the game is over, or whose value an endgame database knows; else the legal
    // moves. The root is never a draw by its past, nor is the database asked about it: whoever asks for a move wants
    // one. To a stopped search every game is over, so that it ends at once; its value is thrown away.
    std::optional<Score> finished(const Position& pos, MoveList& moves, int ply) {
        if (stopped()) return 0;
        if (const auto outcome = pos.decided()) return final_score(outcome->result, pos.turn(), ply);
        pos.legal_moves(moves);
        return undecided(pos, !moves.empty(), ply);
    }

    // The same for whoever does not need the moves.
    std::optional<Score> finished(const Position& pos, int ply) {
        if (stopped()) return 0;
        if (const auto outcome = pos.decided()) return final_score(outcome->result, pos.turn(), ply);
        return undecided(pos, count_legal_moves<G>(pos) > 0, ply);
    }

    Score evaluate(const Position& pos) { return path_.evaluate(pos); }
    Calibration calibration() const { return path_.evaluator().calibration(); }

    // Records that `move` is the best so far at this ply: the best line from here is the move and the line below it.
    void improves(int ply, Move move) {
        if (stopped()) return;
        auto& line = lines_[static_cast<std::size_t>(ply)];
        const auto& below = lines_[static_cast<std::size_t>(ply) + 1];
        line.assign(1, move);
        line.insert(line.end(), below.begin(), below.end());
        if (ply == 0) best_line_ = line;
    }
    // The line of the last improvement at the root: a pass that only bounds the value leaves it as it was.
    const Line& best_line() const { return best_line_; }

    // The line to try first, from an earlier and shallower search, and its move here while we are still on it.
    void expect(const Line& line) { expected_ = line; }
    std::optional<std::uint16_t> expected_code(int ply) const {
        const auto at = static_cast<std::size_t>(ply);
        if (at != followed_ || at >= expected_.size()) return std::nullopt;
        return G::code(expected_[at]);
    }

    // Records that the visit that ended last must be made again with another window.
    void search_again() {
        ++counters.researches;
        if (options.trace_cap > 0) recorder_.last_was_not_enough();
    }

    bool has_just_passed(int ply) const { return ply > 0 && arrivals_[ply - 1].role == Role::Pass; }

    SearchPath<G>& path() { return path_; }
    Recorder& recorder() { return recorder_; }

  private:
    friend class Visit<G>;
    friend class Step<G>;

    std::optional<Score> undecided(const Position& pos, bool can_move, int ply) {
        if (can_move && ply == 0) return std::nullopt;
        if (const auto outcome = outcome_by_rules<G>(pos, can_move, path_.past(), true))
            return final_score(outcome->result, pos.turn(), ply);
        const auto known = probe_ ? probe_->probe(pos) : std::nullopt;
        if (!known || known->bound != Bound::Exact) return std::nullopt;
        return score_of(*known, ply).score;
    }

    struct Arrival {
        Move move;
        Role role;
        damier::Move plain{};  // only while a trace is recorded
    };

    SearchPath<G> path_;
    const std::atomic<bool>& stop_;
    const EndgameProbe<G>* probe_;
    Recorder recorder_;
    std::array<Arrival, MaxPly + 1> arrivals_{};  // how each ply below the root was reached
    std::vector<Line> lines_;                     // the best line from each ply
    Line best_line_, expected_;
    std::size_t followed_ = 0;  // how many moves of the expected line led here
};

// A move played from a position, or a pass; taken back when it leaves scope.
template <Game G>
class Step {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;

    Step(Walk<G>& walk, const Position& before, Move move, int ply, Role role = Role::Move)
        : position(before), walk_(walk), ply_(static_cast<std::size_t>(ply)) {
        if (walk.expected_code(ply) == G::code(move)) ++walk.followed_;
        walk.arrivals_[ply_] = {move, role, walk.options.trace_cap > 0 ? G::plain(before, move) : damier::Move{}};
        position.play(move);
        walk.path_.push(before, move, position);
    }

    Step(Walk<G>& walk, const Position& before, int ply)
        requires CanPass<G>
        : position(before), walk_(walk), ply_(static_cast<std::size_t>(ply)) {
        walk.arrivals_[ply_] = {Move{}, Role::Pass};
        position.pass();
        walk.path_.push_null_move(before, position);
    }

    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() {
        walk_.path_.pop();
        if (walk_.followed_ > ply_) walk_.followed_ = ply_;
    }

    Position position;

  private:
    Walk<G>& walk_;
    std::size_t ply_;
};

// A position being searched: opened on arrival, closed by `return visit.ends(value, why)`.
// It looks at the window of its search again when it is closed.
template <Game G>
class Visit {
  public:
    Visit(Walk<G>& walk, int depth, int ply, const Score& alpha, const Score& beta)
        : walk_(walk), alpha_(alpha), beta_(beta) {
        ++walk.counters.nodes;
        if (static_cast<std::size_t>(ply) < walk.lines_.size()) walk.lines_[static_cast<std::size_t>(ply)].clear();
        if (walk.options.trace_cap > 0) record(depth, ply);
    }
    Visit(Walk<G>& walk, int depth, int ply) : Visit(walk, depth, ply, Lowest, Highest) {}
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

    Score ends(Score value, Why why) {
        auto& counters = walk_.counters;
        counters.leaves += why == Why::Leaf || why == Why::Terminal;
        counters.cutoffs += why == Why::Cut;
        counters.table_hits += why == Why::Table;
        if (walk_.options.trace_cap > 0)
            walk_.recorder_.leave(value, walk_.stopped() ? Why::Stopped : why, alpha_, beta_);
        return value;
    }

  private:
    static constexpr Score Lowest = -Infinite, Highest = Infinite;  // for searches that know no window

    void record(int depth, int ply) {
        const auto arrival = ply > 0 ? walk_.arrivals_[ply - 1] : typename Walk<G>::Arrival{{}, Role::Root};
        walk_.recorder_.enter({ply, depth, arrival.plain, G::code(arrival.move), arrival.role, alpha_, beta_});
    }

    Walk<G>& walk_;
    const Score& alpha_;
    const Score& beta_;
};

}  // namespace damier::textbook
