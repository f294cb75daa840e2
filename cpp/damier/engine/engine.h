// The door to the engine of a game: settings, a search that can be watched, stopped and pondered, and its result.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "damier/engine/board.h"
#include "damier/search/pool.h"

namespace damier {

template <class M>
class Engine {
  public:
    virtual ~Engine() = default;

    virtual void set_threads(int threads) = 0;
    virtual void set_hash(std::size_t megabytes) = 0;  // throws Error when memory is short
    virtual void set_evaluator(std::shared_ptr<AnyEvaluator> evaluator) = 0;  // throws Error for another game's
    virtual const AnyEvaluator& evaluator() const = 0;
    virtual void set(std::string_view tunable, long long value) = 0;
    virtual std::vector<TunableInfo> tunables() const = 0;
    virtual void forget() = 0;  // all that was learnt from earlier searches

    // arm() first: from then on stop() and ponder_hit() are heard, whenever they come. run() then searches and returns.
    virtual void arm(const Limit& limit) = 0;
    virtual Found<M> run(const Board<M>& board, const Limit& limit, int lines, const std::vector<M>& only,
                         Listener<M>* listener) = 0;
    virtual void stop() = 0;
    virtual void ponder_hit() = 0;
};

template <Game G>
Tunables tunables_of();  // what suits a game, measured; each game's file in this room says it

template <Game G>
class GameEngine final : public Engine<typename G::Move> {
  public:
    using M = typename G::Move;

    GameEngine() : pool_(DefaultHash, tunables_of<G>()), evaluator_(evaluations<G>().front().make()) {}

    void set_threads(int threads) override { pool_.set_threads(threads); }
    void set_hash(std::size_t megabytes) override { pool_.table().resize(megabytes); }
    void set_evaluator(std::shared_ptr<AnyEvaluator> evaluator) override {
        auto fitting = std::dynamic_pointer_cast<Evaluator<G>>(evaluator);
        if (!fitting) throw Error("evaluation " + shown(evaluator->name()) + " belongs to another game");
        evaluator_ = std::move(fitting);
        pool_.forget();
    }
    const AnyEvaluator& evaluator() const override { return *evaluator_; }
    void set(std::string_view tunable, long long value) override {
        pool_.tunables().set(tunable, value);
        pool_.rebuild();
    }
    std::vector<TunableInfo> tunables() const override { return describe(const_cast<Pool<G>&>(pool_).tunables()); }
    void forget() override { pool_.forget(); }

    void arm(const Limit& limit) override { pool_.arm(limit); }
    Found<M> run(const Board<M>& board, const Limit& limit, int lines, const std::vector<M>& only,
                 Listener<M>* listener) override {
        const auto* mine = dynamic_cast<const GameBoard<G>*>(&board);
        if (!mine) throw Error("this engine plays another game");
        Task<G> task{&mine->record(), limit, lines, only.empty() ? mine->legal_moves() : only, evaluator_.get(), listener};
        if (task.moves.empty()) throw MoveError("there is no legal move to choose from in " + mine->fen());
        return pool_.run(task);
    }
    void stop() override { pool_.stop(); }
    void ponder_hit() override { pool_.ponder_hit(); }

  private:
    static constexpr std::size_t DefaultHash = 16;

    Pool<G> pool_;
    std::shared_ptr<Evaluator<G>> evaluator_;
};

}  // namespace damier
