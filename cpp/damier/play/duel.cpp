// The loop of a game between engines.

#include "damier/play/duel.h"

namespace damier {

void MoveScores::add(const SearchResult& result) {
    scores.push_back(result.bound == Bound::None ? std::nullopt : std::optional(result.score));
    depths.push_back(result.depth);
    nodes.push_back(result.nodes);
    seconds.push_back(result.seconds);
}

std::optional<Result> play_on(Board& board, const std::array<DuelPlayer, 2>& players, std::size_t max_plies,
                              Adjudicator adjudicator, MoveScores& scores, const std::atomic<bool>& stop) {
    while (scores.size() < max_plies && !board.outcome(true)) {
        const Side side = board.turn();
        const auto& [engine, request] = players[static_cast<std::size_t>(index(side))];
        const SearchResult result = engine->play(board, request, stop);
        if (stop.load(std::memory_order_relaxed)) break;
        scores.add(result);
        board.push(result.move());
        if (board.outcome(true)) break;  // what the rules say comes before what the players think
        if (const auto agreed = adjudicator.after(side, scores.scores.back(), board.ply())) return agreed;
    }
    return std::nullopt;
}

}  // namespace damier
