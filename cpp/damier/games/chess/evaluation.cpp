// Evaluations of chess by hand.

#include "damier/games/chess/evaluation.h"

namespace damier::chess {

namespace {

int material(const Position& pos, Side side) {
    int sum = 0;
    for (int piece = 0; piece < 6; ++piece)
        sum += PieceValues[piece] * count(pos.pieces(side, static_cast<Piece>(piece)));
    return sum;
}

int advancement(const Position& pos, Side side) {
    int ranks = 0;
    for (int rank = 1; rank < 8; ++rank) ranks += rank * count(pos.pieces(side) & rank_bits(side, rank));
    return 10 * ranks;
}

}  // namespace

int ocap(const Position& pos) {
    const Side us = pos.turn();
    return material(pos, us) + advancement(pos, us) - material(pos, !us) - advancement(pos, !us);
}

std::vector<Term> ocap_terms(const Position& pos) {
    const auto term = [&](const char* name, auto of) {
        const double white = of(pos, Side::White), black = of(pos, Side::Black);
        return Term{name, white, black, white - black};
    };
    return {term("material", material), term("advancement", advancement)};
}

}  // namespace damier::chess
