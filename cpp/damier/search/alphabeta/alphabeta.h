// The engine's alpha-beta: principal variation search with everything that makes it selective. One code for all games;
// a technique is used where the game states the fact it rests on, and switched in tunables.h.

#pragma once

#include <algorithm>
#include <array>

#include "damier/eval/evaluator.h"
#include "damier/game/record.h"
#include "damier/search/alphabeta/eval_cache.h"
#include "damier/search/alphabeta/picker.h"
#include "damier/search/alphabeta/reductions.h"
#include "damier/search/alphabeta/timing.h"
#include "damier/search/alphabeta/transposition_table.h"
#include "damier/search/result.h"

namespace damier {

// The principal variation below a node.
template <class M>
struct Line {
    std::array<M, MaxPly + 1> moves;
    int size = 0;

    void set(M first, const Line& rest) {
        moves[0] = first;
        std::copy_n(rest.moves.begin(), rest.size, moves.begin() + 1);
        size = rest.size + 1;
    }
};

template <Game G>
class AlphaBeta {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using MoveList = typename G::MoveList;

    AlphaBeta(TranspositionTable& table, SearchControl& control, const Tunables& tunables)
        : table_(table),
          control_(control),
          tunables_(tunables),
          reductions_(tunables),
          nodes_(MaxPly + 4),
          lines_(MaxPly + 4) {}

    // Gets ready for a search from the last position of a record. An exact search leaves every unsound technique out.
    // A thread that leads stops all others at its node limit, one that does not ends alone.
    void prepare(const Record<G>& record, Evaluator<G>& evaluator, std::uint64_t node_limit, bool leads, bool exact) {
        trail_ = record.trail();
        trail_.reserve(MaxPly + 4);
        evaluator_ = &evaluator;
        look_every_ = evaluator.is_slow() ? 0 : 255;
        node_limit_ = node_limit;
        leads_ = leads;
        done_ = false;
        exact_ = exact;
        counted_.store(0, std::memory_order_relaxed);
        seldepth_ = 0;
        for (Node& node : nodes_) node = Node{};
        const Position& root = record.position();
        if (!exact_ && is_quiet<G>(root)) at(0).evaluation = evaluator_->evaluate(root);
    }
    void clear() {
        statistics_.clear();
        eval_cache_.clear();
    }

    // Sets the time at which the search must stop, for the thread that watches the clock.
    void watch_until(std::int64_t hard_ms) { hard_ms_ = hard_ms; }

    bool stopped() const { return done_ || control_.stop.load(std::memory_order_relaxed); }
    std::uint64_t counted() const { return counted_.load(std::memory_order_relaxed); }
    int seldepth() const { return seldepth_; }
    void start_line(int depth) {
        seldepth_ = 0;
        root_depth_ = depth;
    }
    const Line<Move>& line(int ply) const { return lines_[static_cast<std::size_t>(ply)]; }

    // The value of a root move in a window, by the usual scheme: later moves must first beat alpha in a zero window.
    Score search_root_move(const Position& root, Move move, int number, int depth, Score alpha, Score beta) {
        Step step(*this, root, move, 0);
        const int extension = forced_extension(0);
        const int deep = depth - 1 + extension;
        if (number == 0) return -search(step.next, deep, -beta, -alpha, 1, false);
        int reduced = deep;
        if (!exact_ && tunables_.lmr && depth >= 3 && number >= 3 && !is_tactical<G>(root, move) && extension == 0)
            reduced = std::clamp(deep - reductions_.plies(depth, number) + 1, 1, deep);
        Score score = -search(step.next, reduced, -alpha - 1, -alpha, 1, true);
        if (score > alpha && reduced < deep) score = -search(step.next, deep, -alpha - 1, -alpha, 1, false);
        if (score > alpha && score < beta) score = -search(step.next, deep, -beta, -alpha, 1, false);
        return score;
    }

  private:
    static constexpr bool Passes = CanPass<G>;
    using Tried = InlineList<Move, 64>;  // enough to learn from

    // What a ply remembers while the search is below it.
    struct Node {
        Score evaluation = NoScore;
        bool improving = false;
        bool quiet = true;    // is_quiet of the position
        bool passed = false;  // the move that led on from here was a pass
        bool skips = false;   // a move is left out to see how good the others are
        Move skipped{};
        std::uint16_t code = 0;  // of the move being searched, 0 for none
        int shape = -1;
        std::array<std::uint16_t, 2> killers{};
    };
    Node& at(int ply) { return nodes_[static_cast<std::size_t>(ply)]; }
    Line<Move>& line_at(int ply) { return lines_[static_cast<std::size_t>(ply)]; }
    const Node& at(int ply) const { return nodes_[static_cast<std::size_t>(ply)]; }

    // A move played on a copy of the position, and taken off the trail when it leaves scope.
    struct Step {
        AlphaBeta& tree;
        Position next;

        Step(AlphaBeta& tree_, const Position& pos, Move move, int ply) : tree(tree_), next(pos) {
            next.play(move);
            tree.table_.prefetch(next.key());
            tree.trail_.push(pos, move, next);
            Node& node = tree.at(ply);
            node.code = G::code(move);
            node.passed = false;
            if constexpr (HasShapes<G>) node.shape = pos.shape(move);
            tree.at(ply + 1).quiet = is_quiet<G>(next);
            tree.count_node();
        }
        // A pass.
        Step(AlphaBeta& tree_, const Position& pos, int ply)
            requires Passes
            : tree(tree_), next(pos) {
            next.pass();
            tree.table_.prefetch(next.key());
            tree.trail_.push_pass(next);
            Node& node = tree.at(ply);
            node.code = 0;
            node.shape = -1;
            node.passed = true;
            tree.at(ply + 1).quiet = is_quiet<G>(next);
            tree.count_node();
        }
        ~Step() { tree.trail_.pop(); }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;
    };

