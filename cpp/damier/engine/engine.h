// The door to the engine of a game: settings, and a search that can be watched, stopped and pondered.

#pragma once

#include <atomic>
#include <memory>
#include <string_view>
#include <vector>

#include "damier/engine/board.h"
#include "damier/eval/evaluator.h"
#include "damier/search/alphabeta/tunables.h"
#include "damier/search/limit.h"
#include "damier/search/probe.h"
#include "damier/search/result.h"

namespace damier {

struct SearchRequest {
    Limit limit{};
    int multipv = 1;
    std::vector<Move> searchmoves{};  // legal ones; none for all
    double overhead = 0.01;           // seconds lost between us and the clock, each move
    bool book = true;                 // whether a book may answer: an analysis wants a search
};

class Engine {
  public:
    virtual ~Engine() = default;

    virtual void set_threads(int threads) = 0;
    virtual void set_hash(std::size_t kibibytes) = 0;                         // throws Error when memory is short
    virtual void set_evaluator(std::shared_ptr<AnyEvaluator> evaluator) = 0;  // throws Error for another game's
    virtual const AnyEvaluator& evaluator() const = 0;
    // An endgame database asked by searches and a book asked before them, null for none; throw Error for another
    // game's.
    virtual void set_probe(std::shared_ptr<const AnyEndgameProbe> probe) = 0;
    virtual void set_book(std::shared_ptr<const AnyOpeningBook> book, std::uint64_t seed) = 0;
    virtual void set(std::string_view tunable, long long value) = 0;
    virtual std::vector<TunableInfo> tunables() const = 0;
    virtual void clear() = 0;  // forgets all that was learnt from earlier searches

    // arm() first: from then on stop() and ponder_hit() count, whenever they come. run() then searches and returns.
    virtual void arm(bool ponder) = 0;
    virtual SearchResult run(const Board& board, const SearchRequest& request, Listener* listener,
                             const std::atomic<bool>* stop) = 0;
    virtual void stop() = 0;
    virtual void ponder_hit() = 0;

    // Searches without a listener; `stop` may be raised by others.
    SearchResult play(const Board& board, const SearchRequest& request, const std::atomic<bool>& stop) {
        arm(false);
        return run(board, request, nullptr, &stop);
    }
};

}  // namespace damier
