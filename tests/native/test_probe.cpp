// What a search learns from outside: an endgame database inside its tree and at its root, and a book before it. The
// database is made here, by trying everything: two kings against one in English draughts.

#include <map>
#include <set>

#include "check.h"
#include "damier/base/random.h"
#include "damier/search/alphabeta/threads.h"
#include "evaluators.h"

namespace test_probe {

using namespace damier;
using Checkers = Draughts;

namespace {

using Position = Checkers::Position;

// Every position that can arise from one, with what best play makes of it.
class Solved {
  public:
    explicit Solved(const Position& from) {
        visit(from);
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            Checkers::MoveList moves;
            const Position pos = nodes_[i].position;
            pos.legal_moves(moves);
            for (const auto move : moves) {
                auto next = pos;
                next.play(move);
                const std::size_t number = visit(next);
                nodes_[i].next.push_back(number);
            }
        }
        for (int plies = 0, solved = 1; solved > 0 || plies < 2; ++plies) solved = solve(plies);
    }

    std::size_t size() const { return nodes_.size(); }
    const Position& position(std::size_t i) const { return nodes_[i].position; }
    std::optional<ProbeResult> value(const Position& pos) const {
        const auto found = numbers_.find(pos.key());
        if (found == numbers_.end()) return std::nullopt;
        return nodes_[found->second].value;
    }

  private:
    struct Node {
        Position position;
        std::vector<std::size_t> next{};
        ProbeResult value{};  // drawn until shown otherwise
        bool solved = false;
    };

    std::size_t visit(const Position& pos) {
        const auto [at, is_new] = numbers_.try_emplace(pos.key(), nodes_.size());
        if (is_new) nodes_.push_back({pos});
        return at->second;
    }

    // Finds all positions won or lost in exactly so many plies: won when a move leads to a lost one, lost when all
    // moves lead to won ones. Returns how many there are.
    int solve(int plies) {
        int found = 0;
        for (auto& node : nodes_) {
            if (node.solved) continue;
            bool all_win = true, one_loses = false;
            for (const auto next : node.next) {
                const Node& child = nodes_[next];
                const bool earlier = child.solved && *child.value.plies < plies;
                all_win &= earlier && child.value.wdl == Wdl::Won;
                one_loses |= earlier && child.value.wdl == Wdl::Lost;
            }
            if (!all_win && !one_loses) continue;
            node.value = {one_loses ? Wdl::Won : Wdl::Lost, plies};
            node.solved = true;
            ++found;
        }
        return found;
    }

    std::vector<Node> nodes_;
    std::map<Key, std::size_t> numbers_;
};

const Solved& solved() {
    static const Solved all(Checkers::read_fen("W:WK1,K2:BK32", draughts::English).position);
    return all;
}

struct Database final : EndgameProbe<Checkers> {
    bool fits(const Checkers::Rules& rules) const override { return rules == draughts::English; }
    bool knows_plies = true;
    std::set<Key> hidden{};

    std::optional<ProbeResult> probe(const Position& pos) const override {
        if (hidden.contains(pos.key())) return std::nullopt;
        auto known = solved().value(pos);
        if (known && !knows_plies) known->plies.reset();
        return known;
    }
};

struct Book final : OpeningBook<Checkers> {
    bool fits(const Checkers::Rules& rules) const override { return rules == draughts::English; }
    std::vector<Entry> entries;
    std::vector<Entry> moves(const Position&) const override { return entries; }
};

SearchTask<Checkers> task(const Record<Checkers>& record, int depth) {
    static const auto evaluator = quick<Checkers>();
    Checkers::MoveList legal;
    record.legal_moves(legal);
    SearchTask<Checkers> asked{&record, {}, 1, {legal.begin(), legal.end()}, evaluator.get()};
    asked.limit.depth = depth;
    return asked;
}

SearchResult run(SearchThreads<Checkers>& threads, const SearchTask<Checkers>& asked) {
    threads.clear();
    threads.arm(false);
    return threads.run(asked);
}

// Some positions with a move to choose, every one of them with its value.
template <class Do>
void each_position(Do&& act) {
    Random random(7);
    for (int i = 0; i < 200; ++i) {
        const Record<Checkers> record({solved().position(random.below(static_cast<std::uint32_t>(solved().size())))});
        if (record.count_legal_moves() > 1) act(record, *solved().value(record.position()));
    }
}

Score score(const ProbeResult& value) {
    if (value.wdl == Wdl::Drawn) return 0;
    return value.wdl == Wdl::Won ? win_in(*value.plies) : loss_in(*value.plies);
}

}  // namespace

