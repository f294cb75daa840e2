// The engine's alpha-beta: principal variation search with everything that makes it selective. One code for all games;
// a technique is used where the game states the fact it rests on, and switched in tunables.h.

#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <optional>
#include <vector>

#include "damier/search/alphabeta/eval_cache.h"
#include "damier/search/alphabeta/node.h"
#include "damier/search/alphabeta/picker.h"
#include "damier/search/alphabeta/reductions.h"
#include "damier/search/alphabeta/timing.h"
#include "damier/search/alphabeta/transposition_table.h"
#include "damier/search/path.h"
#include "damier/search/probe.h"
#include "damier/search/result.h"

namespace damier {

// What one thread is asked to search.
struct ThreadTask {
    bool counts_nodes = false;  // there is a limit of them, which all threads share
    bool is_main = true;        // the main thread stops all others at its node limit, a helper ends alone
    bool exact = false;         // leaves every unsound technique out
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
          stack_(StackSize),
          lines_(StackSize) {}

    // Gets ready for a search from the last position of a record.
    void prepare(const Record<G>& record, Evaluator<G>& evaluator, const EndgameProbe<G>* probe,
                 const ThreadTask& task) {
        path_.start(record, evaluator, StackSize);
        task_ = task;
        probe_ = task.exact ? nullptr : probe;  // an exact search proves its wins by moves
        check_mask_ = evaluator.is_slow() || (probe_ && probe_->is_slow()) ? 0 : NodesPerCheck - 1;
        salt_ = salt(task.exact, probe_ != nullptr);
        tbhits_.store(0, std::memory_order_relaxed);
        done_ = false;
        nodes_.store(0, std::memory_order_relaxed);
        granted_ = !task.counts_nodes ? UINT64_MAX : task.is_main ? control_.claim_nodes(control_.main_share) : 0;
        seldepth_ = 0;
        for (Entry& entry : stack_) entry = Entry{};
        at(0).improving = true;  // nothing is known to have become worse
        const Position& root = record.position();
        if (!task_.exact && is_quiet<G>(root)) at(0).evaluation = path_.evaluate(root);
    }
    void clear() {
        statistics_.clear();
        eval_cache_.clear();
    }

    // Sets the time at which the search must stop, for the thread that watches the clock.
    void set_hard_limit(std::int64_t hard_ms) { hard_ms_ = hard_ms; }

    bool stopped() const { return done_ || control_.stop.load(std::memory_order_relaxed); }
    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    std::uint64_t tbhits() const { return tbhits_.load(std::memory_order_relaxed); }
    int seldepth() const { return seldepth_; }
    void start_iteration(int depth) {
        seldepth_ = 0;
        root_depth_ = depth;
    }
    const Line<Move>& line(int ply) const { return lines_[static_cast<std::size_t>(ply)]; }

    // The value of a root move, the first having the number 0. Captures are never reduced at the root.
    Score search_root_move(const Position& root, Move move, int number, int depth, Score alpha, Score beta) {
        Node node(depth, alpha, beta, 0, false);
        node.pv = true;
        Step step(*this, root, move, 0);
        const int extension = forcing_extension(root, move, 0);
        const bool spared = extension > 0 || is_tactical<G>(root, move);
        return search_move(step.next, node, number, extension, spared ? 0 : reduction(node, number, false, 0));
    }

  private:
    static constexpr bool HasNullMove = CanPass<G>;
    static constexpr int StackSize = MaxPly + 4;         // a node also writes a little beyond its own ply
    static constexpr std::uint64_t NodesPerCheck = 256;  // between two looks at the clock, a power of two
    static constexpr std::size_t MaxTried = 64;          // moves tried in vain that are learnt from, in one node
    using Entry = StackEntry<Move>;
    // What the other moves say about the one of the table.
    struct Singular {
        int extension = 0;
        std::optional<Score> cut{};  // the value of the node, which another move settles
    };
    using TriedMoves = InlineList<Move, MaxTried>;

    Entry& at(int ply) { return stack_[static_cast<std::size_t>(ply)]; }
    const Entry& at(int ply) const { return stack_[static_cast<std::size_t>(ply)]; }
    Line<Move>& line_at(int ply) { return lines_[static_cast<std::size_t>(ply)]; }

