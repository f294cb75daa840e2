// Efficiently updated networks: sums carried along a line are those of a fresh start, whichever instructions add them.

#include "damier/eval/nnue.h"

#include <algorithm>
#include <functional>

#include "check.h"
#include "damier/base/random.h"
#include "damier/games/chess/chess.h"
#include "damier/games/draughts/draughts.h"
#include "damier/games/loa/loa.h"

namespace test_nnue {

using namespace damier;

namespace {

NnueNumbers numbers(std::size_t count, int largest, Random& random) {
    NnueNumbers made(count);
    for (auto& number : made)
        number = static_cast<std::int16_t>(static_cast<int>(random.below(static_cast<std::uint32_t>(2 * largest + 1))) -
                                           largest);
    return made;
}

std::shared_ptr<const NnueWeights> random_weights(std::size_t inputs, std::size_t width, std::uint64_t seed,
                                                  int largest = 150) {
    Random random(seed);
    return std::make_shared<NnueWeights>(NnueWeights{.inputs = numbers(inputs * width, largest, random),
                                                     .input_bias = numbers(width, 100, random),
                                                     .outputs = numbers(8 * 2 * width, 60, random),
                                                     .output_bias = numbers(8, 3000, random),
                                                     .scale = 300});
}

// Passes now and then, where a search may.
template <Game G>
bool pass([[maybe_unused]] std::vector<typename G::Position>& line, [[maybe_unused]] Random& random) {
    if constexpr (CanPass<G>) {
        if (!line.back().pass_is_sound() || random.below(10) != 0) return false;
        auto next = line.back();
        next.pass();
        line.push_back(next);
        return true;
    }
    return false;
}

// Walks at random through positions of a game, forwards and back, and compares what is carried with what is fresh.
template <Game G>
void walk(const typename G::Rules& rules, int plies, int largest = 150, bool by_king = false) {
    const auto inputs = std::make_shared<const NnueInputs<G>>(rules, by_king);
    const auto weights = random_weights(inputs->size(), 48, 7, largest);
    const auto kernels = nnue_kernels();
    std::vector<NnueEvaluator<G>> carried, fresh;
    for (const auto& kernel : kernels) carried.emplace_back("carried", inputs, weights, kernel);
    for (const auto& kernel : kernels) fresh.emplace_back("fresh", inputs, weights, kernel);
    std::vector<typename G::Position> line{G::start(rules)};
    for (auto& evaluator : carried) evaluator.on_root(line.back());
    Random random(1);
    int differ = 0, seen = 0, last = 0;
    for (int step = 0; step < plies; ++step) {
        typename G::MoveList legal;
        if (!line.back().decided()) line.back().legal_moves(legal);
        if (legal.empty() || (line.size() > 1 && random.below(4) == 0)) {
            if (line.size() == 1) break;
            line.pop_back();
            for (auto& evaluator : carried) evaluator.on_pop();
        } else if (pass<G>(line, random)) {
            for (auto& evaluator : carried) evaluator.on_null_move(line[line.size() - 2], line.back());
        } else {
            auto next = line.back();
            const auto move = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
            next.play(move);
            for (auto& evaluator : carried) evaluator.on_push(line.back(), move, next);
            line.push_back(next);
        }
        if (random.below(3) == 0) continue;  // searches do not ask at every node
        fresh.front().on_root(line.back());
        const Score expected = fresh.front().evaluate(line.back());
        for (auto& evaluator : carried) CHECK_EQ(evaluator.evaluate(line.back()), expected);
        for (auto& evaluator : fresh) {
            evaluator.on_root(line.back());
            CHECK_EQ(evaluator.evaluate(line.back()), expected);
        }
        differ += expected != last;
        last = expected;
        ++seen;
    }
    CHECK(seen > plies / 2);
    CHECK(differ > seen / 2);  // it is not the same number all the time
}

}  // namespace

TEST(what_is_carried_is_what_is_fresh) {
    walk<Loa>({}, 600);
    walk<Chess>({}, 1500);  // kings cross the middle, and castle
    walk<Chess>({}, 1500, 150, true);
    walk<Draughts>(draughts::International, 1500);
    walk<Draughts>(draughts::English, 1500);
}

TEST(sums_that_wrap_are_the_same_everywhere) { walk<Chess>({}, 600, 32767); }

TEST(a_piece_is_one_input_and_sides_are_alike) {
    const NnueInputs<Chess> inputs(Chess::Rules{});
    CHECK_EQ(inputs.size(), 768U);
    const auto rows = [&](const char* fen) {
        std::vector<std::int16_t> row(2 * inputs.start_pieces());
        inputs.write(Chess::read_fen(fen, {}).position, row.data());
        for (auto half = row.begin(); half != row.end(); half += 32) std::sort(half, half + 32);
        return row;
    };
    // The same with colours and sides exchanged, and mirrored.
    CHECK(rows("8/8/8/4k3/8/8/4K2R/8 w - - 0 1") == rows("8/r2k4/8/8/3K4/8/8/8 b - - 0 1"));
    CHECK(rows("8/8/8/4k3/8/8/4K2R/8 w - - 0 1") != rows("8/8/8/4k3/8/8/4K1R1/8 w - - 0 1"));
}

TEST(terms_add_up) {
    const auto inputs = std::make_shared<const NnueInputs<Chess>>(Chess::Rules{});
    NnueEvaluator<Chess> evaluator("net", inputs, random_weights(768, 32, 3));
    for (const char* fen :
         {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8/8/4k3/8/8/4K2R/8 b - - 0 1"}) {
        const auto pos = Chess::read_fen(fen, {}).position;
        evaluator.on_root(pos);
        double sum = 0;
        for (const auto& term : evaluator.terms(pos)) sum += term.total;
        CHECK_EQ(sum, (pos.turn() == Side::White ? 1 : -1) * evaluator.evaluate(pos));
    }
}

TEST(networks_that_cannot_be_computed_are_refused) {
    const auto good = *random_weights(128, 32, 3);
    good.check(128);
    CHECK_THROWS(Error, good.check(127));
    for (const auto& spoil : std::vector<std::function<void(NnueWeights&)>>{
             [](auto& net) { net.outputs[5] = 128; },
             [](auto& net) { net.outputs[5] = -32768; },
             [](auto& net) { net.outputs.pop_back(); },
             [](auto& net) { net.output_bias.clear(); },
             [](auto& net) { net.input_bias.resize(24); },
             [](auto& net) { net.scale = 0; },
         }) {
        auto bad = good;
        spoil(bad);
        CHECK_THROWS(Error, bad.check(128));
    }
    auto large = *random_weights(128, 512, 3);
    std::fill(large.outputs.begin(), large.outputs.end(), std::int16_t{127});
    CHECK_THROWS(Error, large.check(128));
}

}  // namespace test_nnue
