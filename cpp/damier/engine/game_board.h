// The board of one game, behind the door.

#pragma once

#include "damier/base/error.h"
#include "damier/engine/board.h"
#include "damier/game/codes.h"
#include "damier/game/record.h"

namespace damier {

template <Game G>
    requires HasPlanes<G>
class GameBoard final : public Board {
  public:
    using Position = typename G::Position;

    // `squares_of` is the number of the variant that names the squares of moves.
    GameBoard(std::shared_ptr<const Variant> variant, const typename G::Rules& rules, std::uint16_t squares_of,
              const Setup<Position>& start)
        : variant_(std::move(variant)), rules_(rules), squares_of_(squares_of), record_(start) {}

    const typename G::Rules& rules() const { return rules_; }

    const Position& position() const { return record_.position(); }
    const Record<G>& record() const { return record_; }

    std::unique_ptr<Board> copy() const override { return std::make_unique<GameBoard>(*this); }
    std::unique_ptr<Board> from_here() const override { return at(record_.setup()); }
    std::unique_ptr<Board> at(const Setup<Position>& setup) const {
        return std::make_unique<GameBoard>(variant_, rules_, squares_of_, setup);
    }
    const std::shared_ptr<const Variant>& variant() const override { return variant_; }
    std::uint16_t squares_of() const { return squares_of_; }

    Side turn() const override { return position().turn(); }
    Key key() const override { return position().key(); }
    Key fresh_key() const override { return position().fresh_key(); }
    bool same_position(const Board& other) const override {
        const auto* same_game = dynamic_cast<const GameBoard*>(&other);
        return same_game != nullptr && position() == same_game->position();
    }
    std::string fen() const override { return G::fen(record_.setup()); }
    std::string start_fen() const override { return G::fen(record_.start()); }
    int move_number() const override { return record_.setup().move_number; }
    char piece(int sq) const override { return G::piece(position(), sq); }
    std::vector<Bits> planes() const override {
        const auto planes = G::planes(position());
        return {planes.begin(), planes.end()};
    }
    std::vector<std::unique_ptr<Board>> images() const override {
        std::vector<std::unique_ptr<Board>> images;
        auto setup = record_.setup();
        for (int number = 0; number < symmetries<G>(position()); ++number) {
            setup.position = image<G>(position(), number);
            images.push_back(at(setup));
        }
        return images;
    }
    std::vector<Bits> states() const override {
        std::vector<Bits> states;
        for (std::size_t ply = 0; ply <= record_.ply(); ++ply) {
            const auto planes = G::planes(record_.position_at(ply));
            states.insert(states.end(), planes.begin(), planes.end());
        }
        return states;
    }

    std::vector<Move> legal_moves() const override {
        typename G::MoveList list;
        record_.legal_moves(list);
        std::vector<Move> moves;
        moves.reserve(list.size());
        for (const auto move : list) moves.push_back(seen(position(), move));
        return moves;
    }
    int count_legal_moves() const override { return record_.count_legal_moves(); }
    bool is_legal(const Move& move) const override {
        if (move.variant != squares_of_) return false;
        const auto native = G::native(move);
        return record_.is_legal(native) && seen(position(), native) == move;
    }
    bool is_irreversible(const Move& move) const override { return position().is_irreversible(G::native(move)); }
    std::string text(const Move& move) const override { return G::text(position(), G::native(move)); }
    std::vector<int> path(const Move& move) const override {
        if constexpr (HasRoutes<G>) {
            return G::path(position(), G::native(move));
        } else {
            return {move.from, move.to};
        }
    }
    Move read_move(std::string_view text) const override { return seen(position(), G::read_move(position(), text)); }

    void push(const Move& move) override { record_.push(G::native(move)); }
    void push_all(const std::vector<typename G::Move>& moves) {  // which are legal one after the other
        for (const auto move : moves) record_.push(move);
    }
    Move pop() override {
        const auto move = record_.pop();
        return seen(position(), move);
    }
    Move move_at(std::size_t ply) const override { return seen(record_.position_at(ply), record_.moves()[ply]); }
    std::size_t ply() const override { return record_.ply(); }
    Past past() const override { return record_.past(); }
    std::optional<Outcome> outcome(bool claim_draw) const override { return record_.outcome(claim_draw); }

    Counts divide(int depth, int threads, const std::atomic<bool>& stop) const override {
        Counts counts;
        for (const auto& [move, below] : damier::divide<G>(position(), depth, threads, stop))
            counts.emplace_back(seen(position(), move), below);
        return counts;
    }
    Playouts play_games(std::uint64_t seed, std::uint64_t first_game, int games, bool keep_moves,
                        const std::atomic<bool>& stop) const override {
        return damier::play_games<G>(record_.setup(), seed, first_game, games, keep_moves, stop);
    }

    std::vector<std::uint16_t> codes() const override {
        std::vector<std::uint16_t> codes;
        for (std::size_t ply = 0; ply < record_.ply(); ++ply) {
            typename G::MoveList legal;
            if constexpr (SharesCodes<G>) record_.position_at(ply).legal_moves(legal);
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

  private:
    Move seen(const Position& pos, typename G::Move native) const {
        Move move = G::plain(pos, native);
        move.variant = squares_of_;
        return move;
    }

    std::shared_ptr<const Variant> variant_;
    typename G::Rules rules_;
    std::uint16_t squares_of_;
    Record<G> record_;
};

}  // namespace damier
