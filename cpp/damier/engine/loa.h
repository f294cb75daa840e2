// The door to Lines of Action.

#pragma once

#include "damier/engine/board.h"
#include "damier/games/loa/loa.h"

namespace damier {

template <>
const std::vector<NamedEvaluation<Loa>>& evaluations<Loa>();
template <>
const std::vector<FeatureSet<Loa>>& feature_sets<Loa>();
extern template class GameBoard<Loa>;

}  // namespace damier
