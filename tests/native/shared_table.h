// A search by threads that share a table, looked at in every game under one sanitizer or another.

#pragma once

#include <chrono>
#include <thread>

#include "check.h"
#include "damier/search/alphabeta/threads.h"
#include "evaluators.h"

namespace damier {

template <Game G>
bool is_legal(const Record<G>& record, const SearchResult& result) {
    return record.is_legal(G::native(result.move()));
}

// Threads that share a table far too small for them, stopped and sent a ponder hit from outside.
template <Game G>
void check_threads(const typename G::Rules& rules) {
    SearchThreads<G> threads(1024, {});
    threads.set_threads(4);
    const Record<G> record({G::start(rules)});
    SearchTask<G> task{&record, {}, 1, moves_of(record), &evaluator<G>()};
    task.limit.nodes = 20'000;
    threads.arm(false);
    const auto limited = threads.run(task);
    CHECK(is_legal(record, limited));
    CHECK(limited.nodes > 1000);

    const SearchTask<G> endless{&record, {}, 2, moves_of(record), &evaluator<G>()};
    threads.arm(false);
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        threads.stop();
    });
    CHECK(is_legal(record, threads.run(endless)));
    stopper.join();

    SearchTask<G> pondering = endless;
    pondering.limit.time = 0.02;
    threads.arm(true);
    const Watch watch;
    std::jthread opponent([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        threads.ponder_hit();
    });
    CHECK(is_legal(record, threads.run(pondering)));
    CHECK(watch.ms() >= 60);
}

}  // namespace damier
