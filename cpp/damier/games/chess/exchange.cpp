// Static exchange: what a move wins or loses if both sides then take on its target square with their least piece, as
// long as it pays. Pins are not seen, and a pawn that takes back on the last rank stays a pawn.

#include "damier/games/chess/exchange.h"

namespace damier::chess {

namespace {

// The pieces around a target square, leaving one by one. Those behind a piece that leaves join in.
class Exchange {
  public:
    Exchange(const Position& pos, int target, Bits occupied)
        : pos_(pos),
          target_(target),
          occupied_(occupied),
          attackers_(pos.attackers(Side::White, target, occupied) | pos.attackers(Side::Black, target, occupied)) {}

    bool attacked_by(Side side) const { return (attackers_ & occupied_ & pos_.pieces(side)) != 0; }

    // Takes with the least piece of a side that has one.
    Piece take(Side side) {
        const Bits takers = attackers_ & occupied_ & pos_.pieces(side);
        int least = index(Piece::Pawn);
        while (!(takers & pos_.pieces(static_cast<Piece>(least)))) ++least;
        const Piece piece = static_cast<Piece>(least);
        occupied_ ^= bit(first(takers & pos_.pieces(piece)));
        if (piece != Piece::Knight) uncover();
        return piece;
    }

  private:
    void uncover() {
        const Bits queens = pos_.pieces(Piece::Queen);
        attackers_ |= (bishop_attacks(target_, occupied_) & (pos_.pieces(Piece::Bishop) | queens)) |
                      (rook_attacks(target_, occupied_) & (pos_.pieces(Piece::Rook) | queens));
    }

    const Position& pos_;
    const int target_;
    Bits occupied_;
    Bits attackers_;
};

}  // namespace

int Position::prize(Move move) const {
    if (move.manner() == Manner::EnPassant) return exchange_value(Piece::Pawn);
    int value = is_capture(move) ? exchange_value(piece_on(move.to())) : 0;
    if (const auto promoted = move.promotion()) value += exchange_value(*promoted) - exchange_value(Piece::Pawn);
    return value;
}

// A side that takes is content if it reaches its aim even when its taker is lost for nothing; otherwise the other takes
// back. Who cannot, or may not, has failed.
bool Position::exchange_is_at_least(Move move, int least) const {
    if (move.is_castle()) return least <= 0;
    int margin = prize(move) - least;  // of the side that took last, if nobody takes back
    if (margin < 0) return false;
    margin -= exchange_value(move.promotion().value_or(move.piece()));
    if (margin >= 0) return true;

    Bits left = (occupied() & ~bit(move.from())) | bit(move.to());
    if (move.manner() == Manner::EnPassant) left ^= bit(move.to() - forward(turn()));
    Exchange exchange(*this, move.to(), left);
    Side side = !turn();
    for (; exchange.attacked_by(side); side = !side) {
        const Piece taker = exchange.take(side);
        if (taker == Piece::King && exchange.attacked_by(!side)) break;
        margin = -margin - 1 - exchange_value(taker);  // our aim is to reach `least`, theirs to stay 1 below
        if (margin >= 0) return side == turn();
    }
    return side != turn();
}

}  // namespace damier::chess
