// The threads of an engine: all search the same root and help each other through the table (lazy SMP).

#pragma once

#include <thread>

#include "damier/search/alphabeta/root.h"
#include "damier/search/alphabeta/worker.h"

namespace damier {

template <Game G>
class SearchThreads {
  public:
    using Move = typename G::Move;

    SearchThreads(std::size_t kibibytes, const Tunables& tunables) : table_(kibibytes), tunables_(tunables) {
        set_threads(1);
    }

    TranspositionTable& table() { return table_; }
    Tunables& tunables() { return tunables_; }
    const Tunables& tunables() const { return tunables_; }
    int threads() const { return static_cast<int>(workers_.size()); }

    // Takes effect at once; not while searching.
    void set_threads(int threads) {
        workers_.clear();
        for (int i = 0; i < threads; ++i)
            workers_.push_back(std::make_unique<Worker<G>>(i, table_, control_, tunables_));
    }
    void rebuild() { set_threads(threads()); }  // after a change of tunables

    void clear() {
        table_.clear();
        for (auto& worker : workers_) worker->clear();
    }

    // A stop is remembered from arm() on, so that one given before the threads run is not lost.
    void arm(bool ponder) {
        control_.stop = false;
        control_.pondering = ponder;
        control_.pondered_enough = false;
        control_.watch.restart();
        control_.since_start.restart();
    }
    void stop() { control_.stop = true; }
    void ponder_hit() {
        control_.watch.restart();
        control_.pondering = false;
        if (control_.pondered_enough) stop();
    }

    // The seed by which a book's moves are chosen from now on.
    void set_book_seed(std::uint64_t seed) { random_ = Random(seed); }

    // Searches on this thread and the others, and returns when all are done. The task has at least one root move.
    SearchResult run(SearchTask<G> task) {
        if (!control_.pondering)
            if (const auto move = book_move(task, random_))
                return {.pv = line_of<G>(task.record->position(), std::array{*move}, task.variant)};
        const std::uint64_t root_hits = ask_probe_at_root(task);
        table_.new_search();
        control_.outside = task.stop;
        control_.share_nodes(task.limit.nodes, workers_.size());
        for (auto& worker : workers_) worker->prepare(task);
        const auto total = [this, root_hits] {
            SearchTotals sum{.tbhits = root_hits};
            for (const auto& worker : workers_) {
                sum.nodes += worker->totals().nodes;
                sum.tbhits += worker->totals().tbhits;
            }
            return sum;
        };
        std::atomic<bool> failed = false;
        std::exception_ptr failure;
        const auto work = [&](std::size_t i) {
            try {
                workers_[i]->run(task, total);
            } catch (...) {  // an evaluation given from outside may fail, and an exception must not leave its thread
                if (!failed.exchange(true)) failure = std::current_exception();
                control_.stop = true;
            }
        };
        {
            std::vector<std::jthread> helpers;
            try {
                for (std::size_t i = 1; i < workers_.size(); ++i) helpers.emplace_back(work, i);
            } catch (const std::exception&) {  // the machine gives no more threads: search with those there are
            }
            work(0);
            control_.stop = true;
        }
        if (failure) std::rethrow_exception(failure);
        SearchResult found = choose(task);
        found.nodes = total().nodes;
        found.tbhits = total().tbhits;
        found.seconds = control_.since_start.seconds();
        found.hashfull = task.listener ? table_.hashfull() : 0;
        return found;
    }

  private:
    // The main thread's move, unless a helper finished a deeper iteration with a better score.
    SearchResult choose(const SearchTask<G>& task) {
        const Worker<G>* best = workers_.front().get();
        if (task.multipv == 1) {
            for (const auto& worker : workers_)
                if (worker->depth() > best->depth() && worker->roots().front().score > best->roots().front().score)
                    best = worker.get();
        }
        const auto& root = best->roots().front();
        const auto& position = task.record->position();
        SearchResult found{.depth = best->depth(),
                           .seldepth = std::max(root.seldepth, static_cast<int>(root.pv.size())),
                           .pv = line_of<G>(position, root.pv, task.variant)};
        if (found.pv.size() > 1) {
            found.ponder = found.pv[1];
        } else if (const auto reply = reply_in_table(position, root.move)) {
            const std::array<Move, 2> both{root.move, *reply};
            found.ponder = line_of<G>(position, both, task.variant)[1];
        }
        if (root.score != -Infinite) {
            found.score = task.known.clamp(root.score);
            found.bound = root.bound;
        }
        return found;
    }

    // The reply to expect where the line says none.
    std::optional<Move> reply_in_table(const typename G::Position& position, Move move) const {
        auto next = position;
        next.play(move);
        if (next.decided()) return std::nullopt;
        const TableEntry entry = table_.find(next.key(), 0);
        typename G::MoveList legal;
        next.legal_moves(legal);
        for (const Move reply : legal)
            if (entry.code != 0 && G::code(reply) == entry.code) return reply;
        return std::nullopt;
    }

    TranspositionTable table_;
    Tunables tunables_;
    SearchControl control_;
    Random random_{0};
    std::vector<std::unique_ptr<Worker<G>>> workers_;
};

}  // namespace damier
