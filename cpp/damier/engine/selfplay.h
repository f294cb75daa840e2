// Games of an engine against itself, for learning: random first moves, then a small search a move.

#pragma once

#include "damier/engine/duel.h"
#include "damier/engine/opening.h"

namespace damier {

struct SelfPlay {
    std::uint64_t seed = 0;
    std::uint64_t first_game = 0;
    int games = 1;
    int random_plies = 8;  // one more in every second game, so that both sides get to move first
    Limit limit;
    int longest = 400;  // plies; a game still going is a draw
};

struct SelfPlayGames : Playouts {
    static constexpr std::int16_t NotSearched = INT16_MIN;
    std::vector<std::int16_t> scores;      // one a ply, for the side to move
    std::vector<std::int32_t> score_ends;  // where each game's scores end

    template <class M>
    void add(const Board<M>& board, const Turns& turns) {
        const auto played = board.codes();
        const std::size_t plies = board.moves().size();
        const Outcome outcome = board.outcome(true).value_or(Outcome{Result::Draw, Reason::MoveLimit});
        codes.insert(codes.end(), played.begin(), played.end());
        ends.push_back(static_cast<std::int32_t>(codes.size()));
        this->plies.push_back(static_cast<std::uint32_t>(plies));
        results.push_back(outcome.result);
        reasons.push_back(outcome.reason);
        scores.insert(scores.end(), plies - turns.size(), NotSearched);
        for (const Score score : turns.scores) scores.push_back(static_cast<std::int16_t>(score));
        score_ends.push_back(static_cast<std::int32_t>(scores.size()));
    }
};

// Plays from the board's position until done or told to stop. Game number n of a run depends on (seed, n) alone.
template <class M>
SelfPlayGames play_against_itself(Engine<M>& engine, const Board<M>& board, const SelfPlay& settings,
                                  const std::atomic<bool>& stop) {
    SelfPlayGames games;
    const auto start = board.from_here();
    const std::array<Seat<M>, 2> seats{{{&engine, settings.limit}, {&engine, settings.limit}}};
    for (int i = 0; i < settings.games; ++i) {
        const std::uint64_t number = settings.first_game + static_cast<std::uint64_t>(i);
        std::uint64_t state = settings.seed;
        Random random(splitmix(state) ^ number);
        const auto game = random_opening(*start, static_cast<int>(settings.random_plies + number % 2), random);
        engine.forget();
        Turns turns;
        const auto longest = static_cast<std::size_t>(settings.longest) - game->moves().size();
        play_on(*game, seats, longest, Adjudicator({}), turns, stop);
        if (stop.load(std::memory_order_relaxed)) break;
        games.add(*game, turns);
    }
    return games;
}

}  // namespace damier
