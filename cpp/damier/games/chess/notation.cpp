// Moves as text: standard algebraic notation (PGN standard 8.2.3) and UCI coordinates.

#include <algorithm>

#include "damier/base/error.h"
#include "damier/base/text.h"
#include "damier/games/chess/chess.h"

namespace damier {

namespace chess {

namespace {

constexpr std::string_view PieceLetters = "PNBRQK";

// What a text says about a move; what it leaves open is -1 or empty.
struct Description {
    Piece piece = Piece::Pawn;
    int from_file = -1;
    int from_rank = -1;
    int to = NoSquare;
    bool capture = false;
    std::optional<Piece> promotion;
    int castling = 0;  // 1 towards the h-file, -1 towards the a-file

    bool fits(const Position& pos, Move move) const {
        if (castling != 0) return move.is_castle() && (move.to() > move.from()) == (castling > 0);
        return !move.is_castle() && move.piece() == piece && move.to() == to && move.promotion() == promotion &&
               (from_file < 0 || from_file == file_of(move.from())) &&
               (from_rank < 0 || from_rank == rank_of(move.from())) && (!capture || pos.is_capture(move));
    }
};

std::optional<Piece> read_piece(char c, std::string_view among) {
    const auto found = PieceLetters.find(c);
    if (among.find(c) == std::string_view::npos || found == std::string_view::npos) return std::nullopt;
    return static_cast<Piece>(found);
}

std::optional<int> castling_side(std::string_view text) {
    if (text == "O-O" || text == "0-0" || text == "o-o") return 1;
    if (text == "O-O-O" || text == "0-0-0" || text == "o-o-o") return -1;
    return std::nullopt;
}

// Takes the promotion off the end of the text: e8=Q, e8Q, e8/Q, e8(Q) and e8=q.
std::optional<Piece> take_promotion(std::string_view& text) {
    std::string_view rest = text;
    if (rest.ends_with(')')) rest.remove_suffix(1);
    if (rest.size() < 3) return std::nullopt;
    const char last = rest.back();
    const auto piece = read_piece(last >= 'a' ? static_cast<char>(last - 'a' + 'A') : last, "NBRQ");
    if (!piece) return std::nullopt;
    rest.remove_suffix(1);
    if (rest.back() == '=' || rest.back() == '/' || rest.back() == '(') rest.remove_suffix(1);
    text = rest;
    return piece;
}

// [piece][file][rank][x or -]square[promotion][marks]
std::optional<Description> read_description(std::string_view text) {
    while (!text.empty() && std::string_view("+#!?").find(text.back()) != std::string_view::npos) text.remove_suffix(1);
    Description said;
    if (const auto side = castling_side(text)) {
        said.castling = *side;
        return said;
    }
    if (!text.empty()) {
        if (const auto piece = read_piece(text.front(), PieceLetters)) {
            said.piece = *piece;
            text.remove_prefix(1);
        }
    }
    said.promotion = take_promotion(text);
    if (text.size() < 2) return std::nullopt;
    const auto to = read_square(text.substr(text.size() - 2));
    if (!to) return std::nullopt;
    said.to = *to;
    text.remove_suffix(2);
    if (!text.empty() && (text.back() == 'x' || text.back() == ':' || text.back() == '-')) {
        said.capture = text.back() != '-';
        text.remove_suffix(1);
    }
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'h') {
        said.from_file = text.front() - 'a';
        text.remove_prefix(1);
    }
    if (!text.empty() && text.front() >= '1' && text.front() <= '8') {
        said.from_rank = text.front() - '1';
        text.remove_prefix(1);
    }
    if (!text.empty()) return std::nullopt;
    // A pawn that names no file goes straight on: d5 is not exd5.
    if (said.piece == Piece::Pawn && said.from_file < 0) said.from_file = file_of(said.to);
    return said;
}

// g1f3, e7e8q: nothing else is UCI, and SAN never looks so unless it means the same.
bool looks_like_uci(std::string_view text) {
    return (text.size() == 4 ||
            (text.size() == 5 && std::string_view("nbrq").find(text[4]) != std::string_view::npos)) &&
           read_square(text.substr(0, 2)) && read_square(text.substr(2, 2));
}

std::string unpromoted(std::string_view text) { return shown(text) + " lacks a promotion piece, as in e8=Q or e7e8q"; }

std::string illegal(const Position& pos, std::string_view text) {
    return shown(text) + " is illegal in " + board_text(pos);
}

// The file, the rank or both, as far as needed to tell the move from others of the same piece to the same square.
std::string origin(const Position& pos, Move move) {
    MoveList list;
    pos.legal_moves(list);
    bool alone = true, alone_on_file = true, alone_on_rank = true;
    for (const Move other : list) {
        if (other.manner() != move.manner() || other.to() != move.to() || other.from() == move.from()) continue;
        alone = false;
        if (file_of(other.from()) == file_of(move.from())) alone_on_file = false;
        if (rank_of(other.from()) == rank_of(move.from())) alone_on_rank = false;
    }
    const std::string from = square_name(move.from());
    if (alone) return "";
    if (alone_on_file) return from.substr(0, 1);
    return alone_on_rank ? from.substr(1) : from;
}

}  // namespace

std::string san(const Position& pos, Move move) {
    std::string text;
    if (move.is_castle()) {
        text = move.to() > move.from() ? "O-O" : "O-O-O";
    } else {
        const bool capture = pos.is_capture(move);
        if (move.piece() != Piece::Pawn) {
            text = letter(Side::White, move.piece());
            if (move.piece() != Piece::King) text += origin(pos, move);
        } else if (capture) {
            text = square_name(move.from()).substr(0, 1);
        }
        if (capture) text += 'x';
        text += square_name(move.to());
        if (const auto piece = move.promotion()) text += {'=', letter(Side::White, *piece)};
    }
    Position next = pos;
    next.play(move);
    if (!next.in_check()) return text;
    return text + (next.has_legal_move() ? '+' : '#');
}

namespace {

std::string ambiguous(const Position& pos, std::string_view text, const std::vector<Move>& fitting) {
    std::vector<std::string> names;
    for (const Move move : fitting) names.push_back(san(pos, move));
    std::ranges::sort(names);
    std::string said = shown(text) + " fits " + names.front();
    for (std::size_t i = 1; i < names.size(); ++i) {
        said += i + 1 < names.size() ? ", " : " and ";
        said += names[i];
    }
    return said;
}

}  // namespace

Move read_san(const Position& pos, std::string_view text) {
    const auto said = read_description(text);
    if (!said) throw MoveError(shown(text) + " is not a move: SAN such as Nf3 or UCI such as g1f3 was expected");
    MoveList list;
    pos.legal_moves(list);
    std::vector<Move> fitting;
    for (const Move move : list) {
        if (said->fits(pos, move)) fitting.push_back(move);
    }
    if (fitting.size() == 1) return fitting.front();
    if (fitting.size() > 1) throw MoveError(ambiguous(pos, text, fitting));
    if (said->piece == Piece::Pawn && !said->promotion && said->castling == 0 && (rank_of(said->to) + 1) % 8 < 2) {
        throw MoveError(unpromoted(text));
    }
    throw MoveError(illegal(pos, text));
}

std::string uci(const Position& pos, Move move) {
    const bool short_step = move.is_castle() && !pos.chess960();
    const int to = short_step ? castling_squares(move.from(), move.to()).king : move.to();
    std::string text = square_name(move.from()) + square_name(to);
    if (const auto piece = move.promotion()) text += letter(Side::Black, *piece);
    return text;
}

Move read_uci(const Position& pos, std::string_view text) {
    if (!looks_like_uci(text))
        throw MoveError(shown(text) + " is not a UCI move: two squares such as e2e4, or e7e8q, were expected");
    MoveList list;
    pos.legal_moves(list);
    for (const Move move : list) {
        const auto from = square_name(move.from());
        const bool rook_taken = move.is_castle() && text == from + square_name(move.to());
        if (rook_taken || text == uci(pos, move)) return move;
        // Some programs write e1g1 in Chess960 too; no king makes two steps otherwise.
        const bool two_steps = move.is_castle() && file_of(move.from()) == 4;
        if (two_steps && text == from + square_name(castling_squares(move.from(), move.to()).king)) return move;
        if (move.promotion() && text == from + square_name(move.to())) throw MoveError(unpromoted(text));
    }
    throw MoveError(illegal(pos, text));
}

}  // namespace chess

std::string Chess::text(const Position& pos, Move move) { return chess::san(pos, move); }

Chess::Move Chess::read_move(const Position& pos, std::string_view text) {
    return chess::looks_like_uci(text) ? chess::read_uci(pos, text) : chess::read_san(pos, text);
}

}  // namespace damier
