// Lines of Action. Board: a1 = 0, b1 = 1, a2 = 8; boards smaller than 8x8 use the lower left corner.
// Black (x) stands on the first and last rank and moves first; White (o) stands on the first and last file.

#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/bits.h"
#include "damier/base/list.h"
#include "damier/game/game.h"
#include "damier/games/loa/rules.h"

namespace damier {
namespace loa {

// From, to, and whether the target is an enemy. The pass of rule sets that know it goes from a1 to a1.
class Move {
  public:
    constexpr Move() = default;
    constexpr Move(int from, int to, bool captures)
        : bits_(static_cast<std::uint16_t>(from | to << 6 | (captures ? 1 << 12 : 0))) {}
    static constexpr Move pass() { return Move(); }

    constexpr int from() const { return bits_ & 63; }
    constexpr int to() const { return bits_ >> 6 & 63; }
    constexpr bool captures() const { return bits_ >> 12 & 1; }
    constexpr bool is_pass() const { return from() == to(); }
    constexpr std::uint16_t bits() const { return bits_; }
    constexpr auto operator<=>(const Move&) const = default;

  private:
    std::uint16_t bits_ = 0;
};

constexpr int MaxMoves = 96;                      // 12 pieces, 8 directions
using MoveList = InlineList<Move, MaxMoves + 8>;  // and room to write a whole block

class Position {
  public:
    Position(Bits white, Bits black, Side turn, const Rules& rules);

    Side turn() const { return turn_; }
    Key key() const { return key_; }
    Key fresh_key() const;
    Key key_after(Move move) const;
    const Rules& rules() const { return rules_; }
    Bits pieces(Side side) const { return pieces_[index(side)]; }
    Bits occupied() const { return pieces_[0] | pieces_[1]; }

    void legal_moves(MoveList& list) const;
    int count_legal_moves() const;
    void play(Move move);

    bool is_irreversible(Move move) const { return move.captures(); }
    bool is_quiet() const { return true; }  // captures are never compulsory
    void tactical_moves(MoveList& list) const;
    bool is_tactical(Move move) const { return move.captures(); }
    int prize(Move move) const { return move.captures() ? 100 : 0; }
    void pass() { play(Move::pass()); }
    bool pass_is_sound() const { return true; }
    int shape(Move move) const { return move.to(); }
    std::optional<Move> winning_move(Side side) const;

    std::optional<Outcome> decided() const;
    Outcome stuck() const { return {win_for(!turn_), Reason::NoMoves}; }

    bool operator==(const Position& other) const {
        return pieces_ == other.pieces_ && turn_ == other.turn_ && rules_ == other.rules_;
    }

  private:
    void piece_moves(Side side, MoveList& list) const;
    int count_piece_moves() const;

    std::array<Bits, 2> pieces_;
    Key key_;
    Side turn_;
    bool captured_last_ = true;  // only a capture can have connected the side to move; a set-up may be anything
    Rules rules_;
};

// The text of a move, which does not depend on the position.
std::string to_text(Move move);

// The squares a text such as b1-b3, b1xb3, b1:b3 or b1b3 names on a board of the given size.
struct Ends {
    int from;
    int to;
};
std::optional<Ends> read_ends(std::string_view text, int board);

}  // namespace loa

struct Loa {
    using Position = loa::Position;
    using Move = loa::Move;
    using MoveList = loa::MoveList;
    using Rules = loa::Rules;
    static constexpr std::string_view Name = "loa";
    static constexpr int Shapes = 64;  // targets

    static Side first(const Position&) { return Side::Black; }
    static Position start(const Rules& rules);
    static std::optional<DrawRule> drawn(const Position& pos, const Past& past);
    static std::uint16_t code(Move move) { return move.bits(); }
    static damier::Move plain(const Position&, Move move) {
        return {.captured = move.captures() ? bit(move.to()) : 0,
                .code = move.bits(),
                .from = static_cast<std::uint8_t>(move.from()),
                .to = static_cast<std::uint8_t>(move.to()),
                .kind = move.is_pass() ? damier::Move::Kind::Pass : damier::Move::Kind::Ordinary};
    }
    static Move native(const damier::Move& move) {
        return move.kind == damier::Move::Kind::Pass ? Move::pass() : Move(move.from, move.to, move.captured != 0);
    }
    static std::array<Bits, 2> planes(const Position& pos) {
        return {pos.pieces(Side::White), pos.pieces(Side::Black)};
    }
    static std::vector<std::string> kinds(const Rules&) { return {"piece"}; }

    // Along the eight directions; the pass has a number by any rule set.
    static int moves_between(const Rules&, int from, int to) {
        const int files = (to & 7) - (from & 7), ranks = (to >> 3) - (from >> 3);
        const bool along = files == 0 || ranks == 0 || files == ranks || files == -ranks;
        return (from != to && along) || (from == 0 && to == 0) ? 1 : 0;
    }
    static int choice(Move) { return 0; }

    // The board turned and mirrored in all ways.
    static int symmetries(const Position&) { return 8; }
    static Position image(const Position& pos, int number);

    static Setup<Position> read_fen(std::string_view text, const Rules& rules);
    static std::string fen(const Setup<Position>& setup);
    static std::string text(const Position& pos, Move move);
    static Move read_move(const Position& pos, std::string_view text);
    static std::vector<SquareInfo> squares(const Rules& rules);
    static char piece(const Position& pos, int sq);
};

}  // namespace damier
