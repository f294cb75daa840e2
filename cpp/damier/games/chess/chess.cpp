// The parts of the identity card that are no moves: starts, draws, squares, planes.

#include "damier/games/chess/chess.h"

#include <cstdlib>

#include "damier/game/actions.h"

namespace damier {

Chess::Position Chess::start(const Rules& rules) {
    if (rules.chess960) return chess::start960(518);
    return read_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", rules).position;
}

// FIDE 5.2.2 and 9.6 end the game by themselves; 9.2 and 9.3 need a claim.
std::optional<DrawRule> Chess::drawn(const Position& pos, const Past& past) {
    if (pos.is_dead()) return DrawRule{Reason::InsufficientMaterial, true};
    if (past.quiet_plies >= 150) return DrawRule{Reason::MoveLimit, true};
    if (past.occurrences >= 5) return DrawRule{Reason::Repetition, true};
    if (past.occurrences >= 3) return DrawRule{Reason::ThreefoldClaim, false};
    if (past.quiet_plies >= 100) return DrawRule{Reason::FiftyMovesClaim, false};
    return std::nullopt;
}

std::vector<SquareInfo> Chess::squares(const Rules&) {
    std::vector<SquareInfo> all;
    for (int sq = 0; sq < 64; ++sq) all.push_back({sq, chess::file_of(sq), chess::rank_of(sq), chess::square_name(sq)});
    return all;
}

char Chess::piece(const Position& pos, int sq) {
    if (sq < 0 || sq > 63 || !has(pos.occupied(), sq)) return 0;
    return chess::letter(pos.side_on(sq), pos.piece_on(sq));
}

std::array<Bits, 12> Chess::planes(const Position& pos) {
    std::array<Bits, 12> planes;
    for (int i = 0; i < 12; ++i) {
        planes[i] = pos.pieces(i < 6 ? Side::White : Side::Black, static_cast<chess::Piece>(i % 6));
    }
    return planes;
}

int Chess::moves_between(const Rules&, int from, int to) {
    const int files = std::abs(chess::file_of(to) - chess::file_of(from));
    const int ranks = std::abs(chess::rank_of(to) - chess::rank_of(from));
    if (files <= 1 && ranks == 1) {
        const bool promotes = (chess::rank_of(from) == 6 && chess::rank_of(to) == 7) ||
                              (chess::rank_of(from) == 1 && chess::rank_of(to) == 0);
        return promotes ? 4 : 1;
    }
    const bool straight = files == 0 || ranks == 0 || files == ranks;
    return from != to && (straight || files * ranks == 2) ? 1 : 0;
}

Chess::Position Chess::image(const Position& pos, int number) {
    if (number == 0) return pos;
    chess::Layout layout{.turn = pos.turn(), .chess960 = pos.chess960()};
    for (int i = 0; i < 6; ++i) layout.pieces[i] = flip_columns(pos.pieces(static_cast<chess::Piece>(i)));
    for (const Side side : {Side::White, Side::Black}) layout.sides[index(side)] = flip_columns(pos.pieces(side));
    if (pos.en_passant() != chess::NoSquare) layout.en_passant = static_cast<std::int8_t>(pos.en_passant() ^ 7);
    return Position(layout);
}

damier::Move Chess::plain(const Position& pos, Move move) {
    using Kind = damier::Move::Kind;
    const bool en_passant = move.manner() == chess::Manner::EnPassant;
    const int taken = en_passant ? (move.from() & 56) | (move.to() & 7) : move.to();  // beside the pawn that takes
    const auto promotion = move.promotion();
    return {.captured = pos.is_capture(move) ? bit(taken) : 0,
            .code = move.code(),
            .from = static_cast<std::uint8_t>(move.from()),
            .to = static_cast<std::uint8_t>(move.to()),
            .promotion = promotion ? chess::letter(Side::Black, *promotion) : '\0',
            .kind = move.is_castle() ? Kind::Castling
                    : en_passant     ? Kind::EnPassant
                                     : Kind::Ordinary};
}

std::string Chess::text(const damier::Move& move) {
    std::string text = chess::square_name(move.from) + chess::square_name(move.to);
    if (move.promotion) text += move.promotion;
    return text;
}

std::vector<int> Chess::path(const Position&, Move move) {
    return {move.from(), move.is_castle() ? chess::castling_squares(move.from(), move.to()).king : move.to()};
}

namespace chess {

// Bishops first (one per colour), then the queen and the knights on what is left; rook, king, rook fill the rest.
Position start960(int number) {
    assert(number >= 0 && number < 960);
    std::array<Piece, 8> rank;
    Bits empty = 0xFF;
    const auto place = [&](Piece piece, int file) {
        rank[file] = piece;
        empty ^= bit(file);
    };
    const auto nth_empty = [&](int n) { return first(deposit(bit(n), empty)); };

    place(Piece::Bishop, 2 * (number % 4) + 1);
    place(Piece::Bishop, 2 * (number / 4 % 4));
    place(Piece::Queen, nth_empty(number / 16 % 6));
    constexpr std::array<std::array<int, 2>, 10> Knights{
        {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}};
    const auto [low, high] = Knights[number / 96];
    place(Piece::Knight, nth_empty(high));
    place(Piece::Knight, nth_empty(low));
    place(Piece::Rook, nth_empty(0));
    place(Piece::King, nth_empty(0));
    place(Piece::Rook, nth_empty(0));

    Layout layout;
    layout.chess960 = true;
    for (int file = 0; file < 8; ++file) {
        for (const Side side : {Side::White, Side::Black}) {
            const int edge = side == Side::White ? 0 : 7;
            layout.put(side, rank[file], square(file, edge));
            layout.put(side, Piece::Pawn, square(file, edge == 0 ? 1 : 6));
        }
    }
    layout.castling = layout.pieces[index(Piece::Rook)];
    return Position(layout);
}

}  // namespace chess

static_assert(Game<Chess> && CountsMoves<Chess> && HasPlanes<Chess> && HasStatePlanes<Chess> && KnowsActions<Chess>);
static_assert(KnowsQuiet<Chess> && HasTactics<Chess> && HasExchanges<Chess> && CanPass<Chess> && HasShapes<Chess>);
static_assert(HasSymmetries<Chess> && ForeseesKeys<Chess>);
static_assert(sizeof(Chess::Position) <= 96 && sizeof(Chess::Move) == 2);

}  // namespace damier
