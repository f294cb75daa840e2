// The search below the door: the quest for a win, threads, and evaluations that follow it.

#include "check.h"
#include "damier/base/error.h"
#include "damier/base/random.h"
#include "damier/search/alphabeta/threads.h"
#include "shared_table.h"

namespace test_search {

using namespace damier;
using Checkers = Draughts;

namespace {

struct Infos final : Listener {
    std::vector<SearchResult> all;
    void on_info(const SearchResult& info) override { all.push_back(info); }
};

template <Game G>
typename G::Move native(const SearchResult& result) {
    return G::native(result.move());
}

template <Game G>
SearchResult think(SearchThreads<G>& threads, const Record<G>& record, const Limit& limit, int multipv = 1,
                   Infos* infos = nullptr) {
    threads.arm(false);
    return threads.run({&record, limit, multipv, moves_of(record), &evaluator<G>(), infos});
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

}  // namespace

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
    const auto records = random_records<Checkers>(draughts::English, 60, 40, 5, 21);
    CHECK(check_wins(threads, records, 3) > 5);
}

TEST(shortest_mates) {
    SearchThreads<Chess> threads(1024, {});
    CHECK(check_wins(threads, random_records<Chess>({}, 20, 30, 9, 31), 2) > 0);
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
        Infos infos;
        const auto found = think(threads, record, limit, 1 + static_cast<int>(random.below(4)), &infos);
        CHECK(record.is_legal(native<G>(found)));
        if (found.ponder) {
            Record<G> next = record;
            next.push(native<G>(found));
            CHECK(next.is_legal(G::native(*found.ponder)));
        }
        for (const auto& info : infos.all) {
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
    check_interrupted<Checkers>(draughts::English, 43);
}

TEST(threads_share_a_small_table) {
    check_threads<Chess>({});
    check_threads<Checkers>(draughts::English);
}

template <Game G>
void check_repeatable(const typename G::Rules& rules) {
    const auto run = [&] {
        SearchThreads<G> threads(2048, {});
        Infos infos;
        Limit limit;
        limit.depth = 6;
        think(threads, Record<G>({G::start(rules)}), limit, 2, &infos);
        return std::pair(infos.all.back().nodes, infos.all.back().score);
    };
    CHECK(run() == run());
}

TEST(one_thread_searches_the_same_tree_twice) {
    check_repeatable<Loa>(loa::Default);
    check_repeatable<Chess>({});
    check_repeatable<Checkers>(draughts::English);
}

template <Game G>
void check_followed(const typename G::Rules& rules, bool has_null_move) {
    SearchThreads<G> threads(1024, {});
    threads.set_threads(2);
    for (const auto& record : random_records<G>(rules, 2, 4, 12, 51)) {
        threads.clear();
        const FollowingEvaluator<G> following;
        Limit limit;
        limit.nodes = 6000;
        threads.arm(false);
        const auto found = threads.run({&record, limit, 1, moves_of(record), &following});
        CHECK(record.is_legal(native<G>(found)));
        CHECK(following.counts().evaluated > 0);
        CHECK(has_null_move || following.counts().null_moves == 0);
    }
    const Record<G> start({G::start(rules)});
    const FollowingEvaluator<G> following;
    threads.clear();
    Limit limit;
    limit.depth = 8;
    threads.arm(false);
    threads.run({&start, limit, 1, moves_of(start), &following});
    CHECK(following.counts().evaluated > 1000);
    CHECK(following.counts().deepest >= 8);
    CHECK_EQ(following.counts().null_moves > 0, has_null_move);
}

TEST(an_evaluation_is_told_of_every_move) {
    check_followed<Loa>(loa::Default, true);
    check_followed<Chess>({}, true);
    check_followed<Checkers>(draughts::English, false);
}

}  // namespace test_search
