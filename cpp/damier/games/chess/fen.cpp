// Forsyth-Edwards notation, read strictly: what cannot have been reached by play is refused where that is easy to see.

#include <algorithm>
#include <utility>

#include "damier/base/error.h"
#include "damier/base/text.h"
#include "damier/games/chess/chess.h"

namespace damier {

namespace chess {

namespace {

constexpr std::string_view Letters = "PNBRQKpnbrqk";
constexpr std::string_view SideNames[] = {"White", "Black"};

[[noreturn]] void refuse(const std::string& why) { throw FenError("bad FEN: " + why); }

std::string name(Side side) { return std::string(SideNames[index(side)]); }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

void read_rank(Layout& layout, std::string_view text, int rank) {
    const std::string where = "rank " + std::to_string(rank + 1) + " " + shown(text);
    int file = 0;
    for (const char c : text) {
        if (c >= '1' && c <= '8') {
            file += c - '0';
        } else if (const auto found = Letters.find(c); found == std::string_view::npos) {
            refuse(where + " has " + shown({&c, 1}) + " where a piece letter or a digit 1 to 8 was expected");
        } else if (file < 8) {
            layout.put(found < 6 ? Side::White : Side::Black, static_cast<Piece>(found % 6), square(file++, rank));
        } else {
            ++file;
        }
    }
    if (file != 8) refuse(where + " describes " + std::to_string(file) + " squares instead of 8");
}

void read_board(Layout& layout, std::string_view text) {
    if (const auto ranks = std::count(text.begin(), text.end(), '/') + 1; ranks != 8) {
        refuse("the board " + shown(text) + " has " + std::to_string(ranks) + " ranks instead of 8");
    }
    for (int rank = 7; rank >= 0; --rank) {
        const std::size_t end = std::min(text.find('/'), text.size());
        read_rank(layout, text.substr(0, end), rank);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

Side read_turn(std::string_view text) {
    if (text == "w") return Side::White;
    if (text == "b") return Side::Black;
    refuse("the side to move is " + shown(text) + " where w or b was expected");
}

// The rook meant by a castling letter, NoSquare if there is none: K and Q mean the outermost one (X-FEN).
int castling_rook(Bits rooks, int king, char letter) {
    const Bits right = rooks & ~((bit(king) << 1) - 1), left = rooks & (bit(king) - 1);
    if (letter == 'K') return right ? 63 - std::countl_zero(right) : NoSquare;
    if (letter == 'Q') return left ? first(left) : NoSquare;
    const int sq = (king & ~7) + letter - 'A';
    return has(rooks, sq) && sq != king ? sq : NoSquare;
}

Bits read_castling(const Layout& layout, std::string_view text) {
    if (text == "-") return 0;
    Bits castling = 0;
    for (const char c : text) {
        const Side side = c == upper(c) ? Side::White : Side::Black;
        const char letter = upper(c);
        if (letter != 'K' && letter != 'Q' && (letter < 'A' || letter > 'H')) {
            refuse("the castling rights are " + shown(text) +
                   " where letters among KQkq, A to H and a to h, or - were expected");
        }
        const std::string right = "the castling right " + shown({&c, 1});
        const Bits home = rank_bits(side, 0) & layout.sides[index(side)];
        const Bits kings = home & layout.pieces[index(Piece::King)];
        if (!(kings & ~FileA & ~FileH)) {
            refuse(right + " needs the king of " + name(side) + " on its first rank, inside the corners");
        }
        const int king = first(kings);
        const int rook = castling_rook(home & layout.pieces[index(Piece::Rook)], king, letter);
        if (rook == NoSquare) refuse(right + " has no rook of " + name(side) + " to castle with");
        const Bits same_side = rook > king ? ~(bit(king) - 1) : bit(king) - 1;
        if (castling & home & same_side) refuse(right + " repeats a right already given in " + shown(text));
        const bool usual = file_of(king) == 4 && (file_of(rook) == 0 || file_of(rook) == 7);
        if (!usual && !layout.chess960) {
            refuse(right + " is one of Chess960; in chess the king castles from e1 or e8 with a rook in the corner");
        }
        castling |= bit(rook);
    }
    return castling;
}

int read_en_passant(const Layout& layout, std::string_view text) {
    if (text == "-") return NoSquare;
    const auto sq = read_square(text);
    if (!sq) refuse("the en passant square is " + shown(text) + " where a square or - was expected");
    const Side them = !layout.turn;
    const int from = *sq - forward(them), pushed = *sq + forward(them);
    const Bits pawns = layout.pieces[index(Piece::Pawn)] & layout.sides[index(them)];
    const Bits occupied = layout.sides[0] | layout.sides[1];
    if (!has(rank_bits(them, 2), *sq) || !has(pawns, pushed) || has(occupied, *sq) || has(occupied, from)) {
        refuse("no pawn of " + name(them) + " can just have passed over the en passant square " + std::string(text));
    }
    return *sq;
}

int read_counter(std::string_view text, const std::string& what) {
    const auto number = parse_number(text);
    if (!number || *number > LargestCounter) {
        refuse("the " + what + " is " + shown(text) + " where a number from 0 to " + std::to_string(LargestCounter) +
               " was expected");
    }
    return *number;
}

// Pieces beyond the first set are promoted pawns.
int promoted(const Layout& layout, Side side) {
    const auto beyond = [&](Piece piece, int at_first, Bits where) {
        return std::max(0, count(layout.pieces[index(piece)] & layout.sides[index(side)] & where) - at_first);
    };
    return beyond(Piece::Knight, 2, ~Bits{0}) + beyond(Piece::Bishop, 1, LightSquares) +
           beyond(Piece::Bishop, 1, ~LightSquares) + beyond(Piece::Rook, 2, ~Bits{0}) +
           beyond(Piece::Queen, 1, ~Bits{0});
}

void check_material(const Layout& layout) {
    for (const Side side : {Side::White, Side::Black}) {
        const Bits all = layout.sides[index(side)];
        const int kings = count(all & layout.pieces[index(Piece::King)]);
        const int pawns = count(all & layout.pieces[index(Piece::Pawn)]);
        if (kings != 1) refuse(name(side) + " has " + std::to_string(kings) + " kings instead of 1");
        if (count(all) > 16) refuse(name(side) + " has " + std::to_string(count(all)) + " pieces, 16 is the most");
        if (pawns > 8) refuse(name(side) + " has " + std::to_string(pawns) + " pawns, 8 is the most");
        if (const int extra = promoted(layout, side); extra > 8 - pawns) {
            refuse(name(side) + " has " + std::to_string(extra) + " promoted pieces but misses only " +
                   std::to_string(8 - pawns) + " pawns");
        }
    }
    if (const Bits wrong =
            layout.pieces[index(Piece::Pawn)] & (rank_bits(Side::White, 0) | rank_bits(Side::White, 7))) {
        refuse("a pawn stands on " + square_name(first(wrong)) + ", on a first or last rank");
    }
}

void check_checks(const Position& pos) {
    const Side us = pos.turn();
    if (pos.attackers(us, pos.king(!us), pos.occupied())) {
        refuse("the king of " + name(!us) + " is in check but " + name(us) + " is to move");
    }
    if (const int checkers = count(pos.checkers()); checkers > 2) {
        refuse("the king of " + name(us) + " is in check from " + std::to_string(checkers) + " pieces, 2 is the most");
    }
}

}  // namespace

std::string castling_text(const Position& pos) {
    std::string text;
    for (const Side side : {Side::White, Side::Black}) {
        const Bits rooks = pos.pieces(side, Piece::Rook) & rank_bits(side, 0);
        const int king = pos.king(side);
        std::string letters;
        for (const int rook : squares(pos.castling_rooks(side))) {
            const char usual = rook > king ? 'K' : 'Q';
            const bool outermost = castling_rook(rooks, king, usual) == rook;
            letters.insert(0, 1, outermost ? usual : static_cast<char>('A' + file_of(rook)));
        }
        for (const char c : letters) text += side == Side::White ? c : static_cast<char>(c - 'A' + 'a');
    }
    return text.empty() ? "-" : text;
}

std::string board_text(const Position& pos) {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < 8; ++file) {
            const char c = Chess::piece(pos, square(file, rank));
            if (c == 0) {
                ++empty;
                continue;
            }
            if (empty > 0) text += std::to_string(std::exchange(empty, 0));
            text += c;
        }
        if (empty > 0) text += std::to_string(empty);
        text += rank > 0 ? "/" : " ";
    }
    text += pos.turn() == Side::White ? "w " : "b ";
    return text + castling_text(pos) + " " + (pos.en_passant() == NoSquare ? "-" : square_name(pos.en_passant()));
}

std::string square_name(int sq) { return {static_cast<char>('a' + file_of(sq)), static_cast<char>('1' + rank_of(sq))}; }

std::optional<int> read_square(std::string_view text) {
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') return std::nullopt;
    return square(text[0] - 'a', text[1] - '1');
}

char letter(Side side, Piece piece) { return Letters[6 * index(side) + index(piece)]; }

}  // namespace chess

Setup<Chess::Position> Chess::read_fen(std::string_view text, const Rules& rules) {
    const auto fields = words(text);
    if (fields.size() != 4 && fields.size() != 6) {
        chess::refuse("expected 6 fields, or 4 without counters, got " + std::to_string(fields.size()) + " in " +
                      shown(text));
    }
    chess::Layout layout;
    layout.chess960 = rules.chess960;
    chess::read_board(layout, fields[0]);
    chess::check_material(layout);
    layout.turn = chess::read_turn(fields[1]);
    layout.castling = chess::read_castling(layout, fields[2]);
    layout.en_passant = static_cast<std::int8_t>(chess::read_en_passant(layout, fields[3]));
    Setup<Position> setup{Position(layout)};
    chess::check_checks(setup.position);
    if (fields.size() == 6) {
        setup.quiet_plies = chess::read_counter(fields[4], "halfmove clock");
        setup.move_number = std::max(1, chess::read_counter(fields[5], "move number"));
    }
    return setup;
}

std::string Chess::fen(const Setup<Position>& setup) {
    return chess::board_text(setup.position) + " " + std::to_string(setup.quiet_plies) + " " +
           std::to_string(setup.move_number);
}

}  // namespace damier
