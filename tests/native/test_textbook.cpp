// The textbook algorithms: every algorithm and option gives minimax's value and records the tree it
// walked.

#include <map>

#include "check.h"
#include "damier/base/random.h"
#include "damier/search/textbook/search.h"
#include "evaluators.h"

namespace test_textbook {

using namespace damier;
using namespace damier::textbook;

namespace {

const std::atomic<bool> Never = false;

constexpr Algorithm Clever[] = {Algorithm::AlphaBeta, Algorithm::AlphaBetaMemory, Algorithm::Mtdf, Algorithm::Pvs};

// A record after some random moves, not yet over.
template <Game G>
Record<G> after(Random& random, const typename G::Rules& rules, int plies) {
    for (;;) {
        Record<G> record({G::start(rules)});
        for (int i = 0; i < plies && !record.outcome(true); ++i) {
            typename G::MoveList legal;
            record.legal_moves(legal);
            record.push(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        if (!record.outcome(true)) return record;
    }
}

// The engine's evaluation, by the rules of a record.
template <Game G>
std::unique_ptr<Evaluator<G>> classic_or_own([[maybe_unused]] const Record<G>& record) {
    if constexpr (std::is_same_v<G, Draughts>) {
        return classic<G>(record.position().rules());
    } else {
        return classic<G>();
    }
}

template <Game G>
auto searched(Algorithm algorithm, const Record<G>& record, const Options& options,
              const EndgameProbe<G>* probe = nullptr) {
    const auto evaluator = classic_or_own<G>(record);
    return search<G>(algorithm, record, *evaluator, options, 0, Never, probe);
}

// A database that knows one position in four, by the bits of its key: as leaves its values are as good as true ones.
template <Game G>
struct KnowsSome final : EndgameProbe<G> {
    bool fits(const typename G::Rules&) const override { return true; }
    std::optional<ProbeResult> probe(const typename G::Position& pos) const override {
        const auto bits = Random(static_cast<std::uint64_t>(pos.key())).next();
        if (bits % 4 != 0) return std::nullopt;
        ProbeResult known{static_cast<Wdl>(static_cast<int>(bits / 4 % 3) - 1)};
        if (bits / 16 % 2 != 0) known.plies = static_cast<int>(bits / 32 % 50);
        if (bits / 64 % 8 == 0) known.bound = Bound::Lower;
        return known;
    }
};

// How deep to compare without and with quiescence: minimax has no window to give to it, and it is long without one.
struct Depths {
    int plain, quiet;
};

std::vector<Options> every_way(Depths depths) {
    std::vector<Options> ways;
    for (const auto ordering : {Ordering::None, Ordering::Captures, Ordering::Killers, Ordering::History}) {
        for (const int table_mb : {0, 1}) {
            Options options{.depth = depths.plain, .ordering = ordering, .table_mb = table_mb};
            ways.push_back(options);
            options.iterative = true;
            ways.push_back(options);
            options.aspiration = 30;
            ways.push_back(options);
            options.aspiration = 1;
            options.quiescence = true;
            options.depth = depths.quiet;
            ways.push_back(options);
        }
    }
    return ways;
}

// The best move of an answer is worth its value: a search of the position it leads to says so.
template <Game G>
Score worth(const Record<G>& record, typename G::Move move, const Options& options) {
    auto next = record;
    next.push(move);
    if (const auto outcome = next.outcome(true)) return final_score(outcome->result, record.position().turn(), 1);
    Options shallower = options;
    --shallower.depth;
    const Score value = -searched(Algorithm::AlphaBeta, next, shallower).score;
    return is_win(value) ? value - 1 : is_loss(value) ? value + 1 : value;
}

template <Game G>
void all_agree(std::string_view game, Depths depths, int positions, int plies, const typename G::Rules& rules = {}) {
    Random random(5);
    for (int i = 0; i < positions; ++i) {
        const auto record = after<G>(random, rules, static_cast<int>(random.below(static_cast<std::uint32_t>(plies))));
        std::map<bool, Score> truth;
        for (const bool quiescence : {false, true}) {
            const Options plain{.depth = quiescence ? depths.quiet : depths.plain, .quiescence = quiescence};
            const auto answer = searched(Algorithm::Minimax, record, plain);
            truth[quiescence] = answer.score;
            CHECK_EQ(searched(Algorithm::Negamax, record, plain).score, answer.score);
            CHECK_EQ(worth(record, G::native(answer.move()), plain), answer.score);
        }
        const auto ways = every_way(depths);
        for (std::size_t way = static_cast<std::size_t>(i) % 3; way < ways.size();
             way += 3) {  // all in three positions
            const auto& options = ways[way];
            for (const auto algorithm : Clever) {
                const auto answer = searched(algorithm, record, options);
                if (answer.score == truth[options.quiescence] && answer.depth == options.depth && !answer.pv.empty())
                    continue;
                std::ostringstream text;
                text << game << " " << G::fen(record.setup()) << " " << AlgorithmNames[static_cast<int>(algorithm)]
                     << " ordering " << static_cast<int>(options.ordering) << " table " << options.table_mb
                     << " iterative " << options.iterative << " aspiration " << options.aspiration << " quiescence "
                     << options.quiescence << ": " << answer.score << " against " << truth[options.quiescence];
                check::fail(__FILE__, __LINE__, text.str());
            }
        }
        const Options best{.depth = depths.plain, .ordering = Ordering::History, .table_mb = 1};
        for (const auto algorithm : Clever) {
            const auto answer = searched(algorithm, record, best);
            CHECK_EQ(worth(record, G::native(answer.move()), best), answer.score);
        }
    }
}

// The columns of a trace hang together and every node is either recorded or counted.
void check_trace(const SearchResult& answer, int cap) {
    const Trace& trace = *answer.trace;
    CHECK(trace.size() <= static_cast<std::size_t>(cap));
    std::uint64_t counted = trace.outside, leaves = 0, cuts = 0;
    for (std::size_t i = 0; i < trace.size(); ++i) {
        const auto parent = trace.parent[i];
        counted += 1 + trace.unrecorded[i];
        leaves += trace.why[i] == Why::Leaf || trace.why[i] == Why::Terminal;
        cuts += trace.why[i] == Why::Cut;
        CHECK(parent < static_cast<int>(i));
        CHECK_EQ(trace.ply[i], parent < 0 ? 0 : trace.ply[parent] + 1);
        CHECK_EQ(parent < 0, trace.role[i] == Role::Root);
        if (parent >= 0) CHECK(trace.end[i] <= trace.end[parent]);
        std::uint64_t visits = 1 + trace.unrecorded[i];
        for (auto child = static_cast<int>(i) + 1; child < trace.end[i]; child = trace.end[child]) {
            CHECK_EQ(trace.parent[child], static_cast<int>(i));
            visits += trace.visits[child];
        }
        CHECK_EQ(trace.visits[i], visits);
    }
    CHECK_EQ(counted, answer.counters.nodes);
    if (trace.size() == answer.counters.nodes && answer.counters.researches == 0) {
        CHECK_EQ(leaves, answer.counters.leaves);
        CHECK_EQ(cuts, answer.counters.cutoffs);
    }
}

}  // namespace

TEST(loa_agrees) {
    all_agree<Loa>("loa", {3, 1}, 3, 30);
    for (const char* game : {"loa5", "loa5:bing", "loa5:olympiad"})  // games end soon there, as their rules say
        all_agree<Loa>(game, {4, 2}, 3, 20, *loa::rules_named(game));
}

TEST(chess_agrees) { all_agree<Chess>("chess", {3, 2}, 3, 60); }

TEST(draughts_agree) {
    all_agree<Draughts>("english", {4, 3}, 3, 40, draughts::English);
    all_agree<Draughts>("international", {4, 3}, 3, 40, draughts::International);
    all_agree<Draughts>("frisian", {3, 3}, 3, 40, draughts::Frisian);
    all_agree<Draughts>("russian", {4, 3}, 3, 40, draughts::Russian);
}

template <Game G>
void all_agree_with_a_database(int depth, const typename G::Rules& rules = {}) {
    Random random(8);
    const KnowsSome<G> database;
    int changed = 0;
    for (int i = 0; i < 6; ++i) {
        const auto record = after<G>(random, rules, 20);
        const Options options{.depth = depth, .iterative = i % 2 == 0, .table_mb = i % 3};
        const auto truth = searched(Algorithm::Minimax, record, {.depth = depth}, &database);
        changed += truth.nodes != searched(Algorithm::Minimax, record, {.depth = depth}).nodes;
        CHECK_EQ(searched(Algorithm::Negamax, record, options, &database).score, truth.score);
        for (const auto algorithm : Clever)
            CHECK_EQ(searched(algorithm, record, options, &database).score, truth.score);
    }
    CHECK(changed >= 4);
}

TEST(with_a_database_all_agree) {
    all_agree_with_a_database<Loa>(2, *loa::rules_named("loa5"));
    all_agree_with_a_database<Chess>(2);
    all_agree_with_a_database<Draughts>(3, draughts::English);
}

// Knows that a lone king is lost, in a number of plies that it may tell.
struct LoneKingLoses final : EndgameProbe<Chess> {
    std::optional<int> plies{};
    bool fits(const Chess::Rules&) const override { return true; }
    std::optional<ProbeResult> probe(const Chess::Position& pos) const override {
        const auto planes = Chess::planes(pos);
        int pieces[2] = {};
        for (std::size_t i = 0; i < 12; ++i) pieces[i / 6] += count(planes[i]);
        if (pieces[0] > 1 && pieces[1] > 1) return std::nullopt;
        const bool lone = pieces[pos.turn() == Side::White ? 0 : 1] == 1;
        return ProbeResult{lone ? Wdl::Lost : Wdl::Won, plies};
    }
};

TEST(a_database_leads_to_what_it_knows) {
    // Taking the pawn leaves a lone king; a queen that gives check looks as good to one ply of search.
    const Record<Chess> record(Chess::read_fen("8/7k/8/8/p7/8/8/QK6 w - - 0 1", {}));
    LoneKingLoses database;
    for (const auto algorithm : {Algorithm::Minimax, Algorithm::Negamax, Algorithm::AlphaBeta,
                                 Algorithm::AlphaBetaMemory, Algorithm::Mtdf, Algorithm::Pvs, Algorithm::Mcts}) {
        const Options options{.depth = 1, .simulations = 400, .leaves = Leaves::Evaluated};
        const auto answer = searched(algorithm, record, options, &database);
        CHECK_EQ(Chess::text(record.position(), Chess::native(answer.move())), "Qxa4");
        if (algorithm != Algorithm::Mcts) CHECK_EQ(answer.score, KnownWin);
    }
    database.plies = 12;
    CHECK_EQ(searched(Algorithm::AlphaBeta, record, {.depth = 1}, &database).score, win_in(13));
    CHECK(searched(Algorithm::AlphaBeta, record, {.depth = 1}).score < KnownWin);
}

TEST(known_wins_have_their_distance) {
    // 1... Kf8 2. Re1 Kg8 3. Re8#, while 1... Kh8 2. Ra8# is quicker.
    const Record<Chess> mated_in_two(Chess::read_fen("6k1/8/6K1/8/8/8/8/R7 b - - 0 1", {}));
    for (const auto algorithm : {Algorithm::Minimax, Algorithm::AlphaBetaMemory, Algorithm::Mtdf, Algorithm::Pvs}) {
        const auto answer = searched(algorithm, mated_in_two, {.depth = 4, .iterative = true});
        CHECK_EQ(answer.score, loss_in(4));
        CHECK_EQ(Chess::text(mated_in_two.position(), Chess::native(answer.move())), "Kf8");
    }
}

TEST(the_past_of_the_game_counts) {
    // Three times the same position is a draw: White, a queen up, must not repeat, Black would like to.
    Record<Chess> record(Chess::read_fen("7k/8/8/8/8/8/8/KQ6 w - - 0 1", {}));
    for (int i = 0; i < 2; ++i)
        for (const char* text : {"Qb2+", "Kg8", "Qb1", "Kh8"})
            if (i == 0 || std::string_view(text) != "Kh8") record.push(Chess::read_move(record.position(), text));
    const auto black = searched(Algorithm::AlphaBeta, record, {.depth = 1});
    CHECK_EQ(black.score, 0);
    CHECK_EQ(Chess::text(record.position(), Chess::native(black.move())), "Kh8");
}

TEST(clever_searches_visit_fewer_nodes) {
    Random random(3);
    const auto record = after<Chess>(random, {}, 20);
    const auto nodes = [&](Algorithm algorithm, int depth) {
        return searched(algorithm, record, {.depth = depth, .ordering = Ordering::History}).counters.nodes;
    };
    const auto all = nodes(Algorithm::Negamax, 3);
    CHECK_EQ(nodes(Algorithm::Minimax, 3), all);
    CHECK(nodes(Algorithm::AlphaBeta, 3) * 4 < all);
    CHECK(nodes(Algorithm::AlphaBetaMemory, 4) < nodes(Algorithm::AlphaBeta, 4));
}

TEST(mcts_finds_what_is_there) {
    const Record<Chess> mate(Chess::read_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", {}));
    for (const auto leaves : {Leaves::Random, Leaves::Evaluated}) {
        const Options options{.simulations = 800, .leaves = leaves, .seed = 1, .trace_cap = 100000};
        const auto answer = searched(Algorithm::Mcts, mate, options);
        CHECK_EQ(Chess::text(mate.position(), Chess::native(answer.move())), "Ra8#");
        CHECK_EQ(answer.trace->visits[0], 800u);
        CHECK_EQ(answer.trace->size(), answer.counters.nodes);
        CHECK_EQ(searched(Algorithm::Mcts, mate, options).score, answer.score);
    }
}

TEST(traces_are_whole_near_the_root) {
    Random random(11);
    const auto record = after<Draughts>(random, draughts::English, 12);
    for (const auto algorithm : {Algorithm::Minimax, Algorithm::AlphaBeta, Algorithm::Mtdf, Algorithm::Pvs}) {
        for (const int cap : {1, 2, 7, 50, 300, 1'000'000}) {
            const Options options{.depth = 5, .iterative = cap == 50, .quiescence = cap == 7, .trace_cap = cap};
            const auto answer = searched(algorithm, record, options);
            check_trace(answer, cap);
            if (cap == 1'000'000) CHECK_EQ(answer.trace->size(), answer.counters.nodes);
            const auto whole =
                searched(algorithm, record,
                         Options{.depth = 5, .iterative = cap == 50, .quiescence = cap == 7, .trace_cap = 1'000'000});
            // Levels are full from the root down: all but the deepest that is recorded.
            std::map<int, int> kept, all;
            for (const auto ply : answer.trace->ply) ++kept[ply];
            for (const auto ply : whole.trace->ply) ++all[ply];
            for (const auto& [ply, count] : kept)
                if (ply + 1 < static_cast<int>(kept.size())) CHECK_EQ(count, all[ply]);
        }
    }
}

TEST(a_finished_game_has_a_value_and_no_move) {
    const Record<Chess> mated(Chess::read_fen("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", {}));
    for (int i = 0; i <= static_cast<int>(Algorithm::Pvs); ++i) {
        const auto answer = searched(static_cast<Algorithm>(i), mated, {.depth = 3});
        CHECK_EQ(answer.score, loss_in(0));
        CHECK(answer.pv.empty());
    }
    CHECK(searched(Algorithm::Mcts, mated, {}).pv.empty());
}

template <Game G>
void check_followed(const typename G::Rules& rules, bool has_null_move) {
    Random random(9);
    int null_moves = 0;
    for (const int plies : {0, 15}) {
        const auto record = after<G>(random, rules, plies);
        for (int algorithm = 0; algorithm <= static_cast<int>(Algorithm::Mcts); ++algorithm) {
            for (const bool quiescence : {false, true}) {
                FollowingEvaluator<G> following;
                const Options options{.depth = algorithm < 2 ? 2 : 4,
                                      .null_move = true,
                                      .quiescence = quiescence,
                                      .simulations = 200,
                                      .leaves = quiescence ? Leaves::Evaluated : Leaves::Random,
                                      .playout_plies = 20};
                search<G>(static_cast<Algorithm>(algorithm), record, following, options, 0, Never);
                CHECK(following.counts().evaluated > 0);
                null_moves += following.counts().null_moves;
            }
        }
    }
    CHECK_EQ(null_moves > 0, has_null_move);
}

TEST(an_evaluation_is_told_of_every_move) {
    check_followed<Loa>({5}, true);
    check_followed<Chess>({}, true);
    check_followed<Draughts>(draughts::English, false);
}

}  // namespace test_textbook
