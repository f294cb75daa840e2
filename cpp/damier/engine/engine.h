// The door to the engine of a game: settings, a search that can be watched, stopped and pondered, and its result.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "damier/engine/board.h"
#include "damier/search/team.h"

namespace damier {

template <class M>
class Engine {
  public:
    virtual ~Engine() = default;

    virtual void set_threads(int threads) = 0;
    virtual void set_hash(std::size_t kibibytes) = 0;                         // throws Error when memory is short
    virtual void set_evaluator(std::shared_ptr<AnyEvaluator> evaluator) = 0;  // throws Error for another game's
    virtual const AnyEvaluator& evaluator() const = 0;
    virtual void set(std::string_view tunable, long long value) = 0;
    virtual std::vector<TunableInfo> tunables() const = 0;
    virtual void forget() = 0;  // all that was learnt from earlier searches

    // arm() first: from then on stop() and ponder_hit() are heard, whenever they come. run() then searches and returns.
    virtual void arm(const Limit& limit) = 0;
    virtual Found<M> run(const Board<M>& board, const Limit& limit, int lines, const std::vector<M>& only,
                         Listener<M>* listener, const std::atomic<bool>* stop = nullptr) = 0;
    virtual void stop() = 0;
    virtual void ponder_hit() = 0;
};

// What suits the search of a game, as measured; each game specialises it in its file of this room.
template <class G>
struct Suited {
    static Tunables tunables(const typename G::Rules&) { return {}; }
};

template <Game G>
class GameEngine final : public Engine<typename G::Move> {
  public:
    using M = typename G::Move;

    explicit GameEngine(const typename G::Rules& rules)
        : rules_(rules),
          team_(DefaultHash, Suited<G>::tunables(rules)),
          evaluator_(made_for<G>(rules, evaluations<G>().front().make(rules))) {}

    void set_threads(int threads) override { team_.set_threads(threads); }
    void set_hash(std::size_t kibibytes) override { team_.table().resize(kibibytes); }
    void set_evaluator(std::shared_ptr<AnyEvaluator> evaluator) override {
        auto fitting = std::dynamic_pointer_cast<Evaluator<G>>(evaluator);
        if (!fitting || !fitting->fits(rules_))
            throw Error("evaluation " + shown(evaluator->name()) + " belongs to another game");
        evaluator_ = std::move(fitting);
        team_.forget();
    }
    const AnyEvaluator& evaluator() const override { return *evaluator_; }
    void set(std::string_view tunable, long long value) override {
        team_.tunables().set(tunable, value);
        team_.rebuild();
    }
    std::vector<TunableInfo> tunables() const override { return describe(team_.tunables()); }
    void forget() override { team_.forget(); }

    void arm(const Limit& limit) override { team_.arm(limit); }
    Found<M> run(const Board<M>& board, const Limit& limit, int lines, const std::vector<M>& only,
                 Listener<M>* listener, const std::atomic<bool>* stop) override {
        const auto& mine = of_this_game(board);
        Task<G> task{&mine.record(),   limit,    lines, only.empty() ? mine.legal_moves() : only,
                     evaluator_.get(), listener, stop};
        if (task.moves.empty()) throw MoveError("there is no legal move to choose from in " + mine.fen());
        return team_.run(task);
    }
    void stop() override { team_.stop(); }
    void ponder_hit() override { team_.ponder_hit(); }

  private:
    static constexpr std::size_t DefaultHash = 16 << 10;  // KiB

    const GameBoard<G>& of_this_game(const Board<M>& board) const {
        const auto* mine = dynamic_cast<const GameBoard<G>*>(&board);
        if (mine && same_game<G>(rules_, mine->rules())) return *mine;
        throw Error("this engine plays another game");
    }

    typename G::Rules rules_;
    Team<G> team_;
    std::shared_ptr<Evaluator<G>> evaluator_;
};

template <Game G>
    requires HasPlanes<G>
std::unique_ptr<Engine<typename G::Move>> GameBoard<G>::engine() const {
    return std::make_unique<GameEngine<G>>(rules_);
}

}  // namespace damier
