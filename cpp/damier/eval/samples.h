// Samples to tune an evaluation with: the features of positions taken from games, and how those games ended.

#pragma once

#include <atomic>
#include <cmath>
#include <span>
#include <thread>
#include <vector>

#include "damier/base/random.h"
#include "damier/eval/tunable.h"
#include "damier/game/codes.h"
#include "damier/game/playouts.h"

namespace damier {

struct Samples {
    FeatureCounts rows;
    std::vector<float> results;  // for White: 1, 0.5 or 0
    int features = 0;

    std::size_t size() const { return results.size(); }

    // Takes the rows of other samples of the same features.
    void extend(const Samples& other);

    // The value of each row for White; `weights` holds start and end worth of each feature in turn.
    std::vector<float> values(std::span<const double> weights, int threads) const;

    // The mean cross-entropy of the results, given as chances 1 / (1 + exp(-value * slope)), and its gradient.
    double loss(std::span<const double> weights, double slope, int threads, std::span<double> gradient) const;
};

// Which positions of a game are taken: calm ones, past the opening, one in `every` at random.
struct Selection {
    int skip = 8;
    int every = 1;
    std::uint64_t seed = 0;
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
Samples sample_games(const typename G::Position& start, Tunable<G>& tunable, std::span<const std::uint16_t> codes,
                     std::span<const std::int32_t> ends, std::span<const std::uint8_t> results,
                     const Selection& selection, const std::atomic<bool>& stop) {
    Samples samples;
    samples.features = static_cast<int>(tunable.weights().size());
    Random random(selection.seed);
    std::size_t begin = 0;
    for (std::size_t game = 0; game < ends.size() && !stop.load(std::memory_order_relaxed); ++game) {
        const auto end = static_cast<std::size_t>(ends[game]);
        if (end < begin || end > codes.size()) throw DataError("game " + std::to_string(game) + " has no moves");
        const auto moves = codes.subspan(begin, end - begin);
        begin = end;
        const auto result = static_cast<Result>(results[game]);
        const float for_white = result == Result::Draw ? 0.5F : result == Result::WhiteWins ? 1.0F : 0.0F;
        auto pos = start;
        int ply = 0;
        for (std::size_t at = 0; at < moves.size(); ++ply) {
            typename G::MoveList legal;
            pos.legal_moves(legal);
            const auto move = take_code<G>(legal, moves, at);
            const bool chosen = selection.every <= 1 || random.below(static_cast<std::uint32_t>(selection.every)) == 0;
            if (ply >= selection.skip && chosen && is_calm<G>(pos, move)) {
                tunable.count_features(pos, samples.rows);
                samples.results.push_back(for_white);
            }
            pos.play(move);
        }
    }
    return samples;
}

}  // namespace damier
