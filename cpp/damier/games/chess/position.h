// A chess position and its moves, for the usual start and for Chess960 (FIDE Laws of Chess 2023, Guideline II).
// Castling is written inside as the king taking its own rook, and the right to castle belongs to a rook.

#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>

#include "damier/base/list.h"
#include "damier/game/result.h"
#include "damier/games/chess/attacks.h"

namespace damier::chess {

enum class Piece : std::uint8_t { Pawn, Knight, Bishop, Rook, Queen, King };
constexpr int index(Piece piece) { return static_cast<int>(piece); }

constexpr int NoSquare = -1;

// How a move is made. The first six are a plain move or capture by that piece.
enum class Manner : std::uint8_t {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
    DoublePush,
    EnPassant,
    Castle,
    PromoteKnight,
    PromoteBishop,
    PromoteRook,
    PromoteQueen,
};

// Sixteen bits: from, to (the rook's square when castling) and manner.
class Move {
  public:
    constexpr Move() = default;
    constexpr Move(Manner manner, int from, int to)
        : bits_(static_cast<std::uint16_t>(from | to << 6 | static_cast<int>(manner) << 12)) {}

    static constexpr Move of_code(std::uint16_t code) {
        Move move;
        move.bits_ = code;
        return move;
    }

    constexpr int from() const { return bits_ & 63; }
    constexpr int to() const { return bits_ >> 6 & 63; }
    constexpr Manner manner() const { return static_cast<Manner>(bits_ >> 12); }
    constexpr std::uint16_t code() const { return bits_; }
    auto operator<=>(const Move&) const = default;

    // The piece that leaves `from`.
    constexpr Piece piece() const {
        if (manner() <= Manner::King) return static_cast<Piece>(manner());
        return manner() == Manner::Castle ? Piece::King : Piece::Pawn;
    }
    constexpr bool is_castle() const { return manner() == Manner::Castle; }
    constexpr std::optional<Piece> promotion() const {
        if (manner() < Manner::PromoteKnight) return std::nullopt;
        return static_cast<Piece>(index(Piece::Knight) + static_cast<int>(manner()) -
                                  static_cast<int>(Manner::PromoteKnight));
    }

  private:
    std::uint16_t bits_ = 0;
};

using MoveList = InlineList<Move, 256>;  // 218 is the most known

// What a position is made of; fill one to build a Position.
struct Layout {
    std::array<Bits, 6> pieces{};  // by Piece, both sides together
    std::array<Bits, 2> sides{};   // by Side, all pieces together
    Bits castling = 0;             // the rooks that may still castle
    std::int8_t en_passant = NoSquare;
    Side turn = Side::White;
    bool chess960 = false;  // how castling is written
    bool operator==(const Layout&) const = default;

    void put(Side side, Piece piece, int sq) {
        pieces[index(piece)] |= bit(sq);
        sides[index(side)] |= bit(sq);
    }
};

class Checks;

class Position {
  public:
    // Expects one king a side. Keeps the en passant square only if a capture there is legal, so that equal
    // positions, keys and FENs mean equal moves (FIDE 9.2.3).
    explicit Position(const Layout& layout);

    Side turn() const { return at_.turn; }
    Key key() const { return key_; }
    Key fresh_key() const;
    Key key_after(Move move) const;  // but for castling rights and en passant
    void legal_moves(MoveList& list) const;
    int count_legal_moves() const;
    bool has_legal_move() const { return count_legal_moves() > 0; }
    void play(Move move);
    bool gives_check(Move move) const;
    bool is_capture(Move move) const { return has(pieces(!turn()), move.to()) | (move.manner() == Manner::EnPassant); }
    bool is_irreversible(Move move) const { return move.piece() == Piece::Pawn || is_capture(move); }
    std::optional<Outcome> decided() const { return std::nullopt; }
    Outcome stuck() const;
    bool operator==(const Position&) const = default;

    // Captures and promotions, and what they are worth (exchange.h).
    void tactical_moves(MoveList& list) const;
    bool is_tactical(Move move) const { return (move.manner() >= Manner::PromoteKnight) | is_capture(move); }
    int prize(Move move) const;
    bool exchange_is_at_least(Move move, int least) const;

