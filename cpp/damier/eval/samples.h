// Samples to tune an evaluation with: the features of positions taken from games, and how those games ended.

#pragma once

#include <atomic>
#include <cmath>
#include <span>
#include <thread>
#include <vector>

#include "damier/base/random.h"
#include "damier/eval/score.h"
#include "damier/eval/tunable_evaluator.h"
#include "damier/game/codes.h"

namespace damier {

struct Samples {
    FeatureCounts rows;
    std::vector<float> results;  // for White, from 0 for a loss to 1 for a win
    int features = 0;

    std::size_t size() const { return results.size(); }

    // Takes the rows of other samples of the same features.
    void extend(const Samples& other);

    // The value of each row for White; `weights` holds start and end worth of each feature in turn.
    std::vector<float> values(std::span<const double> weights, int threads) const;

    // The mean cross-entropy of the results, given as chances 1 / (1 + exp(-value * slope)), and its gradient.
    double loss(std::span<const double> weights, double slope, int threads, std::span<double> gradient) const;
};

// Games played somewhere, as columns (game/playouts.h); scores are those of a search, one per ply, or none.
struct PlayedGames {
    std::span<const std::uint16_t> codes;
    std::span<const std::int32_t> ends;
    std::span<const std::uint8_t> results;
    std::span<const std::int16_t> scores;
    std::span<const std::int32_t> score_ends;
};

// Which positions of a game are taken: quiet ones, past the opening, one in `every` at random; and towards what they
// pull: the result of the game, mixed with the chances 1 / (1 + exp(-score * slope)) that the search saw.
struct Selection {
    int skip = 8;
    int every = 1;
    std::uint64_t seed = 0;
    double mix = 0;  // the share of the search's score
    double slope = 0.005;
};

// Is the position one that can be judged by looking at it, the move that was played in it being no capture or such?
template <Game G>
bool is_calm(const typename G::Position& pos, typename G::Move played) {
    if constexpr (KnowsQuiet<G>) {
        if (!pos.is_quiet()) return false;
    }
    if constexpr (HasTactics<G>) return !pos.is_tactical(played);
    return true;
}

// Replays games and counts features; fewer games once `stop` is set. Throws DataError where codes make no sense.
template <Game G>
class Sampler {
  public:
    using Position = typename G::Position;

    Sampler(const Position& start, TunableEvaluator<G>& tunable, const Selection& selection)
        : start_(start), tunable_(tunable), selection_(selection), random_(selection.seed) {
        samples_.features = static_cast<int>(tunable.weights().size());
    }

    void add_game(std::span<const std::uint16_t> codes, std::span<const std::int16_t> scores, Result result) {
        const double for_white = result == Result::Draw ? 0.5 : result == Result::WhiteWins ? 1.0 : 0.0;
        auto pos = start_;
        std::size_t ply = 0;
        for (std::size_t at = 0; at < codes.size(); ++ply) {
            typename G::MoveList legal;
            pos.legal_moves(legal);
            const auto move = take_code<G>(legal, codes, at);
            const int score = ply < scores.size() ? scores[ply] : 0;
            if (is_chosen(ply) && !is_sure(score) && is_calm<G>(pos, move)) {
                tunable_.count_features(pos, samples_.rows);
                samples_.results.push_back(
                    static_cast<float>(target(for_white, pos.turn(), score, ply < scores.size())));
            }
            pos.play(move);
        }
    }

    Samples take() { return std::move(samples_); }

  private:
    bool is_chosen(std::size_t ply) {
        if (ply < static_cast<std::size_t>(selection_.skip)) return false;
        return selection_.every <= 1 || random_.below(static_cast<std::uint32_t>(selection_.every)) == 0;
    }
    double target(double result, Side turn, int score, bool searched) const {
        if (!searched || selection_.mix == 0) return result;
        const double chance = 1 / (1 + std::exp(-selection_.slope * (turn == Side::White ? score : -score)));
        return (1 - selection_.mix) * result + selection_.mix * chance;
    }

    Position start_;
    TunableEvaluator<G>& tunable_;
    Selection selection_;
    Random random_;
    Samples samples_;
};

template <Game G>
Samples sample_games(const typename G::Position& start, TunableEvaluator<G>& tunable, const PlayedGames& games,
                     const Selection& selection, const std::atomic<bool>& stop) {
    Sampler<G> sampler(start, tunable, selection);
    std::size_t begin = 0, first_score = 0;
    for (std::size_t game = 0; game < games.ends.size() && !stop.load(std::memory_order_relaxed); ++game) {
        const auto end = static_cast<std::size_t>(games.ends[game]);
        const auto last_score = games.score_ends.empty() ? 0 : static_cast<std::size_t>(games.score_ends[game]);
        if (end < begin || end > games.codes.size() || last_score < first_score || last_score > games.scores.size())
            throw DataError("the columns of game " + std::to_string(game) + " do not fit");
        sampler.add_game(games.codes.subspan(begin, end - begin),
                         games.scores.subspan(first_score, last_score - first_score),
                         static_cast<Result>(games.results[game]));
        begin = end;
        first_score = last_score;
    }
    return sampler.take();
}

}  // namespace damier