    void count_node() {
        const std::uint64_t count = counted_.load(std::memory_order_relaxed) + 1;
        counted_.store(count, std::memory_order_relaxed);
        if (node_limit_ != 0 && count >= node_limit_) [[unlikely]]
            end();
        if ((count & look_every_) == 0) look_around();
    }
    void end() {
        done_ = true;
        if (leads_) control_.stop.store(true, std::memory_order_relaxed);
    }
    [[gnu::noinline]] void look_around() {
        const bool late = hard_ms_ != TimeBudget::Forever && !control_.pondering.load(std::memory_order_relaxed) &&
                          control_.watch.ms() >= hard_ms_;
        const bool told = control_.outside && control_.outside->load(std::memory_order_relaxed);
        if (late || told) control_.stop.store(true, std::memory_order_relaxed);
    }

    // What a draw by the rule book is worth here, if there is one. A cycle inside the tree is a draw at once: nobody
    // needs to go round it again. The shortest win never does, and in an exact search such draws would only make the
    // table depend on the way a position was reached. Having no move comes before any count of moves.
    std::optional<Score> drawn(const Position& pos, int ply) const {
        Past past = trail_.past();
        if (past.cycle != 0 && past.cycle <= ply) {
            if (!exact_) return 0;
            past.occurrences = 1;
        }
        if (!G::drawn(pos, past)) return std::nullopt;
        return count_legal_moves<G>(pos) == 0 ? final_score(pos.stuck().result, pos.turn(), ply) : 0;
    }

    // Positions searched exactly are kept apart in the table from those searched selectively.
    Key table_key(const Position& pos) const { return exact_ ? pos.key() ^ 0x9E3779B97F4A7C15ULL : pos.key(); }

    // A move that forces its answer costs no depth.
    int forced_extension(int ply) const {
        if (exact_ || !tunables_.forcing_extension || ply >= 2 * root_depth_) return 0;
        return at(ply + 1).quiet ? 0 : 1;
    }

    Score search(const Position& pos, int depth, Score alpha, Score beta, int ply, bool cut_node);
    Score search_moves(const Position& pos, int depth, Score alpha, Score beta, int ply, bool cut_node,
                       const TableEntry& entry);
    Score quiesce(const Position& pos, Score alpha, Score beta, int ply);
    std::optional<Score> cut_early(const Position& pos, int depth, Score alpha, Score beta, int ply, bool cut_node,
                                   const TableEntry& entry);
    Score try_pass(const Position& pos, int depth, Score beta, int ply, bool cut_node)
        requires Passes;
    Score leaf(const Position& pos, int ply);
    bool hopeless_capture(const Position& pos, Move move, Score evaluation, Score alpha) const;
    int reduction(int depth, int number, bool tactical, bool pv_node, bool cut_node, int history, int ply) const;
    int singular_extension(const Position& pos, Move move, int depth, Score beta, int ply, bool cut_node,
                           const TableEntry& entry);
    void leave_out_quiet(Picker<G>& picker, int number, int depth, Score alpha, int ply) const;
    bool loses_too_much(const Position& pos, Move move, bool tactical, int depth, const Picker<G>& picker) const;
    Hints<G> hints(int ply, std::uint16_t table_code);
    void reward(const Position& pos, Move best, int depth, int ply, const Tried& tried);
    void add_history(const Position& pos, Move move, int ply, int bonus);
    // Does what the table knows settle the question whether the value lies above or below the window?
    static bool cuts(const TableEntry& entry, Score alpha, Score beta) {
        return entry.bound == Bound::Exact || (entry.bound == Bound::Lower && entry.score >= beta) ||
               (entry.bound == Bound::Upper && entry.score <= alpha);
    }
    Score evaluation_of(const Position& pos, const TableEntry& entry) {
        if (entry.evaluation != NoScore) return entry.evaluation;
        if (const auto known = eval_cache_.find(pos.key())) return *known;
        const Score evaluation = evaluator_->evaluate(pos);
        eval_cache_.keep(pos.key(), evaluation);
        return evaluation;
    }

    TranspositionTable& table_;
    SearchControl& control_;
    const Tunables& tunables_;
    Reductions reductions_;
    Statistics<G> statistics_;
    EvalCache eval_cache_;
    Evaluator<G>* evaluator_ = nullptr;
    std::vector<Node> nodes_;
    std::vector<Line<Move>> lines_;
    Trail<G> trail_;
    std::atomic<std::uint64_t> counted_ = 0;
    std::uint64_t node_limit_ = 0;
    std::int64_t hard_ms_ = TimeBudget::Forever;
    std::uint64_t look_every_ = 255;  // nodes, less one, between two looks at the clock
    int seldepth_ = 0;
    int root_depth_ = 0;
    bool exact_ = false;
    bool leads_ = true;
    bool done_ = false;  // this thread alone: its share of the nodes is spent
};

}  // namespace damier

#include "damier/search/alphabeta/nodes.h"
