// Hand-written evaluations of draughts, for the side to move, in hundredths of a man.

#pragma once

#include <vector>

#include "damier/game/term.h"
#include "damier/games/draughts/draughts.h"

namespace damier::draughts {

// The Paris report's: four weights, for men and kings of either side.
constexpr int ParisMan = 100, ParisKing = 300;

template <class R>
int paris(const Position<R>& pos) {
    const Side us = pos.turn();
    return ParisMan * (count(pos.men(us)) - count(pos.men(!us))) +
           ParisKing * (count(pos.kings(us)) - count(pos.kings(!us)));
}

template <class R>
std::vector<Term> paris_terms(const Position<R>& pos) {
    const auto term = [](const char* name, int worth, Bits white, Bits black) {
        const double w = worth * count(white), b = worth * count(black);
        return Term{name, w, b, w - b};
    };
    return {term("men", ParisMan, pos.men(Side::White), pos.men(Side::Black)),
            term("kings", ParisKing, pos.kings(Side::White), pos.kings(Side::Black))};
}

}  // namespace damier::draughts
