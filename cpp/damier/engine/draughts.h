// The door to the draughts family: its variants as a list, each able to set up a board.

#pragma once

#include "damier/engine/board.h"
#include "damier/games/draughts/draughts.h"

namespace damier {

template <>
const std::vector<NamedEvaluation<Draughts>>& evaluations<Draughts>();
template <>
const std::vector<FeatureSet<Draughts>>& feature_sets<Draughts>();
extern template class GameBoard<Draughts>;

}  // namespace damier

namespace damier::draughts {

using Door = damier::Board<Move>;

struct Variant {
    Rules rules;
    std::string_view name = rules->name;
    std::string_view title = rules->title;
    int game_type = rules->game_type;
    bool two_point_win = rules->two_point_win;

    std::unique_ptr<Door> make(const std::optional<std::string>& fen) const;
    std::vector<int> path(const Door& board, Move move) const;  // the squares of one route, start and end included
};

const std::vector<Variant>& variants();

}  // namespace damier::draughts
