// One search thread: iterative deepening over the root moves, with aspiration windows and several best lines.

#pragma once

#include <algorithm>

#include "damier/search/alphabeta/alphabeta.h"

namespace damier {

template <class M>
struct RootMove {
    M move;
    Score score = -Infinite;     // in the present iteration
    Score previous = -Infinite;  // in the last one, or what is known of the present one
    Bound bound = Bound::Exact;
    Bound previous_bound = Bound::Exact;
    int seldepth = 0;
    int depth = 0;  // of the iteration that gave the score, once a search has been stopped
    std::vector<M> pv;
};

// What is asked of a search, the same for all its threads.
template <Game G>
struct SearchTask {
    const Record<G>* record;
    Limit limit;
    int multipv = 1;
    std::vector<typename G::Move> moves;  // those to be searched at the root
    const Evaluator<G>* evaluator;
    Listener* listener = nullptr;
    const std::atomic<bool>* stop = nullptr;  // somebody else's flag that ends the search too
    double overhead = 0;                      // seconds lost between us and the clock, each move
    std::uint16_t variant = 0;                // that names the squares of moves
    const EndgameProbe<G>* probe = nullptr;   // asked inside the tree and at the root
    const OpeningBook<G>* book = nullptr;     // asked before the search
    KnownRange known{};                       // of the root, by the probe
};

// What all threads have done together.
struct SearchTotals {
    std::uint64_t nodes = 0;
    std::uint64_t tbhits = 0;
};

template <Game G>
class Worker {
  public:
    using Move = typename G::Move;

    Worker(int number, TranspositionTable& table, SearchControl& control, const Tunables& tunables)
        : number_(number), table_(table), control_(control), tunables_(tunables), search_(table, control, tunables) {}

    SearchTotals totals() const { return {search_.nodes(), search_.tbhits()}; }
    int depth() const { return depth_; }  // the last one finished
    const std::vector<RootMove<Move>>& roots() const { return roots_; }
    // Drops what was learnt and the copy of the evaluator, which the next task may replace.
    void clear() {
        search_.clear();
        evaluator_.reset();
    }

    // Gets ready to search; only the main thread looks at the clock.
    void prepare(const SearchTask<G>& task) {
        roots_.clear();
        for (const Move move : task.moves) roots_.push_back({.move = move, .pv = {move}});
        depth_ = stable_ = 0;
        if (!evaluator_) evaluator_ = task.evaluator->clone();
        search_.prepare(*task.record, *evaluator_, task.probe,
                        {.counts_nodes = task.limit.nodes > 0, .is_main = is_main(), .exact = task.limit.mate > 0});
        const Side turn = task.record->position().turn();
        budget_ = is_main() ? time_budget(task.limit, turn, task.overhead, tunables_.moves_expected) : TimeBudget{};
        search_.set_hard_limit(budget_.hard_ms);
    }

    // Searches until stopped or done. Only the main thread reports and looks at the clock; `total` adds up what all
    // threads have done.
    template <class Total>
    void run(const SearchTask<G>& task, Total total) {
        const int deepest = deepest_iteration(task.limit);
        for (int depth = 1 + number_ % 2; depth <= deepest && !search_.stopped(); ++depth) {
            for (auto& root : roots_) {
                root.previous = root.score;
                root.previous_bound = Bound::Exact;
            }
            const Move before = roots_.front().move;
            const std::size_t lines = std::min<std::size_t>(static_cast<std::size_t>(task.multipv), roots_.size());
            std::size_t done = 0;
            while (done < lines && search_rank(task, done, depth, total)) ++done;
            std::stable_sort(roots_.begin(), roots_.begin() + static_cast<std::ptrdiff_t>(done), is_better);
            if (search_.stopped()) return report_unfinished(task, lines, done, depth, total);
            depth_ = depth;
            stable_ = roots_.front().move == before ? stable_ + 1 : 0;
            if (is_main()) {
                for (std::size_t rank = 0; rank < lines; ++rank) report(task, rank, depth, total);
                if (should_end(task)) break;
            }
        }
    }

