// Chess and Chess960 (FIDE Laws of Chess 2023): the identity card of the game.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "damier/game/game.h"
#include "damier/games/chess/position.h"

namespace damier {

struct Chess {
    using Position = chess::Position;
    using Move = chess::Move;
    using MoveList = chess::MoveList;
    struct Rules {
        bool chess960 = false;
    };
    static constexpr std::string_view Name = "chess";
    static constexpr int Shapes = 6 * 64;  // piece, target

    static Side first(const Position&) { return Side::White; }
    static Position start(const Rules& rules);
    static std::optional<DrawRule> drawn(const Position& pos, const Past& past);
    static std::uint16_t code(Move move) { return move.code(); }
    static damier::Move plain(const Position& pos, Move move);
    static Move native(const damier::Move& move) { return Move::of_code(move.code); }

    // Six fields, or the first four. Castling is read as KQkq, X-FEN or Shredder-FEN and written as X-FEN: KQkq,
    // but the file of the rook where another rook stands further out.
    static Setup<Position> read_fen(std::string_view text, const Rules& rules);
    static std::string fen(const Setup<Position>& setup);

    static std::string text(const Position& pos, Move move);            // SAN
    static std::string text(const damier::Move& move);                  // UCI, castling as the king taking its rook
    static std::vector<int> path(const Position& pos, Move move);       // castling is shown as the king's two squares
    static Move read_move(const Position& pos, std::string_view text);  // SAN or UCI
    static std::vector<SquareInfo> squares(const Rules& rules);
    static char piece(const Position& pos, int sq);

    // White pawns, knights, bishops, rooks, queens, king, then Black's.
    static std::array<Bits, 12> planes(const Position& pos);
    static std::vector<std::string> kinds(const Rules&) {
        return {"pawn", "knight", "bishop", "rook", "queen", "king"};
    }
    static constexpr std::size_t RoyalKind = 5;
    static bool has_bare_king(const Position& pos) {
        return count(pos.pieces(Side::White)) == 1 || count(pos.pieces(Side::Black)) == 1;
    }
    static bool looks_mirrored(const Position& pos, Side side) { return (pos.king(side) & 7) > 3; }
    // Castled, on the first rank between, on the second, and out on the board.
    static constexpr std::size_t KingBuckets = 4;
    static std::size_t king_bucket(const Position& pos, Side side) {
        const int square = pos.king(side), file = square & 7,
                  rank = side == Side::White ? square >> 3 : 7 - (square >> 3);
        if (rank > 0) return rank == 1 ? 2 : 3;
        return file < 2 || file > 5 ? 0 : 1;
    }
    static std::array<Bits, 2> state_planes(const Position& pos) {
        return {pos.castling_rooks(Side::White) | pos.castling_rooks(Side::Black),
                pos.en_passant() == chess::NoSquare ? 0 : bit(pos.en_passant())};
    }

    // A queen's or a knight's move; a pawn that reaches the last rank has the choice of queen, knight, bishop and rook.
    static int moves_between(const Rules& rules, int from, int to);
    static int choice(Move move) {
        return move.manner() < chess::Manner::PromoteKnight || move.manner() == chess::Manner::PromoteQueen
                   ? 0
                   : 1 + static_cast<int>(move.manner()) - static_cast<int>(chess::Manner::PromoteKnight);
    }

    // Left and right are alike once nobody may castle.
    static int symmetries(const Position& pos) {
        return (pos.castling_rooks(Side::White) | pos.castling_rooks(Side::Black)) == 0 ? 2 : 1;
    }
    static Position image(const Position& pos, int number);
};

namespace chess {

// Chess960 start position `number`, from 0 to 959 in Scharnagl's order; 518 is the usual one.
Position start960(int number);

// "KQkq" or "-": the castling field of a FEN.
std::string castling_text(const Position& pos);

// The first four fields of a FEN.
std::string board_text(const Position& pos);

std::string square_name(int sq);
std::optional<int> read_square(std::string_view text);
char letter(Side side, Piece piece);

// Standard algebraic notation. Reading is liberal: annotation marks, 0-0, e8Q, Ng1-f3 and Ngf3 are understood,
// but a text that fits several legal moves is refused.
std::string san(const Position& pos, Move move);
Move read_san(const Position& pos, std::string_view text);

// UCI coordinates. Castling is e1g1 in usual chess and e1h1 (king takes rook) in Chess960; e1h1 is read in both.
std::string uci(const Position& pos, Move move);
Move read_uci(const Position& pos, std::string_view text);

}  // namespace chess
}  // namespace damier
