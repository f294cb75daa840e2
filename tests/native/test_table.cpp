// What searches share: the transposition table, and the clock. Also run under the thread sanitizer.

#include <thread>

#include "check.h"
#include "damier/base/error.h"
#include "damier/base/random.h"
#include "damier/search/alphabeta/timing.h"
#include "damier/search/alphabeta/transposition_table.h"

namespace test_table {

using namespace damier;

namespace {

TableEntry entry_of(Key key) {
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
        table.store(key, 3, entry_of(key));
        CHECK(same(table.find(key, 3), entry_of(key)));
        CHECK(same(table.find(key, 77), entry_of(key)));  // these are no wins: the ply does not matter
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
                table.store(key, 0, entry_of(key));
            } else if (const TableEntry entry = table.find(key, 0); entry.found()) {
                ++found;
                if (!same(entry, entry_of(key))) ++wrong;
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

TimeBudget budget_of(const Limit& limit, std::int64_t overhead = 0, int moves_expected = 40) {
    return time_budget(limit, Side::White, static_cast<double>(overhead) / 1000, moves_expected);
}

TEST(a_budget_stays_within_the_clock) {
    Random random(5);
    for (int i = 0; i < 20'000; ++i) {
        const std::int64_t overhead = random.below(100);
        const std::int64_t left = random.below(random.below(10) == 0 ? 5'000'000 : 5'000);
        Limit limit = on_clock(left, random.below(3'000), static_cast<int>(random.below(60)));
        const std::int64_t fixed = random.below(4) == 0 ? 1 + random.below(2'000) : 0;
        if (fixed > 0) limit.time = static_cast<double>(fixed) / 1000;
        const auto budget = budget_of(limit, overhead, 5 + static_cast<int>(random.below(100)));
        CHECK(budget.soft_ms >= 1 && budget.hard_ms >= 1);
        CHECK(budget.hard_ms <= std::max<std::int64_t>(1, left - overhead));
        if (fixed > 0) CHECK(budget.hard_ms <= fixed);
    }
    CHECK_EQ(budget_of({}).hard_ms, TimeBudget::Forever);
    CHECK_EQ(time_budget(on_clock(1000, 0), Side::Black, 0, 40).hard_ms, TimeBudget::Forever);  // it is not Black's
}

TEST(a_fixed_time_is_used_whole) {
    Limit limit;
    limit.time = 0.1;
    CHECK_EQ(budget_of(limit, 10).hard_ms, 100);
}

TEST(moves_to_go_each_lose_the_overhead) {
    std::int64_t left = 2000;
    for (int moves = 40; moves > 0; --moves) {
        const auto budget = budget_of(on_clock(left, 0, moves), 40, 20);
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
        for (const int moves_expected : {10, 20, 40}) {
            std::int64_t left = start;
            for (int move = 0; move < 200; ++move) {
                left -= budget_of(on_clock(left, increment), overhead, moves_expected).hard_ms + lag;
                CHECK(left > 0);
                left += increment;
            }
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

}  // namespace test_table
