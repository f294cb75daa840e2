// The engine of one game, behind the door.

#pragma once

#include "damier/base/text.h"
#include "damier/engine/engine.h"
#include "damier/engine/game_board.h"
#include "damier/search/alphabeta/threads.h"

namespace damier {

// What callers give, if it is of the game that the rules make.
template <Game G>
Evaluator<G>& of_this_game(AnyEvaluator& evaluator, const typename G::Rules& rules) {
    if (auto* fitting = dynamic_cast<Evaluator<G>*>(&evaluator); fitting && fitting->fits(rules)) return *fitting;
    throw Error("evaluation " + shown(evaluator.name()) + " belongs to another game");
}

template <Game G>
const GameBoard<G>& of_this_game(const Board& board, const typename G::Rules& rules) {
    const auto* fitting = dynamic_cast<const GameBoard<G>*>(&board);
    if (fitting && same_game<G>(fitting->rules(), rules)) return *fitting;
    throw Error("the board is one of another game");
}

// The same for what is known beyond the search, where none is given for none.
template <class Known, class Any, class Rules>
std::shared_ptr<const Known> of_this_game(std::shared_ptr<const Any> known, const Rules& rules, const char* what) {
    auto fitting = std::dynamic_pointer_cast<const Known>(known);
    if (known && !(fitting && fitting->fits(rules))) throw Error(std::string(what) + " is one of another game");
    return fitting;
}

template <Game G>
class GameEngine final : public Engine {
  public:
    GameEngine(const typename G::Rules& rules, const Tunables& tunables, std::shared_ptr<AnyEvaluator> evaluator)
        : rules_(rules), threads_(DefaultHash, tunables) {
        GameEngine::set_evaluator(std::move(evaluator));
    }

    void set_threads(int threads) override { threads_.set_threads(threads); }
    void set_hash(std::size_t kibibytes) override { threads_.table().resize(kibibytes); }
    void set_evaluator(std::shared_ptr<AnyEvaluator> evaluator) override {
        of_this_game<G>(*evaluator, rules_);
        evaluator_ = std::dynamic_pointer_cast<Evaluator<G>>(std::move(evaluator));
        threads_.clear();
    }
    const AnyEvaluator& evaluator() const override { return *evaluator_; }
    void set_probe(std::shared_ptr<const AnyEndgameProbe> probe) override {
        probe_ = of_this_game<EndgameProbe<G>>(std::move(probe), rules_, "the endgame database");
        threads_.clear();  // of values that it would contradict
    }
    void set_book(std::shared_ptr<const AnyOpeningBook> book, std::uint64_t seed) override {
        book_ = of_this_game<OpeningBook<G>>(std::move(book), rules_, "the book");
        threads_.set_book_seed(seed);
    }
    void set(std::string_view tunable, long long value) override {
        threads_.tunables().set(tunable, value);
        threads_.rebuild();
    }
    std::vector<TunableInfo> tunables() const override { return describe(threads_.tunables()); }
    void clear() override { threads_.clear(); }

    void arm(bool ponder) override { threads_.arm(ponder); }
    SearchResult run(const Board& board, const SearchRequest& request, Listener* listener,
                     const std::atomic<bool>* stop) override {
        const auto& mine = of_this_game<G>(board, rules_);
        if constexpr (std::equality_comparable<typename G::Rules>) {
            if (!(searched_ == mine.rules())) threads_.clear();  // keys do not tell rules apart
            searched_ = mine.rules();
        }
        SearchTask<G> task{.record = &mine.record(),
                           .limit = request.limit,
                           .multipv = request.multipv,
                           .moves = {},
                           .evaluator = evaluator_.get(),
                           .listener = listener,
                           .stop = stop,
                           .overhead = request.overhead,
                           .variant = mine.squares_of(),
                           .probe = probe_ && probe_->fits(mine.rules()) ? probe_.get() : nullptr,
                           .book = request.book && book_ && book_->fits(mine.rules()) ? book_.get() : nullptr};
        for (const Move& move : request.searchmoves) task.moves.push_back(G::native(move));
        if (request.searchmoves.empty()) {
            typename G::MoveList legal;
            mine.record().legal_moves(legal);
            task.moves.assign(legal.begin(), legal.end());
        }
        if (task.moves.empty()) throw MoveError("there is no legal move to choose from in " + mine.fen());
        return threads_.run(std::move(task));
    }
    void stop() override { threads_.stop(); }
    void ponder_hit() override { threads_.ponder_hit(); }

  private:
    static constexpr std::size_t DefaultHash = 16 << 10;  // KiB

    typename G::Rules rules_;
    typename G::Rules searched_ = rules_;  // those of the last board
    SearchThreads<G> threads_;
    std::shared_ptr<Evaluator<G>> evaluator_;
    std::shared_ptr<const EndgameProbe<G>> probe_;
    std::shared_ptr<const OpeningBook<G>> book_;
};

}  // namespace damier
