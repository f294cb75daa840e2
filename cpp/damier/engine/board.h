// The door: a game record behind virtual calls, for callers that learn only at run time which game is played.
// Games that share a move type (the draughts family) share a door type.

#pragma once

#include <functional>
#include <memory>
#include <span>

#include "damier/engine/judge.h"
#include "damier/eval/called.h"
#include "damier/game/codes.h"
#include "damier/game/playouts.h"
#include "damier/game/record.h"
#include "damier/search/ladder/ladder.h"

namespace damier {

template <class M>
class Engine;  // engine/engine.h

template <class M>
class Board {
  public:
    virtual ~Board() = default;
    virtual std::unique_ptr<Board> copy() const = 0;
    virtual std::unique_ptr<Board> from_here() const = 0;  // a game that begins in the present position

    virtual Side turn() const = 0;
    virtual Key key() const = 0;
    virtual Key fresh_key() const = 0;
    virtual bool same_position(const Board& other) const = 0;
    virtual std::string fen() const = 0;
    virtual std::string start_fen() const = 0;
    virtual int move_number() const = 0;
    virtual std::vector<SquareInfo> squares() const = 0;
    virtual char piece(int sq) const = 0;
    virtual std::vector<Bits> planes() const = 0;
    virtual std::vector<Bits> states() const = 0;  // the planes of every position so far, one after the other

    virtual std::vector<M> legal_moves() const = 0;
    virtual int count_legal_moves() const = 0;
    virtual bool is_legal(M move) const = 0;
    virtual bool is_irreversible(M move) const = 0;
    virtual std::string text(M move) const = 0;
    virtual M read_move(std::string_view text) const = 0;

    virtual void push(M move) = 0;  // the caller has checked that the move is legal
    virtual M pop() = 0;            // the caller has checked that there is one
    virtual const std::vector<M>& moves() const = 0;
    virtual Past past() const = 0;
    virtual std::optional<Outcome> outcome(bool claim_draw) const = 0;

    using Counts = std::vector<std::pair<M, std::uint64_t>>;
    virtual Counts divide(int depth, int threads, const std::atomic<bool>& stop) const = 0;
    virtual Playouts play_games(std::uint64_t seed, std::uint64_t first_game, int games, bool keep_moves,
                                const std::atomic<bool>& stop) const = 0;
    virtual std::vector<std::uint16_t> codes() const = 0;  // the moves played, as stored in files
    virtual void replay(
        std::span<const std::uint16_t> codes) = 0;  // plays all of the stored moves, or none and throws DataError

    // Evaluations and features by name (Error for a name the game does not know); the first evaluation is the engine's.
    virtual std::vector<std::string> evaluations() const = 0;
    virtual std::shared_ptr<AnyEvaluator> evaluator(std::string_view name) const = 0;
    virtual Score evaluate(AnyEvaluator& evaluator) const = 0;  // of the present position, for the side to move
    virtual std::vector<Term> explain(AnyEvaluator& evaluator) const = 0;
    virtual std::unique_ptr<Judge> judge() const = 0;       // of the present position and of games from this start
    virtual std::unique_ptr<Engine<M>> engine() const = 0;  // one that plays this game

    // An evaluation that asks `value` about a board of the position, for the side to move.
    using BoardValue = std::function<double(std::unique_ptr<Board>)>;
    virtual std::shared_ptr<AnyEvaluator> called(std::string name, BoardValue value) const = 0;

    // Searches the present position; the moves of a recorded tree are told by the board it was searched from.
    virtual ladder::Answer<M> climb(ladder::Algorithm algorithm, const ladder::Options& options,
                                    AnyEvaluator& evaluator, const std::atomic<bool>& stop) const = 0;
    virtual std::string text(const ladder::Trace<M>& trace, std::size_t row) const = 0;  // of the move that led there
};

template <Game G>
    requires HasPlanes<G>
class GameBoard : public Board<typename G::Move> {
  public:
    using M = typename G::Move;
    using Door = Board<M>;

    GameBoard(const typename G::Rules& rules, const Setup<typename G::Position>& start)
        : rules_(rules), record_(start) {}
    explicit GameBoard(const typename G::Rules& rules) : GameBoard(rules, {G::start(rules)}) {}
    GameBoard(const typename G::Rules& rules, std::string_view fen) : GameBoard(rules, G::read_fen(fen, rules)) {}

    const typename G::Rules& rules() const { return rules_; }
    const typename G::Position& position() const { return record_.position(); }
    const Record<G>& record() const { return record_; }

    std::unique_ptr<Door> copy() const override { return std::make_unique<GameBoard>(*this); }
    std::unique_ptr<Door> from_here() const override { return std::make_unique<GameBoard>(rules_, record_.setup()); }

    Side turn() const override { return position().turn(); }
    Key key() const override { return position().key(); }
    Key fresh_key() const override { return position().fresh_key(); }
    bool same_position(const Door& other) const override {
        const auto* same_game = dynamic_cast<const GameBoard*>(&other);
        return same_game != nullptr && position() == same_game->position();
    }
    std::string fen() const override { return G::fen(record_.setup()); }
    std::string start_fen() const override { return G::fen(record_.start()); }
    int move_number() const override { return record_.setup().move_number; }
    std::vector<SquareInfo> squares() const override { return G::squares(rules_); }
    char piece(int sq) const override { return G::piece(position(), sq); }
    std::vector<Bits> planes() const override {
        const auto planes = G::planes(position());
        return {planes.begin(), planes.end()};
    }

