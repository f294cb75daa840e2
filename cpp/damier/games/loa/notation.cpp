// Texts of Lines of Action: positions as "1xxxxxx1/o6o/... x" (last rank first, then the side to move), moves as
// "b1-b3" and captures as "b1xb3". The chess-like FEN of some programs ("1LLLLLL1/l6l/... w - - 0 1") is read too:
// there the upper case side is the one on the first and last rank, our Black, and "w" means that it moves.

#include <algorithm>
#include <cctype>

#include "damier/base/error.h"
#include "damier/base/text.h"
#include "damier/games/loa/lines.h"
#include "damier/games/loa/loa.h"

namespace damier {
namespace loa {
namespace {

std::string square_name(int sq) { return {static_cast<char>('a' + sq % 8), static_cast<char>('1' + sq / 8)}; }

std::optional<int> read_square(std::string_view text, int board) {
    if (text.size() != 2) return std::nullopt;
    const int file = std::tolower(static_cast<unsigned char>(text[0])) - 'a', rank = text[1] - '1';
    if (file < 0 || file >= board || rank < 0 || rank >= board) return std::nullopt;
    return square(file, rank);
}

// The two ways to name the sides; a text uses one of them throughout.
struct Letters {
    std::string_view black, white, black_moves, white_moves;
};
constexpr Letters Usual{"xX", "oO", "xX", "oO"}, ChessLike{"L", "l", "w", "b"};

Side read_side(std::string_view word, const Letters& letters) {
    if (word.size() == 1 && letters.black_moves.find(word[0]) != std::string_view::npos) return Side::Black;
    if (word.size() == 1 && letters.white_moves.find(word[0]) != std::string_view::npos) return Side::White;
    throw FenError("LOA FEN: side to move is " + shown(word) + ", expected " + letters.black_moves[0] + " or " +
                   letters.white_moves[0]);
}

std::optional<Side> read_piece(char letter, const Letters& letters) {
    if (letters.black.find(letter) != std::string_view::npos) return Side::Black;
    if (letters.white.find(letter) != std::string_view::npos) return Side::White;
    return std::nullopt;
}

struct Pieces {
    std::array<Bits, 2> of{};
};

void read_rank(std::string_view text, int rank, int board, const Letters& letters, Pieces& pieces) {
    const std::string where = "LOA FEN: rank " + std::to_string(rank + 1);
    int file = 0;
    for (const char letter : text) {
        if (letter >= '1' && letter <= '8') {
            file += letter - '0';
        } else if (const auto side = read_piece(letter, letters)) {
            if (file < board) pieces.of[static_cast<std::size_t>(index(*side))] |= bit(square(file, rank));
            ++file;
        } else {
            throw FenError(where + " holds " + shown({&letter, 1}) + ", expected " + letters.black[0] + ", " +
                           letters.white[0] + " or an empty count");
        }
    }
    if (file != board)
        throw FenError(where + " has " + std::to_string(file) + " squares, expected " + std::to_string(board));
}

Pieces read_board(std::string_view text, int board, const Letters& letters) {
    const auto ranks = std::count(text.begin(), text.end(), '/') + 1;
    if (ranks != board)
        throw FenError("LOA FEN: expected " + std::to_string(board) + " ranks, got " + std::to_string(ranks));
    Pieces pieces;
    for (int rank = board - 1; rank >= 0; --rank) {
        const auto end = std::min(text.find('/'), text.size());
        read_rank(text.substr(0, end), rank, board, letters, pieces);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    for (const Side side : {Side::White, Side::Black}) {
        const int held = count(pieces.of[static_cast<std::size_t>(index(side))]), most = 2 * (board - 2);
        const std::string who = side == Side::White ? "White (o)" : "Black (x)";
        if (held == 0) throw FenError("LOA FEN: " + who + " has no piece, expected 1 to " + std::to_string(most));
        if (held > most)
            throw FenError("LOA FEN: " + who + " has " + std::to_string(held) + " pieces, expected 1 to " +
                           std::to_string(most));
    }
    return pieces;
}

}  // namespace

std::string to_text(Move move) {
    if (move.is_pass()) return "pass";
    return square_name(move.from()) + (move.captures() ? 'x' : '-') + square_name(move.to());
}

std::optional<Ends> read_ends(std::string_view text, int board) {
    const bool separated = text.size() == 5 && std::string_view("-x:").find(text[2]) != std::string_view::npos;
    if (!separated && text.size() != 4) return std::nullopt;
    const auto from = read_square(text.substr(0, 2), board), to = read_square(text.substr(separated ? 3 : 2), board);
    if (!from || !to || *from == *to) return std::nullopt;
    return Ends{*from, *to};
}

}  // namespace loa

Setup<Loa::Position> Loa::read_fen(std::string_view text, const Rules& rules) {
    const auto fields = words(text);
    if (fields.size() != 2 && fields.size() != 6)
        throw FenError("LOA FEN: expected the board and the side to move, got " + shown(text));
    const auto& letters = fields[0].find_first_of("Ll") == std::string_view::npos ? loa::Usual : loa::ChessLike;
    const auto pieces = loa::read_board(fields[0], rules.size, letters);
    Setup<Position> setup{Position(pieces.of[0], pieces.of[1], loa::read_side(fields[1], letters), rules)};
    if (fields.size() == 6) {
        const auto quiet = parse_number(fields[4]), number = parse_number(fields[5]);
        if (!quiet || !number || *number < 1 || *quiet > LargestCounter || *number > LargestCounter)
            throw FenError("LOA FEN: counters " + shown(fields[4]) + " and " + shown(fields[5]) +
                           ", expected numbers such as 0 and 1, at most " + std::to_string(LargestCounter));
        setup.quiet_plies = *quiet;
        setup.move_number = *number;
    }
    return setup;
}

std::string Loa::fen(const Setup<Position>& setup) {
    const Position& pos = setup.position;
    const int board = pos.rules().size;
    std::string text;
    for (int rank = board - 1; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < board; ++file) {
            const char letter = piece(pos, loa::square(file, rank));
            if (letter == 0) {
                ++empty;
                continue;
            }
            if (empty > 0) text += static_cast<char>('0' + empty);
            empty = 0;
            text += letter;
        }
        if (empty > 0) text += static_cast<char>('0' + empty);
        text += rank > 0 ? '/' : ' ';
    }
    return text + (pos.turn() == Side::Black ? 'x' : 'o');
}

std::string Loa::text(const Position&, Move move) { return loa::to_text(move); }

Loa::Move Loa::read_move(const Position& pos, std::string_view text) {
    MoveList legal;
    if (!pos.decided()) pos.legal_moves(legal);
    if (text == "pass") {
        if (legal.size() == 1 && legal[0].is_pass()) return legal[0];
        throw MoveError("pass is illegal here: there are moves to play or the rules know no pass");
    }
    const auto ends = loa::read_ends(text, pos.rules().size);
    if (!ends) throw MoveError(shown(text) + " is not a move of this board, expected one such as b1-b3");
    for (const Move move : legal)
        if (!move.is_pass() && move.from() == ends->from && move.to() == ends->to) return move;
    throw MoveError(shown(text) + " is illegal in " + fen({pos}));
}

std::vector<SquareInfo> Loa::squares(const Rules& rules) {
    std::vector<SquareInfo> all;
    for (int rank = 0; rank < rules.size; ++rank)
        for (int file = 0; file < rules.size; ++file)
            all.push_back({loa::square(file, rank), file, rank, loa::square_name(loa::square(file, rank))});
    return all;
}

char Loa::piece(const Position& pos, int sq) {
    if (has(pos.pieces(Side::White), sq)) return 'o';
    return has(pos.pieces(Side::Black), sq) ? 'x' : 0;
}

}  // namespace damier
