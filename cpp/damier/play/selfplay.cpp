// Self-play, game by game.

#include "damier/play/selfplay.h"

#include "damier/play/duel.h"
#include "damier/play/opening.h"

namespace damier {

namespace {

void add(SelfPlayGames& games, const Board& board, const MoveScores& played, std::optional<Result> agreed) {
    const auto codes = board.codes();
    const auto outcome = board.outcome(true);
    games.codes.insert(games.codes.end(), codes.begin(), codes.end());
    games.ends.push_back(static_cast<std::int32_t>(games.codes.size()));
    games.plies.push_back(static_cast<std::uint32_t>(board.ply()));
    games.results.push_back(outcome ? outcome->result : agreed.value_or(Result::Draw));
    games.reasons.push_back(outcome ? outcome->reason : Reason::MoveLimit);
    games.ended_by.push_back(outcome ? EndedBy::Rules : agreed ? EndedBy::Adjudicator : EndedBy::Length);
    games.scores.insert(games.scores.end(), board.ply() - played.size(), NotSearched);
    for (const auto& score : played.scores)
        games.scores.push_back(static_cast<std::int16_t>(score.value_or(NotSearched)));
    games.score_ends.push_back(static_cast<std::int32_t>(games.scores.size()));
}

}  // namespace

SelfPlayGames play_against_itself(Engine& engine, const Board& board, const SelfPlay& settings,
                                  const std::atomic<bool>& stop) {
    SelfPlayGames games;
    const auto start = board.from_here();
    const std::array<DuelPlayer, 2> players{{{&engine, settings.request}, {&engine, settings.request}}};
    for (int i = 0; i < settings.games; ++i) {
        const std::uint64_t number = settings.first_game + static_cast<std::uint64_t>(i);
        std::uint64_t state = settings.seed;
        Random random(splitmix(state) ^ number);
        const auto game = random_opening(*start, static_cast<int>(settings.random_plies + number % 2), random);
        engine.clear();
        MoveScores scores;
        const auto agreed = play_on(*game, players, static_cast<std::size_t>(settings.max_plies) - game->ply(),
                                    settings.adjudicator, scores, stop);
        if (stop.load(std::memory_order_relaxed)) break;
        add(games, *game, scores, agreed);
    }
    return games;
}

}  // namespace damier
