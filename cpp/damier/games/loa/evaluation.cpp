// Evaluations of Lines of Action by hand.

#include "damier/games/loa/evaluation.h"

namespace damier::loa {

int material(const Position& pos) { return 100 * (count(pos.pieces(pos.turn())) - count(pos.pieces(!pos.turn()))); }

std::vector<Term> material_terms(const Position& pos) {
    const int white = 100 * count(pos.pieces(Side::White)), black = 100 * count(pos.pieces(Side::Black));
    return {{"pieces", double(white), double(black), double(white - black)}};
}

}  // namespace damier::loa