  private:
    static constexpr Score WidestWindow = 1000;  // beyond it that side of the window is opened altogether
    static constexpr double ReportAfter = 1;     // seconds: before it nobody could read what is not final

    bool is_main() const { return number_ == 0; }

    static int deepest_iteration(const Limit& limit) {
        int deepest = limit.depth > 0 ? std::min(limit.depth, MaxPly - 1) : MaxPly - 1;
        if (limit.mate > 0) deepest = std::min(deepest, 2 * limit.mate);
        return deepest;
    }

    static bool is_better(const RootMove<Move>& a, const RootMove<Move>& b) { return a.score > b.score; }

    // Finds the best of the root moves from `rank` on; false when it was stopped before it knew.
    template <class Total>
    bool search_rank(const SearchTask<G>& task, std::size_t rank, int depth, Total total) {
        const Score previous = roots_[rank].previous;
        Score window = tunables_.aspiration_window, alpha = -Infinite, beta = Infinite;
        if (tunables_.aspiration && depth >= tunables_.aspiration_depth && !is_sure(previous) &&
            previous != -Infinite && task.limit.mate == 0) {
            alpha = previous - window;
            beta = previous + window;
        }
        for (;;) {
            search_.start_iteration(depth);
            const Score score = search_roots(task, rank, depth, alpha, beta);
            std::stable_sort(roots_.begin() + static_cast<std::ptrdiff_t>(rank), roots_.end(), is_better);
            if (search_.stopped()) return false;
            if (score > alpha && score < beta) return true;
            if (is_main() && control_.since_start.seconds() > ReportAfter) report(task, rank, depth, total);
            window *= 2;
            if (score <= alpha) {
                beta = (alpha + beta) / 2;
                alpha = window > WidestWindow ? -Infinite : std::max(score - window, -Infinite);
            } else {
                roots_[rank].previous = score;  // should the search be stopped before it knows more
                roots_[rank].previous_bound = Bound::Lower;
                beta = window > WidestWindow ? Infinite : std::min(score + window, Infinite);
            }
        }
    }

    Score search_roots(const SearchTask<G>& task, std::size_t rank, int depth, Score alpha, Score beta) {
        const auto& position = task.record->position();
        const Score first_alpha = alpha;
        Score best = -Infinite;
        for (std::size_t i = rank; i < roots_.size(); ++i) roots_[i].score = -Infinite;
        for (std::size_t i = rank; i < roots_.size(); ++i) {
            auto& root = roots_[i];
            const int number = static_cast<int>(i - rank);
            report_currmove(task, root.move, static_cast<int>(i));
            const Score score = search_.search_root_move(position, root.move, number, depth, alpha, beta);
            if (search_.stopped()) return best;
            if (number == 0 || score > alpha) {
                root.score = score;
                root.bound = score >= beta ? Bound::Lower : score <= first_alpha ? Bound::Upper : Bound::Exact;
                root.seldepth = search_.seldepth();
                if (score > first_alpha) keep_line(root, score < beta);
            }
            best = std::max(best, score);
            alpha = std::max(alpha, score);
            if (alpha >= beta) break;
        }
        return best;
    }

    // A score beyond the window often comes without a line: then the last one says more.
    void keep_line(RootMove<Move>& root, bool exact) const {
        const auto& line = search_.line(1);
        if (!exact && line.size == 0) return;
        root.pv.assign(1, root.move);
        root.pv.insert(root.pv.end(), line.moves.begin(), line.moves.begin() + line.size);
    }

