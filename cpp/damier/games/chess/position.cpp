// Playing moves on a chess position, and what it is made of.

#include "damier/games/chess/position.h"

#include "damier/base/random.h"

namespace damier::chess {

namespace {

struct Keys {
    std::array<std::array<std::array<Key, 64>, 6>, 2> pieces{};
    std::array<Key, 64> castling{};
    std::array<Key, 8> en_passant{};
    Key black_to_move = 0;

    constexpr Keys() {
        std::uint64_t state = 0x63686573;  // any seed does
        for (auto& side : pieces) {
            for (auto& piece : side) {
                for (Key& key : piece) key = splitmix(state);
            }
        }
        for (Key& key : castling) key = splitmix(state);
        for (Key& key : en_passant) key = splitmix(state);
        black_to_move = splitmix(state);
    }
};
constexpr Keys KeyTable;

}  // namespace

Position::Position(const Layout& layout) : at_(layout) {
    assert(count(pieces(Side::White, Piece::King)) == 1 && count(pieces(Side::Black, Piece::King)) == 1);
    if (at_.en_passant != NoSquare && !can_take_en_passant(at_.en_passant)) at_.en_passant = NoSquare;
    key_ = fresh_key();
}

Key Position::fresh_key() const {
    Key key = turn() == Side::White ? 0 : KeyTable.black_to_move;
    for (const int sq : squares(occupied())) key ^= KeyTable.pieces[index(side_on(sq))][index(piece_on(sq))][sq];
    for (const int sq : squares(at_.castling)) key ^= KeyTable.castling[sq];
    if (at_.en_passant != NoSquare) key ^= KeyTable.en_passant[file_of(at_.en_passant)];
    return key;
}

Key Position::key_after(Move move) const {
    const auto &ours = KeyTable.pieces[index(turn())], &theirs = KeyTable.pieces[index(!turn())];
    const int from = move.from(), to = move.to();
    Key key = key_ ^ KeyTable.black_to_move ^ ours[index(move.piece())][from] ^
              ours[index(move.promotion().value_or(move.piece()))][to];
    if (has(pieces(!turn()), to)) key ^= theirs[index(piece_on(to))][to];
    return key;
}

bool Position::en_passant_is_legal(int from, int to) const {
    const Bits taken = bit(to - forward(turn()));
    const Bits left = (occupied() ^ bit(from) ^ taken) | bit(to);
    return (attackers(!turn(), king(turn()), left) & ~taken) == 0;
}

bool Position::can_take_en_passant(int to) const {
    for (const int from : squares(pawn_attacks(!turn(), bit(to)) & pieces(turn(), Piece::Pawn))) {
        if (en_passant_is_legal(from, to)) return true;
    }
    return false;
}

// The sliders that see the enemy king on the board as the move leaves it, and the piece that lands.
bool Position::gives_check(Move move) const {
    const int from = move.from(), to = move.to(), king = this->king(!turn());
    Bits left = pieces(turn()) & ~bit(from);
    Bits after = (occupied() & ~bit(from)) | bit(to);
    Bits straight = pieces(Piece::Rook) | pieces(Piece::Queen);
    Bits diagonal = pieces(Piece::Bishop) | pieces(Piece::Queen);
    Bits landed = bit(to);
    Piece piece = move.promotion().value_or(move.piece());
    if (move.manner() == Manner::EnPassant) after ^= bit(to - forward(turn()));
    if (move.is_castle()) {
        const auto [king_to, rook_to] = castling_squares(from, to);
        left &= ~bit(to);
        after = (after & ~bit(to)) | bit(king_to) | bit(rook_to);
        landed = bit(rook_to);
        piece = Piece::Rook;
    }
    straight &= left;
    diagonal &= left;
    if (piece == Piece::Pawn && has(pawn_attacks(turn(), landed), king)) return true;
    if (piece == Piece::Knight && (knight_attacks(king) & landed)) return true;
    if (piece == Piece::Bishop || piece == Piece::Queen) diagonal |= landed;
    if (piece == Piece::Rook || piece == Piece::Queen) straight |= landed;
    return (rook_attacks(king, after) & straight) || (bishop_attacks(king, after) & diagonal);
}

Outcome Position::stuck() const {
    if (in_check()) return {win_for(!turn()), Reason::Checkmate};
    return {Result::Draw, Reason::Stalemate};
}

// A lone minor piece cannot mate, nor can bishops that all stand on one colour.
bool Position::is_dead() const {
    if (pieces(Piece::Pawn) | pieces(Piece::Rook) | pieces(Piece::Queen)) return false;
    if (count(occupied()) <= 3) return true;
    const Bits bishops = pieces(Piece::Bishop);
    return !pieces(Piece::Knight) && (!(bishops & LightSquares) || !(bishops & ~LightSquares));
}

void Position::put(Side side, Piece piece, int sq) {
    at_.put(side, piece, sq);
    key_ ^= KeyTable.pieces[index(side)][index(piece)][sq];
}

void Position::remove(Side side, Piece piece, int sq) {
    assert(has(pieces(side, piece), sq));
    at_.pieces[index(piece)] ^= bit(sq);
    at_.sides[index(side)] ^= bit(sq);
    key_ ^= KeyTable.pieces[index(side)][index(piece)][sq];
}

void Position::lose_castling(Bits rooks) {
    for (const int sq : squares(at_.castling & rooks)) key_ ^= KeyTable.castling[sq];
    at_.castling &= ~rooks;
}

template <Side Us>
void Position::castle(int king, int rook) {
    const auto [king_to, rook_to] = castling_squares(king, rook);
    remove(Us, Piece::King, king);
    remove(Us, Piece::Rook, rook);
    put(Us, Piece::King, king_to);
    put(Us, Piece::Rook, rook_to);
}

template <Side Us>
void Position::play_as(Move move) {
    constexpr Side Them = !Us;
    const int from = move.from(), to = move.to();
    const Manner manner = move.manner();
    const Piece piece = move.piece();

    key_ ^= KeyTable.black_to_move;
    at_.turn = Them;
    if (at_.en_passant != NoSquare) {
        key_ ^= KeyTable.en_passant[file_of(at_.en_passant)];
        at_.en_passant = NoSquare;
    }
    if (at_.castling) lose_castling(bit(from) | bit(to) | (piece == Piece::King ? rank_bits(Us, 0) : 0));

    if (manner == Manner::Castle) return castle<Us>(from, to);
    if (has(pieces(Them), to)) remove(Them, piece_on(to), to);
    remove(Us, piece, from);
    put(Us, move.promotion().value_or(piece), to);
    if (manner == Manner::EnPassant) remove(Them, Piece::Pawn, to - forward(Us));
    if (manner == Manner::DoublePush && can_take_en_passant(to - forward(Us))) {
        at_.en_passant = static_cast<std::int8_t>(to - forward(Us));
        key_ ^= KeyTable.en_passant[file_of(to)];
    }
}

void Position::pass() {
    key_ ^= KeyTable.black_to_move;
    at_.turn = !at_.turn;
    if (at_.en_passant == NoSquare) return;
    key_ ^= KeyTable.en_passant[file_of(at_.en_passant)];
    at_.en_passant = NoSquare;
}

void Position::play(Move move) { turn() == Side::White ? play_as<Side::White>(move) : play_as<Side::Black>(move); }

}  // namespace damier::chess