    std::vector<Bits> states() const override {
        std::vector<Bits> states;
        for (std::size_t ply = 0; ply <= record_.ply(); ++ply) {
            const auto planes = G::planes(record_.position_at(ply));
            states.insert(states.end(), planes.begin(), planes.end());
        }
        return states;
    }

    std::vector<M> legal_moves() const override {
        typename G::MoveList list;
        record_.legal_moves(list);
        return {list.begin(), list.end()};
    }
    int count_legal_moves() const override { return record_.count_legal_moves(); }
    bool is_legal(M move) const override { return record_.is_legal(move); }
    bool is_irreversible(M move) const override { return position().is_irreversible(move); }
    std::string text(M move) const override { return G::text(position(), move); }
    M read_move(std::string_view text) const override { return G::read_move(position(), text); }

    void push(M move) override { record_.push(move); }
    M pop() override { return record_.pop(); }
    const std::vector<M>& moves() const override { return record_.moves(); }
    Past past() const override { return record_.past(); }
    std::optional<Outcome> outcome(bool claim_draw) const override { return record_.outcome(claim_draw); }

    typename Door::Counts divide(int depth, int threads, const std::atomic<bool>& stop) const override {
        return damier::divide<G>(position(), depth, threads, stop);
    }
    Playouts play_games(std::uint64_t seed, std::uint64_t first_game, int games, bool keep_moves,
                        const std::atomic<bool>& stop) const override {
        return damier::play_games<G>(record_.setup(), seed, first_game, games, keep_moves, stop);
    }

    std::vector<std::uint16_t> codes() const override {
        std::vector<std::uint16_t> codes;
        for (std::size_t ply = 0; ply < record_.ply(); ++ply) {
            typename G::MoveList legal;
            record_.position_at(ply).legal_moves(legal);
            append_code<G>(legal, record_.moves()[ply], codes);
        }
        return codes;
    }

    void replay(std::span<const std::uint16_t> codes) override {
        const std::size_t before = record_.ply();
        for (std::size_t at = 0; at < codes.size();) {
            typename G::MoveList legal;
            record_.legal_moves(legal);
            try {
                record_.push(take_code<G>(legal, codes, at));
            } catch (const DataError& error) {
                const auto where = "ply " + std::to_string(record_.ply() + 1) + ": ";
                while (record_.ply() > before) record_.pop();
                throw DataError(where + error.what());
            }
        }
    }

    std::vector<std::string> evaluations() const override {
        std::vector<std::string> names;
        for (const auto& evaluation : damier::evaluations<G>())
            if (evaluation.ready) names.emplace_back(evaluation.name);
        return names;
    }
    std::shared_ptr<AnyEvaluator> evaluator(std::string_view name) const override {
        return make_evaluation<G>(name, rules_);
    }
    Score evaluate(AnyEvaluator& evaluator) const override {
        return of_this_game(evaluator).clone()->evaluate(position());  // another thread may be using this one
    }
    std::vector<Term> explain(AnyEvaluator& evaluator) const override {
        return of_this_game(evaluator).clone()->terms(position());
    }
    std::unique_ptr<Judge> judge() const override {
        return std::make_unique<GameJudge<G>>(rules_, record_.start().position, position());
    }
    std::unique_ptr<Engine<M>> engine() const override;
    std::shared_ptr<AnyEvaluator> called(std::string name, typename Door::BoardValue value) const override {
        const auto on_board = [rules = rules_, value](const auto& pos) {
            return value(std::make_unique<GameBoard>(rules, Setup<typename G::Position>{pos}));
        };
        return made_for<G>(rules_, std::make_unique<CalledEvaluator<G>>(std::move(name), on_board));
    }

    ladder::Answer<M> climb(ladder::Algorithm algorithm, const ladder::Options& options, AnyEvaluator& evaluator,
                            const std::atomic<bool>& stop) const override {
        const auto own = of_this_game(evaluator).clone();
        return ladder::climb<G>(algorithm, record_, *own, options, stop);
    }
    std::string text(const ladder::Trace<M>& trace, std::size_t row) const override {
        if (trace.role[row] == ladder::Role::Root) return "";
        if (trace.role[row] == ladder::Role::Pass) return "pass";
        return G::text(before(trace, row), trace.move[row]);
    }

  private:
    Evaluator<G>& of_this_game(AnyEvaluator& evaluator) const {
        if (auto* fitting = dynamic_cast<Evaluator<G>*>(&evaluator); fitting && fitting->fits(rules_)) return *fitting;
        throw Error("evaluation " + shown(evaluator.name()) + " belongs to another game");
    }

    // The position in which the move of a row was played.
    typename G::Position before(const ladder::Trace<M>& trace, std::size_t row) const {
        const auto parent = static_cast<std::size_t>(trace.parent[row]);
        if (trace.role[parent] == ladder::Role::Root) return position();
        auto pos = before(trace, parent);
        if (trace.role[parent] != ladder::Role::Pass) {
            pos.play(trace.move[parent]);
        } else if constexpr (CanPass<G>) {
            pos.pass();
        }
        return pos;
    }

    typename G::Rules rules_;
    Record<G> record_;
};

}  // namespace damier