    bool is_quiet() const { return !in_check(); }
    Checks forcing() const;
    void pass();
    bool pass_is_sound() const { return (pieces(turn()) & ~pieces(Piece::Pawn) & ~pieces(Piece::King)) && !in_check(); }
    int shape(Move move) const { return 64 * index(move.piece()) + move.to(); }

    Bits occupied() const { return at_.sides[0] | at_.sides[1]; }
    Bits pieces(Side side) const { return at_.sides[index(side)]; }
    Bits pieces(Piece piece) const { return at_.pieces[index(piece)]; }
    Bits pieces(Side side, Piece piece) const { return pieces(side) & pieces(piece); }
    int king(Side side) const { return first(pieces(side, Piece::King)); }
    // The piece on a square that is not empty. Adds up instead of branching: what stands there is hard to predict.
    Piece piece_on(int sq) const {
        assert(has(occupied(), sq));
        int found = 0;
        for (int piece = 1; piece < 6; ++piece) found += piece * has(at_.pieces[piece], sq);
        return static_cast<Piece>(found);
    }
    Side side_on(int sq) const { return has(at_.sides[0], sq) ? Side::White : Side::Black; }
    Bits castling_rooks(Side side) const { return at_.castling & pieces(side); }
    int en_passant() const { return at_.en_passant; }  // NoSquare unless a capture there is legal
    bool chess960() const { return at_.chess960; }

    // The pieces of one side that attack a square, on a board occupied as given.
    Bits attackers(Side side, int sq, Bits occupied) const {
        const Bits queens = pieces(Piece::Queen);
        return pieces(side) & ((pawn_attacks(!side, bit(sq)) & pieces(Piece::Pawn)) |
                               (knight_attacks(sq) & pieces(Piece::Knight)) | (king_attacks(sq) & pieces(Piece::King)) |
                               (bishop_attacks(sq, occupied) & (pieces(Piece::Bishop) | queens)) |
                               (rook_attacks(sq, occupied) & (pieces(Piece::Rook) | queens)));
    }
    Bits checkers() const { return attackers(!turn(), king(turn()), occupied()); }
    bool in_check() const { return checkers() != 0; }
    bool is_dead() const;  // neither side has the material to mate

    // May the pawn on `from` take en passant on `to` without leaving its king in check?
    bool en_passant_is_legal(int from, int to) const;

  private:
    template <Side Us>
    void play_as(Move move);
    template <Side Us>
    void castle(int king, int rook);
    void put(Side side, Piece piece, int sq);
    void remove(Side side, Piece piece, int sq);
    void lose_castling(Bits rooks);
    bool can_take_en_passant(int to) const;

    Layout at_;
    Key key_ = 0;
};

// Which moves of a position give check, for asking about many of them.
class Checks {
  public:
    explicit Checks(const Position& pos) : pos_(pos) {
        const int king = pos.king(!pos.turn());
        const Bits straight = rook_attacks(king, pos.occupied()), slanted = bishop_attacks(king, pos.occupied());
        from_ = {pawn_attacks(!pos.turn(), bit(king)), knight_attacks(king), slanted, straight, straight | slanted, 0};
        screens_ = (straight | slanted) & pos.pieces(pos.turn());
    }
    bool operator()(Move move) const {
        if (move.manner() > Manner::DoublePush || has(screens_, move.from())) return pos_.gives_check(move);
        return has(from_[index(move.piece())], move.to());
    }

  private:
    const Position& pos_;
    std::array<Bits, 6> from_;  // the squares from which a piece attacks the king
    Bits screens_;              // own pieces that may hide a check
};

inline Checks Position::forcing() const { return Checks(*this); }

// Where the king and the rook land when the king on `king` castles with the rook on `rook`.
struct CastlingSquares {
    int king;
    int rook;
};
constexpr CastlingSquares castling_squares(int king, int rook) {
    const int edge = king & ~7;
    return rook > king ? CastlingSquares{edge + 6, edge + 5} : CastlingSquares{edge + 2, edge + 3};
}

}  // namespace damier::chess
