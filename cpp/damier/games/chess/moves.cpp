// Legal moves without making and testing any: the squares that answer a check and the lines of pinned pieces are
// found first, then every piece moves within them. One generator serves listing and counting: it hands sets of
// squares to a sink, which expands or counts them. Tactical moves are the same with fewer targets.

#include "damier/games/chess/position.h"

namespace damier::chess {

namespace {

struct ListSink {
    MoveList& list;

    void one(Manner manner, int from, int to) { list.push_back(Move(manner, from, to)); }
    void from(Manner manner, int from, Bits targets) {
        for (const int to : squares(targets)) one(manner, from, to);
    }
    // Pawns that all come from `step` squares before their targets.
    void pawns(Manner manner, int step, Bits targets) {
        for (const int to : squares(targets)) one(manner, to - step, to);
    }
    void promotions(int step, Bits targets) {
        for (const int to : squares(targets)) {
            for (const Manner manner :
                 {Manner::PromoteQueen, Manner::PromoteRook, Manner::PromoteBishop, Manner::PromoteKnight}) {
                one(manner, to - step, to);
            }
        }
    }
};

struct CountSink {
    int moves = 0;

    void one(Manner, int, int) { ++moves; }
    void from(Manner, int, Bits targets) { moves += count(targets); }
    void pawns(Manner, int, Bits targets) { moves += count(targets); }
    void promotions(int, Bits targets) { moves += 4 * count(targets); }
};

enum class Wanted { All, Tactical };

template <Side Us, Wanted Moves, class Sink>
class Generator {
  public:
    Generator(const Position& pos, Sink& sink) : pos_(pos), sink_(sink) {}

    void generate() {
        find_checks_and_pins();
        king_moves();
        if (several(checkers_)) return;
        if (checkers_) targets_ &= between(king_, first(checkers_)) | checkers_;
        pawn_moves();
        if constexpr (Moves == Wanted::Tactical) targets_ &= theirs_;
        knight_moves();
        slider_moves();
    }

  private:
    static constexpr Side Them = !Us;

    // A piece is pinned when its removal lets an enemy slider see the king. One set holds all pins along ranks and
    // files and one all pins along diagonals: no piece can step from its pin to another pin of the same set.
    void find_checks_and_pins() {
        const Bits queens = pos_.pieces(Them, Piece::Queen);
        const Bits rooks = pos_.pieces(Them, Piece::Rook) | queens;
        const Bits bishops = pos_.pieces(Them, Piece::Bishop) | queens;
        const Bits straight = rook_attacks(king_, occupied_);
        const Bits diagonal = bishop_attacks(king_, occupied_);
        checkers_ = (straight & rooks) | (diagonal & bishops) |
                    (knight_attacks(king_) & pos_.pieces(Them, Piece::Knight)) |
                    (pawn_attacks(Us, bit(king_)) & pos_.pieces(Them, Piece::Pawn));
        for (const int sq : squares(rook_attacks(king_, occupied_ ^ (straight & ours_)) & ~straight & rooks)) {
            straight_pins_ |= between(king_, sq) | bit(sq);
        }
        for (const int sq : squares(bishop_attacks(king_, occupied_ ^ (diagonal & ours_)) & ~diagonal & bishops)) {
            diagonal_pins_ |= between(king_, sq) | bit(sq);
        }
    }

    // What the enemy attacks once our king has left its square.
    Bits attacked_by_them() const {
        const Bits occupied = occupied_ ^ bit(king_);
        const Bits queens = pos_.pieces(Them, Piece::Queen);
        Bits attacked = pawn_attacks(Them, pos_.pieces(Them, Piece::Pawn)) | king_attacks(pos_.king(Them));
        for (const int sq : squares(pos_.pieces(Them, Piece::Knight))) attacked |= knight_attacks(sq);
        const Bits bishops = pos_.pieces(Them, Piece::Bishop) | queens, rooks = pos_.pieces(Them, Piece::Rook) | queens;
        for (const int sq : squares(bishops)) attacked |= bishop_attacks(sq, occupied);
        for (const int sq : squares(rooks)) attacked |= rook_attacks(sq, occupied);
        return attacked;
    }

    void king_moves() {
        if constexpr (Moves == Wanted::Tactical) return king_captures();
        const Bits steps = king_attacks(king_) & ~ours_;
        const Bits rooks = checkers_ ? 0 : rooks_with_free_way();
        if ((steps | rooks) == 0) return;  // often so at the beginning of a game
        const Bits danger = attacked_by_them();
        sink_.from(Manner::King, king_, steps & ~danger);
        for (const int rook : squares(rooks)) {
            const Bits way = span(king_, castling_squares(king_, rook).king);
            if (!(way & danger)) sink_.one(Manner::Castle, king_, rook);
        }
    }

    // They are few: looking at their squares is cheaper than at all that the enemy attacks.
    void king_captures() {
        for (const int to : squares(king_attacks(king_) & theirs_)) {
            if (!pos_.attackers(Them, to, occupied_ ^ bit(king_))) sink_.one(Manner::King, king_, to);
        }
    }

