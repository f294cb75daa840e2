// The search without a door: its table, its clock, the quest for a win, and threads that share them. Also run under the
// thread sanitizer (cmake --preset tsan).

#include <chrono>
#include <thread>

#include "check.h"
#include "damier/base/error.h"
#include "damier/base/random.h"
#include "damier/search/alphabeta/threads.h"
#include "evaluators.h"

using namespace damier;
using Checkers = Draughts<English>;

namespace {

template <Game G>
const Evaluator<G>& evaluator() {
    static const auto made = quick<G>();
    return *made;
}

struct Told final : Listener {
    std::vector<SearchResult> infos;
    void on_info(const SearchResult& info) override { infos.push_back(info); }
};

template <Game G>
std::vector<typename G::Move> moves_of(const Record<G>& record) {
    typename G::MoveList list;
    record.legal_moves(list);
    return {list.begin(), list.end()};
}

template <Game G>
typename G::Move native(const SearchResult& result) {
    return G::native(result.move());
}

template <Game G>
SearchResult think(SearchThreads<G>& threads, const Record<G>& record, const Limit& limit, int multipv = 1,
                   Told* told = nullptr) {
    threads.arm(false);
    return threads.run({&record, limit, multipv, moves_of(record), &evaluator<G>(), told});
}

// Positions of random games that are not over, every `step` plies.
template <Game G>
std::vector<Record<G>> random_records(const typename G::Rules& rules, int games, int from, int step,
                                      std::uint64_t seed) {
    std::vector<Record<G>> found;
    Random random(seed);
    for (int game = 0; game < games; ++game) {
        Record<G> record({G::start(rules)});
        for (int ply = 0; ply < 200 && !record.outcome(true); ++ply) {
            if (ply >= from && (ply - from) % step == 0) found.push_back(Record<G>(record.setup()));
            const auto moves = moves_of(record);
            record.push(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
        }
    }
    return found;
}

// Does the side to move win within so many of its own moves? Every move is tried.
template <Game G>
bool wins_within(const typename G::Position& pos, int moves);

template <Game G>
bool loses_within(const typename G::Position& pos, int moves) {
    if (const auto outcome = pos.decided()) return outcome->result == win_for(!pos.turn());
    typename G::MoveList list;
    pos.legal_moves(list);
    if (list.empty()) return pos.stuck().result == win_for(!pos.turn());
    if (moves == 0) return false;
    for (const auto move : list) {
        auto next = pos;
        next.play(move);
        if (!wins_within<G>(next, moves)) return false;
    }
    return true;
}

template <Game G>
bool wins_within(const typename G::Position& pos, int moves) {
    if (const auto outcome = pos.decided()) return outcome->result == win_for(pos.turn());
    if (moves == 0) return false;
    typename G::MoveList list;
    pos.legal_moves(list);
    for (const auto move : list) {
        auto next = pos;
        next.play(move);
        if (loses_within<G>(next, moves - 1)) return true;
    }
    return false;
}

template <Game G>
int shortest_win(const typename G::Position& pos, int most) {
    for (int moves = 1; moves <= most; ++moves)
        if (wins_within<G>(pos, moves)) return moves;
    return 0;
}

// The moves to a win that a search claims, 0 for none.
int claimed(Score score) { return is_win(score) ? (plies_to_end(score) + 1) / 2 : 0; }

// Compares a quest for a win with trying every move; the threads keeps its table from one position to the next.
template <Game G>
int check_wins(SearchThreads<G>& threads, const std::vector<Record<G>>& records, int most) {
    int wins = 0;
    for (const auto& record : records) {
        const int expected = shortest_win<G>(record.position(), most);
        Limit limit;
        limit.mate = most;
        const auto found = think(threads, record, limit);
        if (claimed(found.score) != expected) std::cerr << G::fen(record.setup()) << "\n";
        CHECK_EQ(claimed(found.score), expected);
        wins += expected > 1;
    }
    return wins;
}

TableEntry memory_of(Key key) {
    Random random(key);
    const auto value = [&] { return static_cast<Score>(random.below(2000)) - 1000; };
    return {static_cast<std::uint16_t>(random.below(60000) + 1), value(), value(), static_cast<int>(random.below(100)),
            static_cast<Bound>(1 + random.below(3))};
}

bool same(const TableEntry& a, const TableEntry& b) {
    return a.code == b.code && a.score == b.score && a.evaluation == b.evaluation && a.depth == b.depth &&
           a.bound == b.bound;
}

}  // namespace

TEST(what_is_stored_is_found) {
    TranspositionTable table(1024);
    for (Key seed = 1; seed < 500; ++seed) {
        const Key key = seed * 0x9E3779B97F4A7C15ULL;
        CHECK(!table.find(key, 0).found());
        table.store(key, 3, memory_of(key));
        CHECK(same(table.find(key, 3), memory_of(key)));
        CHECK(same(table.find(key, 77), memory_of(key)));  // these are no wins: the ply does not matter
    }
    const TableEntry bare{0, 0, NoScore, -1, Bound::Upper};
    table.store(42, 0, bare);
    CHECK(same(table.find(42, 0), bare));
    table.clear();
    CHECK(!table.find(42, 0).found());
    CHECK_EQ(table.hashfull(), 0);
}

TEST(wins_are_counted_from_the_position) {
    TranspositionTable table(1024);
    table.store(1, 5, {7, win_in(9), 0, 4, Bound::Exact});  // four plies below a node at ply five
    CHECK_EQ(table.find(1, 2).score, win_in(6));
    table.store(2, 5, {7, loss_in(9), 0, 4, Bound::Exact});
    CHECK_EQ(table.find(2, 0).score, loss_in(4));
}

TEST(old_and_shallow_entries_go_first) {
    TranspositionTable table(1024);
    const auto key = [](int i) { return static_cast<Key>(i); };  // small keys share the first bucket
    const auto deep = [](int depth) { return TableEntry{1, 0, 0, depth, Bound::Exact}; };
    for (int i = 1; i <= 4; ++i) table.store(key(i), 0, deep(10 * i));
    table.store(key(5), 0, deep(1));
    CHECK(!table.find(key(1), 0).found());  // the shallowest made room
    CHECK(table.find(key(5), 0).found());
    for (int i = 2; i <= 4; ++i) CHECK(table.find(key(i), 0).found());

    for (int i = 0; i < 6; ++i) table.new_search();
    for (int i = 11; i <= 14; ++i) table.store(key(i), 0, deep(2));
    for (int i = 11; i <= 14; ++i) CHECK(table.find(key(i), 0).found());
    CHECK(!table.find(key(4), 0).found());  // deep, but of a search long ago
}

TEST(a_deep_entry_of_this_search_is_kept) {
    TranspositionTable table(1024);
    table.store(9, 0, {5, 30, 0, 20, Bound::Lower});
    table.store(9, 0, {0, 10, 0, 2, Bound::Upper});
    CHECK_EQ(table.find(9, 0).depth, 20);
    table.store(9, 0, {0, 10, 0, 2, Bound::Exact});  // an exact value is news
    CHECK_EQ(table.find(9, 0).depth, 2);
    CHECK_EQ(table.find(9, 0).code, 5);  // it knew no move: the old one stays
}

TEST(a_size_that_does_not_fit_is_refused_and_changes_nothing) {
    CHECK_THROWS(Error, TranspositionTable(0));
    CHECK_THROWS(Error, TranspositionTable(std::size_t{1} << 40));
    TranspositionTable table(2048);
    table.store(9, 0, {5, 30, 0, 20, Bound::Lower});
    CHECK_THROWS(Error, table.resize(0));
    CHECK_THROWS(Error, table.resize(SIZE_MAX));
    CHECK_THROWS(Error, table.resize(SIZE_MAX >> 20));
    CHECK_EQ(table.kibibytes(), 2048u);
    CHECK_EQ(table.find(9, 0).depth, 20);
    table.resize(3072);
    CHECK_EQ(table.kibibytes(), 3072u);
    CHECK(!table.find(9, 0).found());
}

TEST(threads_never_see_half_an_entry) {
    TranspositionTable table(1024);
    std::atomic<int> wrong = 0, found = 0;
    const auto work = [&](int number) {
        Random random(static_cast<std::uint64_t>(number));
        for (int i = 0; i < 50'000; ++i) {
            const Key key = 1 + random.below(12);  // twelve positions for the four places of one bucket
            if (random.below(2) == 0) {
                table.store(key, 0, memory_of(key));
            } else if (const TableEntry entry = table.find(key, 0); entry.found()) {
                ++found;
                if (!same(entry, memory_of(key))) ++wrong;
            }
        }
    };
    {
        std::vector<std::jthread> threads;
        for (int i = 1; i <= 4; ++i) threads.emplace_back(work, i);
    }
    CHECK_EQ(wrong.load(), 0);
    CHECK(found.load() > 1000);
}

// The clock of White, in milliseconds.
Limit on_clock(std::int64_t left, std::int64_t increment, int moves_to_go = 0) {
    Limit limit;
    limit.white_clock = static_cast<double>(left) / 1000;
    limit.white_inc = static_cast<double>(increment) / 1000;
    limit.moves_to_go = moves_to_go;
    return limit;
}

TimeBudget budget_of(const Limit& limit, std::int64_t overhead = 0) {
    return time_budget(limit, Side::White, static_cast<double>(overhead) / 1000);
}

TEST(a_budget_stays_within_the_clock) {
    Random random(5);
    for (int i = 0; i < 20'000; ++i) {
        const std::int64_t overhead = random.below(100);
        const std::int64_t left = random.below(random.below(10) == 0 ? 5'000'000 : 5'000);
        Limit limit = on_clock(left, random.below(3'000), static_cast<int>(random.below(60)));
        const std::int64_t fixed = random.below(4) == 0 ? 1 + random.below(2'000) : 0;
        if (fixed > 0) limit.time = static_cast<double>(fixed) / 1000;
        const auto budget = budget_of(limit, overhead);
        CHECK(budget.soft_ms >= 1 && budget.hard_ms >= 1);
        CHECK(budget.hard_ms <= std::max<std::int64_t>(1, left - overhead));
        if (fixed > 0) CHECK(budget.hard_ms <= fixed);
    }
    CHECK_EQ(budget_of({}).hard_ms, TimeBudget::Forever);
    CHECK_EQ(time_budget(on_clock(1000, 0), Side::Black, 0).hard_ms, TimeBudget::Forever);  // it is not Black's
}

TEST(a_fixed_time_is_used_whole) {
    Limit limit;
    limit.time = 0.1;
    CHECK_EQ(budget_of(limit, 10).hard_ms, 100);
}

TEST(moves_to_go_each_lose_the_overhead) {
    std::int64_t left = 2000;
    for (int moves = 40; moves > 0; --moves) {
        const auto budget = budget_of(on_clock(left, 0, moves), 40);
        left -= budget.soft_ms + 40;
        CHECK(left >= 0);
    }
}

// A side that uses all it may on every move, and loses some time on the way besides.
TEST(the_clock_never_runs_out) {
    struct TimeControl {
        int start, increment, overhead, lag;
    };
    for (const auto [start, increment, overhead, lag] : {TimeControl{1000, 10, 50, 8},
                                                         {1000, 30, 50, 20},
                                                         {5000, 50, 10, 5},
                                                         {10'000, 100, 10, 20},
                                                         {100, 100, 50, 40}}) {
        std::int64_t left = start;
        for (int move = 0; move < 200; ++move) {
            left -= budget_of(on_clock(left, increment), overhead).hard_ms + lag;
            CHECK(left > 0);
            left += increment;
        }
    }
}

TEST(a_game_without_increment_lasts) {
    Random random(3);
    for (const std::int64_t start : {20'000, 60'000, 600'000}) {
        std::int64_t left = start;
        for (int move = 0; move < 100; ++move) {
            const auto budget = budget_of(on_clock(left, 0), 10);
            left -= (random.below(8) == 0 ? budget.hard_ms : budget.soft_ms) + random.below(4);
            CHECK(left > 0);
        }
    }
}

TEST(shortest_wins_of_lines_of_action) {
    SearchThreads<Loa> threads(1024, {});
    const auto records = random_records<Loa>(*loa::rules_named("loa5"), 60, 12, 3, 11);
    CHECK(check_wins(threads, records, 2) > 5);
    SearchThreads<Loa> two(1, {});
    two.set_threads(2);
    CHECK(check_wins(two, random_records<Loa>(*loa::rules_named("loa5"), 10, 14, 7, 12), 3) > 0);
}

TEST(shortest_wins_of_english_draughts) {
    SearchThreads<Checkers> threads(1024, {});
    const auto records = random_records<Checkers>({}, 60, 40, 5, 21);
    CHECK(check_wins(threads, records, 3) > 5);
}

TEST(shortest_mates) {
    SearchThreads<Chess> threads(1024, {});
    CHECK(check_wins(threads, random_records<Chess>({}, 40, 30, 9, 31), 2) > 0);
    std::vector<Record<Chess>> endings;
    for (const char* fen :
         {"7k/8/5K2/8/8/8/8/R7 w - - 0 1", "7k/8/6K1/8/8/8/8/3Q4 w - - 0 1", "8/5P1k/5K2/8/8/8/8/8 w - - 0 1",
          "6k1/8/8/4R2K/8/8/8/8 w - - 0 1", "8/8/8/k7/8/3K4/6Q1/8 w - - 0 1", "k7/8/1K6/8/8/8/8/7R b - - 0 1"})
        endings.push_back(Record<Chess>(Chess::read_fen(fen, {})));
    CHECK(check_wins(threads, endings, 3) > 2);
}

template <Game G>
void check_interrupted(const typename G::Rules& rules, std::uint64_t seed) {
    SearchThreads<G> threads(1024, {});
    Random random(seed);
    for (const auto& record : random_records<G>(rules, 4, 0, 9, seed)) {
        Limit limit;
        limit.nodes = 1 + random.below(random.below(2) == 0 ? 40 : 3000);
        Told told;
        const auto found = think(threads, record, limit, 1 + static_cast<int>(random.below(4)), &told);
        CHECK(record.is_legal(native<G>(found)));
        if (found.ponder) {
            Record<G> next = record;
            next.push(native<G>(found));
            CHECK(next.is_legal(G::native(*found.ponder)));
        }
        for (const auto& info : told.infos) {
            Record<G> line = record;
            for (const Move& move : info.pv) {
                CHECK(line.is_legal(G::native(move)));
                line.push(G::native(move));
            }
            CHECK(info.score > -Win && info.score < Win);
            CHECK(info.nodes <= limit.nodes + 10);
        }
    }
}

TEST(interrupted_anywhere_a_search_gives_a_legal_move) {
    check_interrupted<Loa>(loa::Default, 41);
    check_interrupted<Chess>({}, 42);
    check_interrupted<Checkers>({}, 43);
}

template <Game G>
void check_repeatable(const typename G::Rules& rules) {
    const auto run = [&] {
        SearchThreads<G> threads(2048, {});
        Told told;
        Limit limit;
        limit.depth = 6;
        think(threads, Record<G>({G::start(rules)}), limit, 2, &told);
        return std::pair(told.infos.back().nodes, told.infos.back().score);
    };
    CHECK(run() == run());
}

TEST(one_thread_searches_the_same_tree_twice) {
    check_repeatable<Loa>(loa::Default);
    check_repeatable<Chess>({});
    check_repeatable<Checkers>({});
}

// Threads that share a table far too small for them, stopped and told of a ponder hit from outside.
template <Game G>
void check_threads(const typename G::Rules& rules) {
    SearchThreads<G> threads(1024, {});
    threads.set_threads(4);
    const Record<G> record({G::start(rules)});
    Limit nodes;
    nodes.nodes = 20'000;
    Told told;
    CHECK(record.is_legal(native<G>(think(threads, record, nodes, 1, &told))));
    CHECK(told.infos.back().nodes > 1000);

    threads.arm(false);
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        threads.stop();
    });
    const SearchTask<G> endless{&record, {}, 2, moves_of(record), &evaluator<G>(), &told};
    CHECK(record.is_legal(native<G>(threads.run(endless))));
    stopper.join();

    Limit pondering;
    pondering.time = 0.02;
    threads.arm(true);
    const Watch watch;
    std::jthread opponent([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        threads.ponder_hit();
    });
    SearchTask<G> task = endless;
    task.limit = pondering;
    CHECK(record.is_legal(native<G>(threads.run(task))));
    CHECK(watch.ms() >= 60);
}

TEST(many_threads_keep_to_a_limit_of_nodes) {
    SearchThreads<Loa> threads(1024, {});
    threads.set_threads(50);
    Limit limit;
    limit.nodes = 1000;
    const Record<Loa> record({Loa::start(loa::Default)});
    CHECK(think(threads, record, limit).nodes <= 1000 + 50);
}

TEST(threads_share_a_small_table) {
    check_threads<Loa>(loa::Default);
    check_threads<Chess>({});
    check_threads<Checkers>({});
}

// An evaluation that fails must not bring the process down, whichever thread it fails in.
struct Failing final : Evaluator<Chess> {
    std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
    std::string name() const override { return "failing"; }
    std::unique_ptr<Evaluator<Chess>> clone() const override { return std::make_unique<Failing>(*this); }
    std::vector<Term> terms(const Position&) override { return {}; }
    Score evaluate(const Position&) override {
        if (++*calls > 500) throw Error("enough");
        return 0;
    }
};

TEST(an_evaluation_that_fails_is_told) {
    SearchThreads<Chess> threads(1024, {});
    threads.set_threads(3);
    const Record<Chess> record({Chess::start({})});
    const Failing failing;
    threads.arm(false);
    CHECK_THROWS(Error, threads.run({&record, {}, 1, moves_of(record), &failing, nullptr}));
    threads.clear();  // with the evaluation
    Limit limit;
    limit.depth = 3;
    CHECK(record.is_legal(native<Chess>(think(threads, record, limit))));
}

TEST_MAIN()
