// Many boards and the trees that search them, in every family of games: nothing is read beyond its end, every leaf is
// answered, and a tree follows its board.

#include <numeric>

#include "check.h"
#include "damier/engine/game_batch.h"
#include "damier/games/chess/chess.h"
#include "damier/games/draughts/draughts.h"
#include "damier/games/loa/loa.h"

namespace test_trees {

using namespace damier;

namespace {

constexpr std::size_t Boards = 6;

template <Game G>
void plays_games(const typename G::Rules& rules) {
    GameBatch<G> batch(nullptr, rules, Boards, Seen::ByMover);
    batch.reset(3, 4);
    std::vector<std::int64_t> actions(Boards);
    std::vector<float> planes(Boards * batch.shape().size());
    int ended = 0;
    for (int ply = 0; ply < 150; ++ply) {
        batch.random_actions(std::nullopt, actions);
        const auto& mask = batch.legal_mask();
        for (std::size_t i = 0; i < Boards; ++i) {
            const auto at = i * static_cast<std::size_t>(batch.action_count()) + static_cast<std::size_t>(actions[i]);
            CHECK(batch.is_over(i) || mask[at] == 1);
            ended += batch.is_over(i);
        }
        batch.play(actions);
        batch.write_planes(std::nullopt, std::span<float>(planes));
        CHECK_EQ(static_cast<int>(batch.legal_actions().ends.size()), static_cast<int>(Boards));
    }
    CHECK((ended > 0 || std::is_same_v<G, Chess>));
    for (const auto& image : batch.symmetries().actions) CHECK_EQ(static_cast<int>(image.size()), batch.action_count());
}

template <Game G>
void searches(const typename G::Rules& rules, int leaves, int threads) {
    GameBatch<G> batch(nullptr, rules, Boards, Seen::ByMover);
    PuctOptions options;
    options.most_nodes = 2000;
    const auto trees = batch.trees(options, 5);
    const std::vector<std::int64_t> simulations(Boards, 40);
    const std::vector<std::uint8_t> noisy(Boards, 1);
    const std::vector<float> temperatures(Boards, 1.0F);
    std::vector<std::int64_t> actions(Boards);
    Random random(9);
    for (int ply = 0; ply < 40; ++ply) {
        trees->begin(simulations, noisy);
        while (const std::size_t count = trees->select(leaves, threads)) {
            std::vector<float> planes(count * batch.shape().size());
            trees->write_planes(planes, threads);
            std::vector<float> logits(count * static_cast<std::size_t>(batch.action_count())), values(count);
            for (float& logit : logits) logit = static_cast<float>(random.below(100)) / 50;
            for (float& value : values) value = static_cast<float>(random.below(100)) / 100 - 0.5F;
            trees->back_up(logits, values, threads);
        }
        const auto found = trees->policies();
        const float sum = std::accumulate(found.shares.begin(), found.shares.end(), 0.0F);
        std::size_t playing = 0;
        for (std::size_t i = 0; i < Boards; ++i) playing += !batch.is_over(i);
        CHECK(std::abs(sum - static_cast<float>(playing)) < 1e-3F);
        CHECK(trees->nodes() <= Boards * 2000);
        trees->choose(temperatures, actions);
        for (std::size_t i = 0; i < Boards; ++i)
            if (batch.is_over(i)) actions[i] = 0;  // the next game begins
        batch.play(actions);
    }
}

}  // namespace

TEST(boards_of_every_family) {
    plays_games<Loa>(*loa::rules_named("loa5"));
    plays_games<Chess>({});
    plays_games<Draughts>(draughts::Rennes);
}

TEST(trees_of_every_family) {
    searches<Loa>(*loa::rules_named("loa5"), 1, 1);
    searches<Chess>({}, 4, 1);
    searches<Draughts>(draughts::Rennes, 3, 2);
}

}  // namespace test_trees