    // A move played on a copy of the position, and taken back when it leaves scope.
    struct Step {
        AlphaBeta& tree;
        Position next;

        Step(AlphaBeta& tree_, const Position& pos, Move move, int ply) : tree(tree_), next(pos) {
            next.play(move);
            tree.table_.prefetch(tree.table_key(next));
            tree.path_.push(pos, move, next);
            Entry& entry = tree.at(ply);
            entry.move = outline(pos, move);
            entry.tactical = is_tactical<G>(pos, move);
            entry.null_move = false;
            tree.at(ply + 1).quiet = is_quiet<G>(next);
            tree.count_node();
        }
        // A null move.
        Step(AlphaBeta& tree_, const Position& pos, int ply)
            requires HasNullMove
            : tree(tree_), next(pos) {
            next.pass();
            tree.table_.prefetch(tree.table_key(next));
            tree.path_.push_null_move(pos, next);
            Entry& entry = tree.at(ply);
            entry.move = {};
            entry.null_move = true;
            tree.at(ply + 1).quiet = is_quiet<G>(next);
            tree.count_node();
        }
        ~Step() { tree.path_.pop(); }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;
    };

    void count_node() {
        const std::uint64_t count = nodes() + 1;
        nodes_.store(count, std::memory_order_relaxed);
        if (count >= granted_) [[unlikely]]
            claim_nodes(count);
        if ((count & check_mask_) == 0) check_limits();
    }
    // Takes more nodes of what is left of the limit; none are left to search on without.
    [[gnu::noinline]] void claim_nodes(std::uint64_t count) {
        while (count >= granted_) {
            const std::uint64_t taken = control_.claim_nodes(control_.nodes_per_claim);
            if (taken == 0) return end();
            granted_ += taken;
        }
    }
    void end() {
        done_ = true;
        if (task_.is_main) control_.stop.store(true, std::memory_order_relaxed);
    }
    [[gnu::noinline]] void check_limits() {
        const bool late = hard_ms_ != TimeBudget::Forever && !control_.pondering.load(std::memory_order_relaxed) &&
                          control_.watch.ms() >= hard_ms_;
        const bool stop_given = control_.outside && control_.outside->load(std::memory_order_relaxed);
        if (late || stop_given) control_.stop.store(true, std::memory_order_relaxed);
    }

    // The value of a draw by the rules here, if it is one. A cycle inside the tree is a draw at once: nobody
    // needs to go round it again. The shortest win never does, and in an exact search such draws would only make the
    // table depend on the way a position was reached. Having no move comes before any count of moves.
    std::optional<Score> draw_score(const Position& pos, int ply) const {
        Past past = path_.past();
        if (past.cycle != 0 && past.cycle <= ply) {
            if (!task_.exact) return 0;
            past.occurrences = 1;
        }
        if (!G::drawn(pos, past)) return std::nullopt;
        return count_legal_moves<G>(pos) == 0 ? final_score(pos.stuck().result, pos.turn(), ply) : 0;
    }

    // Exact searches, and those that ask a database, are kept apart in the table from others: their scores mean more.
    Key table_key(const Position& pos) const { return pos.key() ^ salt_; }
    static Key salt(bool exact, bool probing) {
        return exact ? 0x9E3779B97F4A7C15ULL : probing ? 0xD1B54A32D192ED03ULL : 0;
    }

    // What the table knows. A win that needs more quiet moves than the rules still allow from here was found where more
    // of them were left: its score says nothing.
    TableEntry find_in_table(const Position& pos, int ply) const {
        TableEntry entry = table_.find(table_key(pos), ply);
        if (is_sure(entry.score)) [[unlikely]] {
            const int plies = std::abs(plies_to_end(entry.score)) - ply;
            if (G::drawn(pos, {.quiet_plies = path_.quiet_plies() + plies})) entry.bound = Bound::None;
        }
        return entry;
    }

    static constexpr int LongestLine = 2;  // in iterations: extensions could feed each other for ever
    bool may_extend(int ply) const { return ply < LongestLine * root_depth_; }

