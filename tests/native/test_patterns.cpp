// Tables over regions of squares: states are numbered alike for both sides, and sums are those of the terms.

#include "damier/eval/patterns.h"

#include <functional>
#include <set>

#include "check.h"
#include "damier/base/random.h"
#include "damier/games/chess/chess.h"
#include "damier/games/draughts/draughts.h"
#include "damier/games/loa/loa.h"

namespace test_patterns {

using namespace damier;

namespace {

PatternWeights random_weights(std::size_t states, std::size_t phases, std::uint64_t seed) {
    Random random(seed);
    const auto numbers = [&](std::size_t count) {
        std::vector<std::int16_t> made(count);
        for (auto& number : made) number = static_cast<std::int16_t>(static_cast<int>(random.below(801)) - 400);
        return made;
    };
    return {.states = numbers(states * phases), .turn = numbers(phases), .scale = 300};
}

// The sum as it is written down, state by state: what the trainer adds up.
template <Game G>
Score by_hand(const PatternInputs<G>& inputs, const PatternWeights& weights, const typename G::Position& pos) {
    std::vector<std::int32_t> row(2 * inputs.width());
    inputs.write(pos, row.data());
    const auto pieces = PatternInputs<G>::pieces(G::planes(pos));
    const auto whole = static_cast<std::int64_t>(inputs.most_pieces()), phases = std::ssize(weights.turn);
    std::int64_t sum = 0;
    for (std::int64_t phase = 0; phase < phases; ++phase) {
        std::int64_t worth = weights.turn[static_cast<std::size_t>(phase)];
        for (std::size_t i = 0; i < row.size(); ++i) {
            const auto state = static_cast<std::size_t>(row[i]);
            if (state == inputs.size()) continue;
            const auto held = weights.states[state * weights.phases() + static_cast<std::size_t>(phase)];
            worth += i < inputs.width() ? held : -held;
        }
        const auto away = std::abs(static_cast<std::int64_t>(pieces) * (phases - 1) - whole * phase);
        sum += worth * std::max(whole - away, std::int64_t{0});
    }
    return clamp_evaluation(static_cast<int>(sum * weights.scale / (whole * PatternOne)));
}

template <Game G>
void walk(const typename G::Rules& rules, std::size_t phases) {
    const auto inputs = std::make_shared<const PatternInputs<G>>(rules);
    const auto weights = random_weights(inputs->size(), phases, 7);
    PatternEvaluator<G> evaluator("patterns", inputs, weights);
    auto pos = G::start(rules);
    Random random(1);
    std::set<Score> seen;
    for (int ply = 0; ply < 300; ++ply) {
        typename G::MoveList legal;
        if (!pos.decided()) pos.legal_moves(legal);
        if (legal.empty()) {
            pos = G::start(rules);
            continue;
        }
        pos.play(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        const Score score = evaluator.evaluate(pos);
        CHECK_EQ(score, by_hand(*inputs, weights, pos));
        double sum = 0;
        for (const auto& term : evaluator.terms(pos)) sum += term.total;
        CHECK(std::abs(sum - (pos.turn() == Side::White ? 1 : -1) * score) <= 1.01);
        seen.insert(score);
    }
    CHECK(seen.size() > 100);
}

}  // namespace

TEST(sums_are_those_of_the_states_and_of_the_terms) {
    walk<Loa>({}, 2);
    walk<Chess>({}, 3);  // pawns in regions, other pieces by square and number
    walk<Draughts>(draughts::International, 4);
    walk<Draughts>(draughts::English, 1);
    walk<Draughts>(draughts::Turkish, 2);
}

TEST(regions_come_once_for_both_sides) {
    const PatternInputs<Draughts> large(draughts::International), small(draughts::English);
    CHECK_EQ(large.regions(), 25U);  // and as many turned, but for the one in the middle
    CHECK_EQ(small.regions(), 13U);
    CHECK_EQ(large.region_squares(0).size(), 8U);
    CHECK_EQ(PatternInputs<Draughts>(draughts::International, read_windows("4x6/2x2")).regions(), 6U);
    CHECK_THROWS(Error, PatternInputs<Draughts>(draughts::International, read_windows("6x6/2x2")));
    for (const char* text : {"", "4x4", "4x4/1x", "4x4/1x1,", "0x4/1x1", "4x4/1x1 "})
        CHECK_THROWS(Error, read_windows(text));
    CHECK_EQ(windows_text(read_windows("4x4/1x2,6x4/2x2")), "4x4/1x2,6x4/2x2");
    std::size_t end = 0;
    for (const auto& table : large.tables()) {
        CHECK_EQ(table.first, end);
        end += table.states;
    }
    CHECK_EQ(end, large.size());
}

TEST(sides_are_alike) {
    const PatternInputs<Draughts> inputs(draughts::English);
    const auto row = [&](const char* fen) {
        std::vector<std::int32_t> numbers(2 * inputs.width());
        const auto pos = Draughts::read_fen(fen, draughts::English).position;
        inputs.write(pos, numbers.data());
        for (auto half = numbers.begin(); half != numbers.end(); half += static_cast<std::ptrdiff_t>(inputs.width()))
            std::sort(half, half + static_cast<std::ptrdiff_t>(inputs.width()));
        return numbers;
    };
    CHECK(row("W:W21,22,K30:B1,K5,12") == row("B:B12,11,K3:W32,K28,21"));
    CHECK(row("W:W21,22,K30:B1,K5,12") != row("W:W21,22,K29:B1,K5,12"));
}

TEST(tables_that_do_not_fit_are_refused) {
    const auto inputs = std::make_shared<const PatternInputs<Loa>>(Loa::Rules{});
    const auto good = random_weights(inputs->size(), 2, 3);
    for (const auto& spoil : std::vector<std::function<void(PatternWeights&)>>{
             [](auto& held) { held.turn.clear(); },
             [](auto& held) { held.turn.resize(9); },
             [](auto& held) { held.states.pop_back(); },
             [](auto& held) { held.scale = 0; },
             [](auto& held) { std::fill(held.states.begin(), held.states.end(), std::int16_t{20'000}); },
         }) {
        auto bad = good;
        spoil(bad);
        CHECK_THROWS(Error, PatternEvaluator<Loa>("bad", inputs, bad));
    }
}

}  // namespace test_patterns
