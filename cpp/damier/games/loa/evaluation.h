// Hand-written evaluations of Lines of Action, for the side to move, in hundredths of a man.

#pragma once

#include <vector>

#include "damier/eval/evaluator.h"
#include "damier/games/loa/loa.h"

namespace damier::loa {

// Pieces alone. In this game having more of them is no clear advantage.
int material(const Position& pos);
std::vector<Term> material_terms(const Position& pos);

}  // namespace damier::loa
