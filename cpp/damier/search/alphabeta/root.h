// What is known before a search starts: the move of a book, and what an endgame database says of the root's moves.

#pragma once

#include <algorithm>

#include "damier/base/random.h"
#include "damier/search/alphabeta/worker.h"

namespace damier {

// A move of the book, by chance according to the weights; none where it has none, or where more than a move is asked
// for: an endless analysis, a proof.
template <Game G>
std::optional<typename G::Move> book_move(const SearchTask<G>& task, Random& random) {
    if (!task.book || !task.limit.ends_for(task.record->position().turn()) || task.limit.mate > 0) return std::nullopt;
    auto entries = task.book->moves(task.record->position());
    std::erase_if(entries, [&](const auto& entry) {
        return !(entry.weight > 0) || std::find(task.moves.begin(), task.moves.end(), entry.move) == task.moves.end();
    });
    if (entries.empty()) return std::nullopt;
    double sum = 0;
    for (const auto& entry : entries) sum += entry.weight;
    double chosen = sum * static_cast<double>(random.below(1 << 30)) / (1 << 30);
    for (const auto& entry : entries)
        if ((chosen -= entry.weight) < 0) return entry.move;
    return entries.back().move;
}

// What a root move leads to, for whoever plays it, if the rules or the database know.
template <Game G>
std::optional<ProbeResult> probe_move(const SearchTask<G>& task, typename G::Move move, std::uint64_t& tbhits) {
    Record<G> next = *task.record;
    next.push(move);
    if (const auto outcome = next.outcome(true)) {
        if (outcome->result == Result::Draw) return ProbeResult{Wdl::Drawn};
        return ProbeResult{outcome->result == win_for(task.record->position().turn()) ? Wdl::Won : Wdl::Lost, 1};
    }
    auto known = task.probe->probe(next.position());
    if (!known || known->bound != Bound::Exact) return std::nullopt;
    ++tbhits;
    known->wdl = static_cast<Wdl>(-static_cast<int>(known->wdl));
    return known;
}

// Inside the tree a database that knows how long a win takes leads straight to it. One that does not would make all
// winning lines equal: then the moves that keep the win are searched without it, so that the evaluation makes progress,
// and the score says what is known. Returns how often the database knew a position.
template <Game G>
std::uint64_t ask_probe_at_root(SearchTask<G>& task) {
    if (!task.probe || task.multipv > 1 || task.limit.mate > 0) return 0;
    std::uint64_t tbhits = 0;
    std::vector<typename G::Move> winning;
    bool all_lose = true, counted = true;
    for (const auto move : task.moves) {
        const auto known = probe_move(task, move, tbhits);
        if (known && known->wdl == Wdl::Won) winning.push_back(move);
        if (!known || known->wdl != Wdl::Lost) all_lose = false;
        if (known && known->wdl != Wdl::Drawn && !known->plies) counted = false;
    }
    if (counted || (winning.empty() && !all_lose)) return tbhits;
    task.probe = nullptr;
    if (all_lose) {
        task.known.most = -KnownWin;
    } else {
        task.known.least = KnownWin;
        task.moves = std::move(winning);
    }
    return tbhits;
}

}  // namespace damier
