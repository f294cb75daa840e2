// perft: the number of move sequences of exactly `depth` plies. The proof of a move generator.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "damier/game/game.h"

namespace damier {

template <Game G>
int count_legal_moves(const typename G::Position& pos) {
    if constexpr (CountsMoves<G>) {
        return pos.count_legal_moves();
    } else {
        typename G::MoveList list;
        pos.legal_moves(list);
        return static_cast<int>(list.size());
    }
}

// Counts until told to stop; a stopped count means nothing.
template <Game G>
std::uint64_t perft(const typename G::Position& pos, int depth, const std::atomic<bool>& stop) {
    if (depth == 0) return 1;
    if (pos.decided()) return 0;
    if (depth == 1) return static_cast<std::uint64_t>(count_legal_moves<G>(pos));
    typename G::MoveList list;
    pos.legal_moves(list);
    std::uint64_t nodes = 0;
    for (const auto move : list) {
        if (depth > 3 && stop.load(std::memory_order_relaxed)) return 0;
        auto next = pos;
        next.play(move);
        nodes += perft<G>(next, depth - 1, stop);
    }
    return nodes;
}

// The count below each legal move; the moves are shared out among `threads` as they become free.
template <Game G>
std::vector<std::pair<typename G::Move, std::uint64_t>> divide(const typename G::Position& pos, int depth, int threads,
                                                               const std::atomic<bool>& stop) {
    std::vector<std::pair<typename G::Move, std::uint64_t>> counts;
    if (depth < 1 || pos.decided()) return counts;
    typename G::MoveList list;
    pos.legal_moves(list);
    for (const auto move : list) counts.emplace_back(move, 0);

    std::atomic<std::size_t> taken = 0;
    std::atomic<bool> failed = false;
    std::exception_ptr failure;
    const auto work = [&] {
        try {
            for (std::size_t i; (i = taken.fetch_add(1)) < counts.size() && !stop.load();) {
                auto next = pos;
                next.play(counts[i].first);
                counts[i].second = perft<G>(next, depth - 1, stop);
            }
        } catch (...) {  // an exception must not leave its thread
            taken = counts.size();
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers;
        try {
            const auto useful = std::min<std::size_t>(static_cast<std::size_t>(threads), counts.size());
            while (helpers.size() + 1 < useful) helpers.emplace_back(work);
        } catch (const std::system_error&) {  // the machine has no more threads: go on with those it gave
        }
        work();
    }
    if (failure) std::rethrow_exception(failure);
    return counts;
}

}  // namespace damier
