// The door: a game record behind virtual calls, for callers that learn only at run time which game is played.

#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/game/game.h"
#include "damier/game/playouts.h"

namespace damier {

class Variant;  // engine/variant.h

class Board {
  public:
    virtual ~Board() = default;
    virtual std::unique_ptr<Board> copy() const = 0;
    virtual std::unique_ptr<Board> from_here() const = 0;  // a game that begins in the current position
    virtual const std::shared_ptr<const Variant>& variant() const = 0;

    virtual Side turn() const = 0;
    virtual Key key() const = 0;
    virtual Key fresh_key() const = 0;
    virtual bool same_position(const Board& other) const = 0;
    virtual std::string fen() const = 0;
    virtual std::string start_fen() const = 0;
    virtual int move_number() const = 0;
    virtual char piece(int sq) const = 0;
    virtual std::vector<Bits> planes() const = 0;
    virtual std::vector<std::unique_ptr<Board>> images() const = 0;  // the position turned and mirrored, itself first
    virtual std::vector<Bits> states() const = 0;  // the planes of every position so far, one after the other

    virtual std::vector<Move> legal_moves() const = 0;
    virtual int count_legal_moves() const = 0;
    virtual bool is_legal(const Move& move) const = 0;
    virtual bool is_irreversible(const Move& move) const = 0;  // of a legal move, like the next two
    virtual std::string text(const Move& move) const = 0;
    virtual std::vector<int> path(const Move& move) const = 0;  // the squares of one route, start and end included
    virtual Move read_move(std::string_view text) const = 0;    // a legal move, or throws MoveError

    virtual void push(const Move& move) = 0;  // the caller has checked that the move is legal
    virtual Move pop() = 0;                   // the caller has checked that there is one
    virtual Move move_at(std::size_t ply) const = 0;
    virtual std::size_t ply() const = 0;
    virtual Past past() const = 0;
    virtual std::optional<Outcome> outcome(bool claim_draw) const = 0;

    using Counts = std::vector<std::pair<Move, std::uint64_t>>;
    virtual Counts divide(int depth, int threads, const std::atomic<bool>& stop) const = 0;
    virtual Playouts play_games(std::uint64_t seed, std::uint64_t first_game, int games, bool keep_moves,
                                const std::atomic<bool>& stop) const = 0;
    virtual std::vector<std::uint16_t> codes() const = 0;  // the moves played, as stored in files
    // Plays all of the stored moves, or none and throws DataError.
    virtual void replay(std::span<const std::uint16_t> codes) = 0;
};

}  // namespace damier
