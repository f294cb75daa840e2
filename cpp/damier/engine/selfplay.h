// Games of an engine against itself, for learning: random first moves, then a small search a move.

#pragma once

#include "damier/base/random.h"
#include "damier/game/playouts.h"
#include "damier/search/team.h"

namespace damier {

struct SelfPlay {
    std::uint64_t seed = 0;
    std::uint64_t first_game = 0;
    int games = 1;
    int random_plies = 8;  // one more in every second game, so that both sides get to move first
    std::uint64_t nodes = 1000;
    int depth = 0;
    int longest = 400;  // plies; a game still going is a draw
};

struct SelfPlayGames : Playouts {
    static constexpr std::int16_t NotSearched = INT16_MIN;
    std::vector<std::int16_t> scores;      // one a ply, for the side to move
    std::vector<std::int32_t> score_ends;  // where each game's scores end
};

template <Game G>
class SelfPlayer {
  public:
    SelfPlayer(Team<G>& team, const Evaluator<G>& evaluator, const SelfPlay& settings)
        : team_(team), evaluator_(evaluator), settings_(settings) {}

    // Plays one game and appends it; false when it was stopped half way.
    bool play(const Setup<typename G::Position>& start, std::uint64_t number, SelfPlayGames& games,
              const std::atomic<bool>& stop) {
        std::uint64_t state = settings_.seed;
        Random random(splitmix(state) ^ number);
        Record<G> record = opening(start, static_cast<int>(settings_.random_plies + number % 2), random);
        std::vector<std::int16_t> scores(record.ply(), SelfPlayGames::NotSearched);
        team_.forget();
        std::optional<Outcome> outcome;
        while (!(outcome = record.outcome(true)) && record.ply() < static_cast<std::size_t>(settings_.longest)) {
            const auto found = think(record, stop);
            if (stop.load(std::memory_order_relaxed)) return false;
            scores.push_back(static_cast<std::int16_t>(found.score));
            record.push(found.move);
        }
        append(record, outcome.value_or(Outcome{Result::Draw, Reason::MoveLimit}), scores, games);
        return true;
    }

  private:
    // Random moves that do not end the game; after a few tries any opening will do.
    Record<G> opening(const Setup<typename G::Position>& start, int plies, Random& random) {
        Record<G> record(start);
        for (int tries = 0; tries < 100; ++tries) {
            record = Record<G>(start);
            for (int ply = 0; ply < plies && !record.outcome(true); ++ply) {
                typename G::MoveList legal;
                record.legal_moves(legal);
                record.push(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
            }
            if (!record.outcome(true)) break;
        }
        return record;
    }

    Found<typename G::Move> think(const Record<G>& record, const std::atomic<bool>& stop) {
        Limit limit;
        limit.nodes = settings_.nodes;
        limit.depth = settings_.depth;
        typename G::MoveList legal;
        record.legal_moves(legal);
        const Task<G> task{&record, limit, 1, {legal.begin(), legal.end()}, &evaluator_, nullptr, &stop};
        team_.arm(limit);
        return team_.run(task);
    }

    static void append(const Record<G>& record, const Outcome& outcome, const std::vector<std::int16_t>& scores,
                       SelfPlayGames& games) {
        for (std::size_t ply = 0; ply < record.ply(); ++ply) {
            typename G::MoveList legal;
            record.position_at(ply).legal_moves(legal);
            append_code<G>(legal, record.moves()[ply], games.codes);
        }
        games.ends.push_back(static_cast<std::int32_t>(games.codes.size()));
        games.plies.push_back(static_cast<std::uint32_t>(record.ply()));
        games.results.push_back(outcome.result);
        games.reasons.push_back(outcome.reason);
        games.scores.insert(games.scores.end(), scores.begin(), scores.end());
        games.score_ends.push_back(static_cast<std::int32_t>(games.scores.size()));
    }

    Team<G>& team_;
    const Evaluator<G>& evaluator_;
    const SelfPlay& settings_;
};

// Game number n of a run depends on (seed, n) alone.
template <Game G>
SelfPlayGames play_against_itself(Team<G>& team, const Evaluator<G>& evaluator,
                                  const Setup<typename G::Position>& start, const SelfPlay& settings,
                                  const std::atomic<bool>& stop) {
    SelfPlayGames games;
    SelfPlayer<G> player(team, evaluator, settings);
    for (int i = 0; i < settings.games; ++i)
        if (!player.play(start, settings.first_game + static_cast<std::uint64_t>(i), games, stop)) break;
    return games;
}

}  // namespace damier