    // The rooks that may castle as far as their way and the king's are empty. In Chess960 a rook may also shield its
    // king from a piece behind it: then it is pinned.
    Bits rooks_with_free_way() const {
        Bits found = 0;
        for (const int rook : squares(pos_.castling_rooks(Us) & ~straight_pins_)) {
            if (between(king_, rook) & occupied_) continue;  // the usual reason, and cheap to see
            const auto [king_to, rook_to] = castling_squares(king_, rook);
            const Bits others = occupied_ ^ bit(king_) ^ bit(rook);
            if (!((span(king_, king_to) | span(rook, rook_to)) & others)) found |= bit(rook);
        }
        return found;
    }

    // The squares between two squares of one rank, both included.
    static Bits span(int a, int b) { return a < b ? (bit(b) << 1) - bit(a) : (bit(a) << 1) - bit(b); }

    void pawn_moves() {
        constexpr int Up = forward(Us);
        const Bits pawns = pos_.pieces(Us, Piece::Pawn);
        const Bits pushers = (Moves == Wanted::All ? pawns : pawns & rank_bits(Us, 6)) & ~diagonal_pins_;
        const Bits pushed =
            (shift(pushers & ~straight_pins_, Up) | (shift(pushers & straight_pins_, Up) & straight_pins_)) &
            ~occupied_;
        pawns_to(Up, pushed & targets_);
        sink_.pawns(Manner::DoublePush, 2 * Up, shift(pushed & rank_bits(Us, 2), Up) & ~occupied_ & targets_);

        const Bits takers = pawns & ~straight_pins_;
        const Bits free = takers & ~diagonal_pins_, pinned = takers & diagonal_pins_;
        const Bits victims = theirs_ & targets_;
        pawns_to(Up - 1, (pawns_left(Us, free) | (pawns_left(Us, pinned) & diagonal_pins_)) & victims);
        pawns_to(Up + 1, (pawns_right(Us, free) | (pawns_right(Us, pinned) & diagonal_pins_)) & victims);
        if (pos_.en_passant() != NoSquare) en_passant_moves(pawns);
    }

    void pawns_to(int step, Bits targets) {
        constexpr Bits Last = rank_bits(Us, 7);
        sink_.pawns(Manner::Pawn, step, targets & ~Last);
        if (targets & Last) sink_.promotions(step, targets & Last);
    }

    void en_passant_moves(Bits pawns) {
        const int to = pos_.en_passant();
        for (const int from : squares(pawn_attacks(Them, bit(to)) & pawns)) {
            if (pos_.en_passant_is_legal(from, to)) sink_.one(Manner::EnPassant, from, to);
        }
    }

    // A pinned knight never moves.
    void knight_moves() {
        for (const int sq : squares(pos_.pieces(Us, Piece::Knight) & ~straight_pins_ & ~diagonal_pins_)) {
            sink_.from(Manner::Knight, sq, knight_attacks(sq) & targets_);
        }
    }

    void slider_moves() {
        const Bits bishops = pos_.pieces(Us, Piece::Bishop);
        const Bits rooks = pos_.pieces(Us, Piece::Rook);
        const Bits queens = pos_.pieces(Us, Piece::Queen);
        const Bits free = ~straight_pins_ & ~diagonal_pins_;
        for (const int sq : squares(bishops & free)) {
            sink_.from(Manner::Bishop, sq, bishop_attacks(sq, occupied_) & targets_);
        }
        for (const int sq : squares(rooks & free)) {
            sink_.from(Manner::Rook, sq, rook_attacks(sq, occupied_) & targets_);
        }
        for (const int sq : squares(queens & free)) {
            sink_.from(Manner::Queen, sq, queen_attacks(sq, occupied_) & targets_);
        }

        // A pinned slider moves along its pin, if it moves that way at all.
        const Bits along_diagonals = targets_ & diagonal_pins_, along_lines = targets_ & straight_pins_;
        for (const int sq : squares((bishops | queens) & diagonal_pins_)) {
            sink_.from(manner_of(sq), sq, bishop_attacks(sq, occupied_) & along_diagonals);
        }
        for (const int sq : squares((rooks | queens) & straight_pins_)) {
            sink_.from(manner_of(sq), sq, rook_attacks(sq, occupied_) & along_lines);
        }
    }

    Manner manner_of(int sq) const { return static_cast<Manner>(pos_.piece_on(sq)); }

    const Position& pos_;
    Sink& sink_;
    const int king_ = pos_.king(Us);
    const Bits ours_ = pos_.pieces(Us);
    const Bits theirs_ = pos_.pieces(Them);
    const Bits occupied_ = ours_ | theirs_;
    Bits checkers_ = 0;
    Bits straight_pins_ = 0;  // pinned pieces, their pinners and the squares between, on ranks and files
    Bits diagonal_pins_ = 0;
    Bits targets_ = ~ours_;  // where pieces other than the king may go
};

template <Wanted Moves, class Sink>
void generate(const Position& pos, Sink& sink) {
    if (pos.turn() == Side::White) {
        Generator<Side::White, Moves, Sink>(pos, sink).generate();
    } else {
        Generator<Side::Black, Moves, Sink>(pos, sink).generate();
    }
}

}  // namespace

void Position::legal_moves(MoveList& list) const {
    ListSink sink{list};
    generate<Wanted::All>(*this, sink);
}

void Position::tactical_moves(MoveList& list) const {
    ListSink sink{list};
    generate<Wanted::Tactical>(*this, sink);
}

int Position::count_legal_moves() const {
    CountSink sink;
    generate<Wanted::All>(*this, sink);
    return sink.moves;
}

}  // namespace damier::chess
