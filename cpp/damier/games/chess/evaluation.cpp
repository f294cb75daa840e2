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

std::vector<std::string> ocap_names() { return {"pawns", "knights", "bishops", "rooks", "queens", "ranks advanced"}; }

void ocap_features(const Position& pos, std::span<float> features) {
    const Side us = pos.turn();
    for (int kind = 0; kind < 5; ++kind) {
        const auto piece = static_cast<Piece>(kind);
        features[static_cast<std::size_t>(kind)] =
            static_cast<float>(count(pos.pieces(us, piece)) - count(pos.pieces(!us, piece)));
    }
    features[5] = static_cast<float>((advancement(pos, us) - advancement(pos, !us)) / 10);
}

}  // namespace damier::chess
