// The door to chess.

#pragma once

#include "damier/engine/board.h"
#include "damier/games/chess/chess.h"

namespace damier {

template <>
const std::vector<NamedEvaluation<Chess>>& evaluations<Chess>();
template <>
const std::vector<FeatureSet<Chess>>& feature_sets<Chess>();
extern template class GameBoard<Chess>;

}  // namespace damier
