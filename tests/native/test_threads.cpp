// Everything that starts threads below the door, for the thread sanitizer (cmake --preset tsan): searches that share a
// table, stops and ponder hits from outside, limits that all threads keep, and evaluations that fail. Search knows no
// game by name, so one game is enough here; test_search.cpp looks at the others.

#include "check.h"
#include "damier/base/error.h"
#include "damier/search/textbook/search.h"
#include "shared_table.h"

namespace test_threads {

using namespace damier;

TEST(threads_share_a_small_table) { check_threads<Loa>(loa::Default); }

TEST(many_threads_keep_to_a_limit_of_nodes) {
    SearchThreads<Loa> threads(1024, {});
    threads.set_threads(50);
    const Record<Loa> record({Loa::start(loa::Default)});
    SearchTask<Loa> task{&record, {}, 1, moves_of(record), &evaluator<Loa>()};
    task.limit.nodes = 1000;
    threads.arm(false);
    CHECK(threads.run(task).nodes <= 1000 + 50);
}

// An evaluation that fails must not bring the process down, whichever thread it fails in.
struct Failing final : Evaluator<Loa> {
    std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
    std::string name() const override { return "failing"; }
    std::unique_ptr<Evaluator<Loa>> clone() const override { return std::make_unique<Failing>(*this); }
    std::vector<Term> terms(const Position&) override { return {}; }
    Score evaluate(const Position&) override {
        if (++*calls > 500) throw Error("enough");
        return 0;
    }
};

TEST(an_evaluation_that_fails_is_told) {
    SearchThreads<Loa> threads(1024, {});
    threads.set_threads(3);
    const Record<Loa> record({Loa::start(loa::Default)});
    const Failing failing;
    threads.arm(false);
    CHECK_THROWS(Error, threads.run({&record, {}, 1, moves_of(record), &failing}));
    threads.clear();  // with the evaluation
    SearchTask<Loa> task{&record, {}, 1, moves_of(record), &evaluator<Loa>()};
    task.limit.depth = 3;
    threads.arm(false);
    CHECK(is_legal(record, threads.run(task)));
}

TEST(textbook_searches_stop_promptly_with_a_legal_move) {
    using textbook::Algorithm;
    const Record<Loa> record({Loa::start(loa::Default)});
    const auto evaluation = quick<Loa>();
    const auto search = [&](Algorithm algorithm, const textbook::Options& options, const std::atomic<bool>& stop) {
        return textbook::search<Loa>(algorithm, record, *evaluation, options, 0, stop);
    };
    for (int i = 0; i <= static_cast<int>(Algorithm::Mcts); ++i) {
        std::atomic<bool> stop = false;
        std::jthread alarm([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            stop = true;
        });
        const auto found = search(static_cast<Algorithm>(i),
                                  {.depth = 40, .iterative = i % 2 == 0, .simulations = 1'000'000'000}, stop);
        CHECK(found.stopped);
        CHECK(is_legal(record, found));
        CHECK(found.depth < 40);
    }
    const std::atomic<bool> at_once = true;
    CHECK(is_legal(record, search(Algorithm::Pvs, {}, at_once)));
}

}  // namespace test_threads
