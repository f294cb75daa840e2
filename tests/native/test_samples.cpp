// The buffer of samples in every family of games: nothing is lost or read beyond its end, and damage is refused.

#include <algorithm>
#include <numeric>

#include "check.h"
#include "damier/eval/sample_buffer.h"
#include "damier/game/playouts.h"
#include "damier/games/chess/chess.h"
#include "damier/games/draughts/draughts.h"
#include "damier/games/loa/loa.h"

namespace test_samples {

using namespace damier;

namespace {

constexpr int Games = 12;

struct Columns {
    Playouts played;
    std::vector<std::uint8_t> results;
    std::vector<std::int32_t> starts, numbers;
    std::vector<std::optional<std::string>> fens{std::nullopt};

    PlayedGames games() const { return {played.codes, played.ends, results, {}, {}}; }
    GameStarts where() const { return {fens, starts}; }
};

template <Game G>
Columns random_games(const typename G::Rules& rules) {
    const std::atomic<bool> stop = false;
    Columns columns;
    columns.played = play_games<G>({G::start(rules)}, 1, 0, Games, true, stop);
    for (const Result result : columns.played.results) columns.results.push_back(static_cast<std::uint8_t>(result));
    columns.starts.assign(Games, 0);
    columns.numbers.resize(Games);
    std::iota(columns.numbers.begin(), columns.numbers.end(), 0);
    return columns;
}

template <Game G>
void draws_everything_once(const typename G::Rules& rules) {
    const auto columns = random_games<G>(rules);
    GameSampleBuffer<G> buffer(rules, nullptr, nullptr, nullptr,
                               {.filter = {}, .symmetries = true, .seed = 7, .expected = 0});
    buffer.add(columns.games(), columns.where(), columns.numbers);
    const auto& plies = columns.played.plies;
    const auto all = std::accumulate(plies.begin(), plies.end(), std::size_t{0});
    CHECK_EQ(buffer.size(), all);
    const auto shape = buffer.shape();
    const std::size_t cells = shape[0] * shape[1] * shape[2];
    std::size_t drawn = 0, at_start = 0;
    while (buffer.size() > 0) {
        const auto batch = buffer.draw(100);
        CHECK_EQ(batch.results.size(), batch.size);
        for (std::size_t i = 0; i < batch.size * cells; ++i) CHECK(batch.planes[i] <= 1);
        at_start += static_cast<std::size_t>(std::count(batch.plies.begin(), batch.plies.end(), 0));
        drawn += batch.size;
    }
    CHECK_EQ(drawn, all);
    CHECK_EQ(at_start, std::size_t{Games});
    CHECK_EQ(buffer.draw(100).size, std::size_t{0});
}

template <class Damage>
void is_refused(Damage damage) {
    auto columns = random_games<Loa>(loa::Default);
    damage(columns);
    GameSampleBuffer<Loa> buffer(loa::Default, nullptr, nullptr, nullptr, {});
    CHECK_THROWS(DataError, buffer.add(columns.games(), columns.where(), columns.numbers));
}

}  // namespace

TEST(everything_is_drawn_once) {
    draws_everything_once<Loa>(loa::Default);
    draws_everything_once<Loa>(*loa::rules_named("loa5"));
    draws_everything_once<Chess>({});
    draws_everything_once<Draughts>(draughts::International);
    draws_everything_once<Draughts>(draughts::Turkish);
}

TEST(damaged_columns_are_refused) {
    is_refused([](Columns& columns) { columns.played.codes[5] = 0xFFFF; });
    is_refused([](Columns& columns) { columns.played.ends[3] = -1; });
    is_refused([](Columns& columns) { columns.played.ends.back() += 1; });
    is_refused([](Columns& columns) { columns.results[2] = 3; });
    is_refused([](Columns& columns) { columns.starts[2] = 1; });
    is_refused([](Columns& columns) { columns.numbers[2] = Games; });
}

}  // namespace test_samples