    // A move that forces its answer costs no depth, unless it loses material.
    int forcing_extension(const Position& pos, Move move, int ply) const {
        if (task_.exact || !tunables_.forcing_extension || !may_extend(ply) || at(ply + 1).quiet) return 0;
        return loses_material<G>(pos, move) ? 0 : 1;
    }

    static MoveOutline outline([[maybe_unused]] const Position& pos, Move move) {
        MoveOutline found{.code = G::code(move)};
        if constexpr (HasShapes<G>) found.shape = pos.shape(move);
        return found;
    }

    Score search(const Position& pos, const Node& asked);
    Score search_moves(const Position& pos, Node& node, const TableEntry& entry, const KnownRange& known);
    std::optional<Score> ask_probe(const Position& pos, const Node& node, KnownRange& known);
    // Used at the root too, and inlined even so: a call per move would cost half a percent.
    [[gnu::always_inline]] inline Score search_move(const Position& next, const Node& node, int number, int extension,
                                                    int reduction);
    [[gnu::always_inline]] inline int reduction(const Node& node, int number, bool tactical, int history) const;
    Score quiesce(const Position& pos, const Node& node);
    std::optional<Score> prune(const Position& pos, const Node& node, const TableEntry& entry);
    Score try_null_move(const Position& pos, const Node& node, int depth)
        requires HasNullMove;
    Score evaluate_leaf(const Position& pos, int ply);
    std::optional<Score> win_by_next_move(const Position& pos, const Node& node);
    bool is_threatened(const Position& pos, int ply) const;
    bool capture_threatened(const Position& pos) const;
    Score most_by_capture(const Position& pos, Move move, Score evaluation) const;
    Singular look_for_singular(const Position& pos, const Node& node, Move move, const TableEntry& entry);
    void prune_quiet_moves(Picker<G>& picker, const Node& node, int number) const;
    bool loses_exchange(const Position& pos, Move move, bool tactical, int depth, const Picker<G>& picker) const;
    Hints<G> hints(int ply, std::uint16_t table_code);
    void update_statistics(const Position& pos, const Node& node, Move best, const TriedMoves& tried);
    int history_bonus(int depth) const;
    void update_history(const Position& pos, Move move, int ply, int bonus);
    void update_quiet_history(Side side, int ply, const MoveOutline& move, int bonus);
    void reward_by_evaluation(const Position& pos, int ply);
    void reward_previous_move(const Position& pos, const Node& node);

    // Does what the table knows settle whether the value lies above or below the window?
    static bool cuts(const TableEntry& entry, Score alpha, Score beta) {
        return entry.bound == Bound::Exact || (entry.bound == Bound::Lower && entry.score >= beta) ||
               (entry.bound == Bound::Upper && entry.score <= alpha);
    }
    Score evaluate(const Position& pos, const TableEntry& entry) {
        if (entry.evaluation != NoScore) return entry.evaluation;
        if (const auto known = eval_cache_.find(pos.key())) return *known;
        const Score evaluation = path_.evaluate(pos);
        eval_cache_.store(pos.key(), evaluation);
        return evaluation;
    }

    TranspositionTable& table_;
    SearchControl& control_;
    const Tunables& tunables_;
    Reductions reductions_;
    Statistics<G> statistics_;
    EvalCache eval_cache_;
    std::vector<Entry> stack_;
    std::vector<Line<Move>> lines_;
    SearchPath<G> path_;
    ThreadTask task_;
    const EndgameProbe<G>* probe_ = nullptr;
    Key salt_ = 0;
    std::atomic<std::uint64_t> nodes_ = 0;
    std::atomic<std::uint64_t> tbhits_ = 0;
    std::int64_t hard_ms_ = TimeBudget::Forever;
    std::uint64_t check_mask_ = NodesPerCheck - 1;
    int seldepth_ = 0;
    int root_depth_ = 0;
    bool done_ = false;                   // this thread alone: no nodes are left for it
    std::uint64_t granted_ = UINT64_MAX;  // how many nodes it may look at before it claims more
};

}  // namespace damier

#include "damier/search/alphabeta/search.h"
