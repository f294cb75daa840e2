// The search without a door: its table, its clock, the quest for a win, and threads that share them. Also run under the
// thread sanitizer (cmake --preset tsan).

#include <chrono>
#include <thread>

#include "check.h"
#include "damier/base/error.h"
#include "damier/base/random.h"
#include "damier/engine/chess.h"
#include "damier/engine/draughts.h"
#include "damier/engine/loa.h"
#include "damier/search/team.h"

using namespace damier;

namespace {

// The simplest evaluation of each game, which is the quickest.
constexpr std::string_view simplest(const Loa*) { return "material"; }
constexpr std::string_view simplest(const Chess*) { return "ocap"; }
constexpr std::string_view simplest(const Draughts*) { return "paris"; }

// By which rules it is made matters to none of them.
template <Game G>
typename G::Rules any_rules() {
    if constexpr (std::same_as<G, Draughts>) {
        return draughts::English;
    } else {
        return {};
    }
}

template <Game G>
const Evaluator<G>& evaluator() {
    static const auto made = make_evaluation<G>(simplest(static_cast<const G*>(nullptr)), any_rules<G>());
    return *made;
}

template <Game G>
struct Heard final : Listener<typename G::Move> {
    std::vector<Info<typename G::Move>> infos;
    void heard(const Info<typename G::Move>& info) override { infos.push_back(info); }
};

template <Game G>
std::vector<typename G::Move> moves_of(const Record<G>& record) {
    typename G::MoveList list;
    record.legal_moves(list);
    return {list.begin(), list.end()};
}

template <Game G>
Found<typename G::Move> think(Team<G>& team, const Record<G>& record, const Limit& limit, int lines = 1,
                              Heard<G>* heard = nullptr) {
    team.arm(limit);
    return team.run({&record, limit, lines, moves_of(record), &evaluator<G>(), heard});
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

// Compares a quest for a win with trying every move; the team keeps its table from one position to the next.
template <Game G>
int check_wins(Team<G>& team, const std::vector<Record<G>>& records, int most) {
    int wins = 0;
    for (const auto& record : records) {
        const int expected = shortest_win<G>(record.position(), most);
        Limit limit;
        limit.win = most;
        const auto found = think(team, record, limit);
        if (claimed(found.score) != expected) std::cerr << G::fen(record.setup()) << "\n";
        CHECK_EQ(claimed(found.score), expected);
        wins += expected > 1;
    }
    return wins;
}

Memory memory_of(Key key) {
    Random random(key);
    const auto value = [&] { return static_cast<Score>(random.below(2000)) - 1000; };
    return {static_cast<std::uint16_t>(random.below(60000) + 1), value(), value(), static_cast<int>(random.below(100)),
            static_cast<Bound>(1 + random.below(3))};
}

bool same(const Memory& a, const Memory& b) {
    return a.code == b.code && a.score == b.score && a.evaluation == b.evaluation && a.depth == b.depth &&
           a.bound == b.bound;
}

}  // namespace

TEST(what_is_stored_is_found) {
    Table table(1024);
    for (Key seed = 1; seed < 500; ++seed) {
        const Key key = seed * 0x9E3779B97F4A7C15ULL;
        CHECK(!table.find(key, 0).found());
        table.store(key, 3, memory_of(key));
        CHECK(same(table.find(key, 3), memory_of(key)));
        CHECK(same(table.find(key, 77), memory_of(key)));  // these are no wins: the ply does not matter
    }
    const Memory bare{0, 0, NoScore, -1, Bound::Upper};
    table.store(42, 0, bare);
    CHECK(same(table.find(42, 0), bare));
    table.clear();
    CHECK(!table.find(42, 0).found());
    CHECK_EQ(table.hashfull(), 0);
}

TEST(wins_are_counted_from_the_position) {
    Table table(1024);
    table.store(1, 5, {7, win_in(9), 0, 4, Bound::Exact});  // four plies below a node at ply five
    CHECK_EQ(table.find(1, 2).score, win_in(6));
    table.store(2, 5, {7, loss_in(9), 0, 4, Bound::Exact});
    CHECK_EQ(table.find(2, 0).score, loss_in(4));
}

TEST(old_and_shallow_entries_go_first) {
    Table table(1024);
    const auto key = [](int i) { return static_cast<Key>(i); };  // small keys share the first bucket
    const auto deep = [](int depth) { return Memory{1, 0, 0, depth, Bound::Exact}; };
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
    Table table(1024);
    table.store(9, 0, {5, 30, 0, 20, Bound::Lower});
    table.store(9, 0, {0, 10, 0, 2, Bound::Upper});
    CHECK_EQ(table.find(9, 0).depth, 20);
    table.store(9, 0, {0, 10, 0, 2, Bound::Exact});  // an exact value is news
    CHECK_EQ(table.find(9, 0).depth, 2);
    CHECK_EQ(table.find(9, 0).code, 5);  // it knew no move: the old one stays
}

TEST(a_size_that_does_not_fit_is_refused_and_changes_nothing) {
    CHECK_THROWS(Error, Table(0));
    CHECK_THROWS(Error, Table(std::size_t{1} << 40));
    Table table(2048);
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
    Table table(1024);
    std::atomic<int> wrong = 0, found = 0;
    const auto work = [&](int number) {
        Random random(static_cast<std::uint64_t>(number));
        for (int i = 0; i < 50'000; ++i) {
            const Key key = 1 + random.below(12);  // twelve positions for the four places of one bucket
            if (random.below(2) == 0) {
                table.store(key, 0, memory_of(key));
            } else if (const Memory memory = table.find(key, 0); memory.found()) {
                ++found;
                if (!same(memory, memory_of(key))) ++wrong;
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

TEST(a_budget_stays_within_the_clock) {
    Random random(5);
    for (int i = 0; i < 20'000; ++i) {
        Limit limit;
        limit.overhead_ms = random.below(100);
        limit.clock = Clock{random.below(random.below(10) == 0 ? 5'000'000 : 5'000), random.below(3'000),
                            static_cast<int>(random.below(60))};
        if (random.below(4) == 0) limit.time_ms = 1 + random.below(2'000);
        const auto budget = time_budget(limit);
        CHECK(budget.soft_ms >= 1 && budget.hard_ms >= 1);
        CHECK(budget.hard_ms <= std::max<std::int64_t>(1, limit.clock->left_ms - limit.overhead_ms));
        if (limit.time_ms > 0) CHECK(budget.hard_ms <= limit.time_ms);
    }
    CHECK_EQ(time_budget({}).hard_ms, TimeBudget::Forever);
}

// A side that uses all it may on every move, and loses some time on the way besides.
TEST(the_clock_never_runs_out) {
    struct Control {
        int start, increment, overhead, lag;
    };
    for (const auto [start, increment, overhead, lag] :
         {Control{1000, 10, 50, 8}, {1000, 30, 50, 20}, {5000, 50, 10, 5}, {10'000, 100, 10, 20}, {100, 100, 50, 40}}) {
        std::int64_t left = start;
        for (int move = 0; move < 200; ++move) {
            Limit limit;
            limit.overhead_ms = overhead;
            limit.clock = Clock{left, increment, 0};
            left -= time_budget(limit).hard_ms + lag;
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
            Limit limit;
            limit.clock = Clock{left, 0, 0};
            const auto budget = time_budget(limit);
            left -= (random.below(8) == 0 ? budget.hard_ms : budget.soft_ms) + random.below(4);
            CHECK(left > 0);
        }
    }
}

TEST(shortest_wins_of_lines_of_action) {
    Team<Loa> team(1024, {});
    const auto records = random_records<Loa>(*loa::rules_named("loa5"), 60, 12, 3, 11);
    CHECK(check_wins(team, records, 2) > 5);
    Team<Loa> two(1, {});
    two.set_threads(2);
    CHECK(check_wins(two, random_records<Loa>(*loa::rules_named("loa5"), 10, 14, 7, 12), 3) > 0);
}

TEST(shortest_wins_of_english_draughts) {
    Team<Draughts> team(1024, {});
    const auto records = random_records<Draughts>(draughts::English, 60, 40, 5, 21);
    CHECK(check_wins(team, records, 3) > 5);
}

TEST(shortest_mates) {
    Team<Chess> team(1024, {});
    CHECK(check_wins(team, random_records<Chess>({}, 40, 30, 9, 31), 2) > 0);
    std::vector<Record<Chess>> endings;
    for (const char* fen :
         {"7k/8/5K2/8/8/8/8/R7 w - - 0 1", "7k/8/6K1/8/8/8/8/3Q4 w - - 0 1", "8/5P1k/5K2/8/8/8/8/8 w - - 0 1",
          "6k1/8/8/4R2K/8/8/8/8 w - - 0 1", "8/8/8/k7/8/3K4/6Q1/8 w - - 0 1", "k7/8/1K6/8/8/8/8/7R b - - 0 1"})
        endings.push_back(Record<Chess>(Chess::read_fen(fen, {})));
    CHECK(check_wins(team, endings, 3) > 2);
}

template <Game G>
void check_interrupted(const typename G::Rules& rules, std::uint64_t seed) {
    Team<G> team(1024, {});
    Random random(seed);
    for (const auto& record : random_records<G>(rules, 4, 0, 9, seed)) {
        Limit limit;
        limit.nodes = 1 + random.below(random.below(2) == 0 ? 40 : 3000);
        Heard<G> heard;
        const auto found = think(team, record, limit, 1 + static_cast<int>(random.below(4)), &heard);
        CHECK(record.is_legal(found.move));
        if (found.ponder) {
            Record<G> next = record;
            next.push(found.move);
            CHECK(next.is_legal(*found.ponder));
        }
        for (const auto& info : heard.infos) {
            Record<G> line = record;
            for (const auto move : info.pv) {
                CHECK(line.is_legal(move));
                line.push(move);
            }
            CHECK(info.score > -Win && info.score < Win);
            CHECK(info.nodes <= limit.nodes + 10);
        }
    }
}

TEST(interrupted_anywhere_a_search_gives_a_legal_move) {
    check_interrupted<Loa>(loa::Default, 41);
    check_interrupted<Chess>({}, 42);
    check_interrupted<Draughts>(draughts::English, 43);
}

template <Game G>
void check_repeatable(const typename G::Rules& rules) {
    const auto run = [&] {
        Team<G> team(2048, {});
        Heard<G> heard;
        Limit limit;
        limit.depth = 6;
        think(team, Record<G>({G::start(rules)}), limit, 2, &heard);
        return std::pair(heard.infos.back().nodes, heard.infos.back().score);
    };
    CHECK(run() == run());
}

TEST(one_thread_searches_the_same_tree_twice) {
    check_repeatable<Loa>(loa::Default);
    check_repeatable<Chess>({});
    check_repeatable<Draughts>(draughts::English);
}

// Threads that share a table far too small for them, stopped and told of a ponder hit from outside.
template <Game G>
void check_threads(const typename G::Rules& rules) {
    Team<G> team(1024, {});
    team.set_threads(4);
    const Record<G> record({G::start(rules)});
    Limit nodes;
    nodes.nodes = 20'000;
    Heard<G> heard;
    CHECK(record.is_legal(think(team, record, nodes, 1, &heard).move));
    CHECK(heard.infos.back().nodes > 1000);

    team.arm({});
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        team.stop();
    });
    const Task<G> endless{&record, {}, 2, moves_of(record), &evaluator<G>(), &heard};
    CHECK(record.is_legal(team.run(endless).move));
    stopper.join();

    Limit pondering;
    pondering.time_ms = 20;
    pondering.pondering = true;
    team.arm(pondering);
    const Watch watch;
    std::jthread opponent([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        team.ponder_hit();
    });
    Task<G> task = endless;
    task.limit = pondering;
    CHECK(record.is_legal(team.run(task).move));
    CHECK(watch.ms() >= 60);
}

TEST(threads_share_a_small_table) {
    check_threads<Loa>(loa::Default);
    check_threads<Chess>({});
    check_threads<Draughts>(draughts::English);
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
    Team<Chess> team(1024, {});
    team.set_threads(3);
    const Record<Chess> record({Chess::start({})});
    const Failing failing;
    team.arm({});
    CHECK_THROWS(Error, team.run({&record, {}, 1, moves_of(record), &failing, nullptr}));
    team.forget();  // with the evaluation
    Limit limit;
    limit.depth = 3;
    CHECK(record.is_legal(think(team, record, limit).move));
}

TEST_MAIN()
