// The threads of an engine: all search the same root and help each other through the table (lazy SMP).

#pragma once

#include <thread>

#include "damier/search/worker.h"

namespace damier {

// What a search found.
template <class M>
struct Found {
    M move;
    std::optional<M> ponder;
    Score score = 0;
    Bound bound = Bound::None;  // None when nothing was searched to its end
    int depth = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
};

template <Game G>
class Team {
  public:
    using Move = typename G::Move;

    Team(std::size_t kibibytes, const Tunables& tunables) : table_(kibibytes), tunables_(tunables) { set_threads(1); }

    Table& table() { return table_; }
    Tunables& tunables() { return tunables_; }
    const Tunables& tunables() const { return tunables_; }
    int threads() const { return static_cast<int>(workers_.size()); }

    // Takes effect at once; must not be called while searching.
    void set_threads(int threads) {
        workers_.clear();
        for (int i = 0; i < threads; ++i)
            workers_.push_back(std::make_unique<Worker<G>>(i, table_, control_, tunables_));
    }
    void rebuild() { set_threads(threads()); }  // after a change of tunables

    void forget() {
        table_.clear();
        for (auto& worker : workers_) worker->forget();
    }

    // A stop is remembered from arm() on, so that one given before the threads run is not lost.
    void arm(const Limit& limit) {
        control_.stop = false;
        control_.pondering = limit.pondering;
        control_.watch.restart();
        control_.since_start.restart();
    }
    void stop() { control_.stop = true; }
    void ponder_hit() {
        control_.watch.restart();
        control_.pondering = false;
    }

    // Searches on this thread and the others, and returns when all are done. The task has at least one root move.
    Found<Move> run(const Task<G>& task) {
        table_.new_search();
        control_.outside = task.stop;
        const std::uint64_t share = task.limit.nodes / workers_.size() + (task.limit.nodes % workers_.size() != 0);
        for (auto& worker : workers_) worker->prepare(task, share);
        const auto total = [this] {
            std::uint64_t sum = 0;
            for (const auto& worker : workers_) sum += worker->nodes();
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
            } catch (const std::exception&) {  // no more threads to be had: go on with those there are
            }
            work(0);
            control_.stop = true;
        }
        if (failure) std::rethrow_exception(failure);
        Found<Move> found = choose(task);
        found.nodes = total();
        found.seconds = control_.since_start.seconds();
        return found;
    }

  private:
    // The leader's move, unless a helper finished a deeper iteration with a better score.
    Found<Move> choose(const Task<G>& task) {
        const Worker<G>* best = workers_.front().get();
        if (task.lines == 1) {
            for (const auto& worker : workers_)
                if (worker->depth() > best->depth() && worker->roots().front().score > best->roots().front().score)
                    best = worker.get();
        }
        const auto& root = best->roots().front();
        Found<Move> found{.move = root.move, .ponder = answer_to(task, root), .depth = best->depth()};
        if (root.score != -Infinite) {
            found.score = root.score;
            found.bound = root.bound;
        }
        return found;
    }

    // The reply we expect: from the line, else from the table.
    std::optional<Move> answer_to(const Task<G>& task, const RootMove<Move>& root) const {
        if (root.pv.size() > 1) return root.pv[1];
        auto next = task.record->position();
        next.play(root.move);
        if (next.decided()) return std::nullopt;
        const Memory memory = table_.find(next.key(), 0);
        typename G::MoveList legal;
        next.legal_moves(legal);
        for (const Move move : legal)
            if (memory.code != 0 && G::code(move) == memory.code) return move;
        return std::nullopt;
    }

    Table table_;
    Tunables tunables_;
    Control control_;
    std::vector<std::unique_ptr<Worker<G>>> workers_;
};

}  // namespace damier