    // Reports the lines of an iteration that was stopped. One not reached in it, or seen only to be worse than
    // expected, keeps its last score, as far as the better line before it allows: that one was better than all others.
    template <class Total>
    void report_unfinished(const SearchTask<G>& task, std::size_t lines, std::size_t done, int depth, Total total) {
        for (std::size_t rank = 0; rank < lines; ++rank) {
            auto& root = roots_[rank];
            root.depth = depth;
            if (rank < done || (root.score != -Infinite && root.bound != Bound::Upper)) continue;
            root.score = root.previous;
            root.bound = root.previous_bound;
            root.depth = depth_;
            if (rank > 0 && root.score > roots_[rank - 1].score) {
                root.score = roots_[rank - 1].score;
                root.bound = Bound::Upper;
            }
        }
        std::stable_sort(roots_.begin(), roots_.begin() + static_cast<std::ptrdiff_t>(lines), is_better);
        for (std::size_t rank = 0; rank < lines && is_main(); ++rank)
            if (roots_[rank].score != -Infinite) report(task, rank, roots_[rank].depth, total);
    }

    template <class Total>
    void report(const SearchTask<G>& task, std::size_t rank, int depth, Total total) const {
        if (!task.listener) return;
        const auto& root = roots_[rank];
        const int seldepth = std::max(root.seldepth, static_cast<int>(root.pv.size()));
        const SearchTotals done = total();
        SearchResult info{.score = task.known.clamp(root.score),
                          .bound = root.bound,
                          .depth = depth,
                          .seldepth = seldepth,
                          .multipv = static_cast<int>(rank) + 1,
                          .nodes = done.nodes,
                          .seconds = control_.since_start.seconds(),
                          .hashfull = table_.hashfull(),
                          .tbhits = done.tbhits,
                          .pv = line_of<G>(task.record->position(), root.pv, task.variant)};
        if (info.pv.size() > 1) info.ponder = info.pv[1];
        task.listener->on_info(info);
    }

    // Interfaces show the move being searched, once there is time to read it.
    void report_currmove(const SearchTask<G>& task, Move move, int place) const {
        if (!task.listener || !is_main() || control_.since_start.seconds() < ReportAfter) return;
        damier::Move plain = G::plain(task.record->position(), move);
        plain.variant = task.variant;
        task.listener->on_currmove(plain, place + 1);
    }

    // Does the search end here? While pondering it never does, but a ponder hit may then be answered at once.
    bool should_end(const SearchTask<G>& task) const {
        if (!is_enough(task)) return false;
        control_.pondered_enough = true;
        return !control_.pondering;
    }
    // Is there no use in another iteration?
    bool is_enough(const SearchTask<G>& task) const {
        const Score score = roots_.front().score;
        if (task.limit.mate > 0)  // a longer win may come from the table: then look on for the shortest
            return is_win(score) && plies_to_end(score) <= std::min(2 * task.limit.mate - 1, depth_);
        if (budget_.soft_ms == TimeBudget::Forever) return false;
        if (roots_.size() == 1) return true;
        if (is_sure(score) && depth_ > std::abs(plies_to_end(score)) + PliesToConfirm) return true;
        return control_.since_start.seconds() * 1000 >=
               NextIteration * patience() * static_cast<double>(budget_.soft_ms);
    }

    static constexpr int PliesToConfirm = 6;      // searched beyond a proven end, which might still be a shorter one
    static constexpr double NextIteration = 0.6;  // an iteration begun later than this share would rarely be finished

    // A best move that has long been the same needs less time to be sure of.
    double patience() const {
        struct Share {
            int stable;  // iterations, at least
            double of_time;
        };
        constexpr std::array Shares{Share{8, 0.6}, Share{3, 0.8}, Share{1, 1.0}, Share{0, 1.6}};
        return std::find_if(Shares.begin(), Shares.end(), [this](Share share) { return stable_ >= share.stable; })
            ->of_time;
    }

    int number_;
    TranspositionTable& table_;
    SearchControl& control_;
    const Tunables& tunables_;
    AlphaBeta<G> search_;
    std::unique_ptr<Evaluator<G>> evaluator_;
    TimeBudget budget_;
    std::vector<RootMove<Move>> roots_;
    int depth_ = 0;
    int stable_ = 0;  // iterations since the best move changed
};

}  // namespace damier