TEST(an_exact_database_gives_the_exact_score) {
    CHECK(solved().size() > 10'000);
    SearchThreads<Checkers> threads(1024, {});
    threads.set_threads(2);
    const Database database;
    std::map<Wdl, int> seen;
    each_position([&](const auto& record, const ProbeResult& value) {
        auto asked = task(record, 2);
        asked.probe = &database;
        const auto found = run(threads, asked);
        CHECK_EQ(found.score, score(value));
        CHECK(found.tbhits > 0);
        ++seen[value.wdl];
    });
    CHECK(seen[Wdl::Won] > 20 && seen[Wdl::Lost] > 20);
}

TEST(a_database_is_asked_inside_the_tree) {
    SearchThreads<Checkers> threads(1024, {});
    each_position([&](const auto& record, const ProbeResult& value) {
        Database database;
        database.hidden.insert(record.position().key());
        for (const auto move : task(record, 0).moves) {
            auto next = record.position();
            next.play(move);
            database.hidden.insert(next.key());
        }
        auto asked = task(record, 4);
        asked.probe = &database;
        const auto found = run(threads, asked);
        if (value.wdl == Wdl::Won && *value.plies > 4) CHECK_EQ(found.score, score(value));
        CHECK(found.tbhits > 0 || is_sure(found.score));
        asked.probe = nullptr;
        CHECK_EQ(run(threads, asked).tbhits, 0u);
    });
}

TEST(without_distances_the_win_is_kept_and_told) {
    SearchThreads<Checkers> threads(1024, {});
    Database database;
    database.knows_plies = false;
    each_position([&](const auto& record, const ProbeResult& value) {
        auto asked = task(record, 3);
        asked.probe = &database;
        const auto found = run(threads, asked);
        auto next = record.position();
        next.play(Checkers::native(found.move()));
        if (value.wdl == Wdl::Won) {
            CHECK(found.score >= KnownWin);
            CHECK(solved().value(next)->wdl == Wdl::Lost);
        } else if (value.wdl == Wdl::Lost) {
            CHECK(found.score <= -KnownWin);
        } else {
            CHECK_EQ(found.score, 0);
        }
    });
}

TEST(answers_become_scores) {
    CHECK_EQ(score_of({Wdl::Won, 7}, 3).score, win_in(10));
    CHECK_EQ(score_of({Wdl::Lost, 0}, 3).score, loss_in(3));
    CHECK(score_of({Wdl::Won, 7}, 3).bound == Bound::Exact);
    for (const auto& far : {ProbeResult{Wdl::Won}, ProbeResult{Wdl::Won, 5000}}) {
        CHECK_EQ(score_of(far, 0).score, KnownWin);
        CHECK(score_of(far, 0).bound == Bound::Lower);
    }
    CHECK(score_of({Wdl::Lost}, 0).bound == Bound::Upper);
    CHECK(score_of({Wdl::Drawn, {}, Bound::Lower}, 0).bound == Bound::Lower);
    CHECK(score_of({Wdl::Won, {}, Bound::Upper}, 0).bound == Bound::None);  // at most won says nothing
    CHECK(!is_sure(KnownWin) && clamp_evaluation(40'000) < KnownWin);
}

// A database that only knows who is ahead: at least drawn.
struct AheadIsSafe final : EndgameProbe<Checkers> {
    bool fits(const Checkers::Rules& rules) const override { return rules == draughts::English; }
    std::optional<ProbeResult> probe(const Position& pos) const override {
        const int ahead = count(pos.own()) - count(pos.other());
        if (ahead == 0) return std::nullopt;
        return ProbeResult{Wdl::Drawn, {}, ahead > 0 ? Bound::Lower : Bound::Upper};
    }
};

TEST(bounds_bound_the_score) {
    SearchThreads<Checkers> threads(1024, {});
    const AheadIsSafe safe;
    each_position([&](const auto& record, const ProbeResult&) {
        auto asked = task(record, 5);
        asked.probe = &safe;
        const auto found = run(threads, asked);
        const int ahead = count(record.position().own()) - count(record.position().other());
        if (ahead > 0) CHECK(found.score >= 0);
        if (ahead < 0) CHECK(found.score <= 0);
    });
}

TEST(a_book_move_is_played_at_once) {
    SearchThreads<Checkers> threads(1024, {});
    const Record<Checkers> start({Checkers::start(draughts::English)});
    auto asked = task(start, 4);
    Book book;
    const auto usual = asked.moves[1], rare = asked.moves[3];
    book.entries = {{usual, 3}, {rare, 1}, {asked.moves[0], 0}, {{}, 100}};  // the last is not legal
    asked.book = &book;
    std::map<int, int> played;
    for (int i = 0; i < 400; ++i) {
        const auto found = run(threads, asked);
        CHECK_EQ(found.nodes, 0u);
        CHECK(found.bound == Bound::None);
        ++played[Checkers::code(Checkers::native(found.move()))];
    }
    CHECK_EQ(played.size(), 2u);
    CHECK(played[Checkers::code(usual)] > 250 && played[Checkers::code(rare)] > 60);

    asked.multipv = 2;  // a weakened player chooses among lines, and follows its book
    CHECK_EQ(run(threads, asked).nodes, 0u);
    asked.multipv = 1;
    asked.limit.mate = 1;  // a proof is not to be found in a book
    CHECK(run(threads, asked).nodes > 0);
    asked.limit.mate = 0;
    book.entries = {{{}, 1}};
    CHECK(run(threads, asked).nodes > 0);
}

}  // namespace test_probe
