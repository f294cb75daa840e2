// The result of a search, final or in progress. A search talks to a listener and never prints.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "damier/eval/score.h"
#include "damier/game/game.h"
#include "damier/game/move.h"

namespace damier {

namespace textbook {
struct Trace;  // textbook/trace.h
}

enum class Bound : std::uint8_t { None, Upper, Lower, Exact };  // what a score says about the true value

// What the textbook algorithms count besides nodes.
struct Counters {
    std::uint64_t nodes = 0;       // positions visited
    std::uint64_t leaves = 0;      // judged by the evaluation or by the rules
    std::uint64_t cutoffs = 0;     // left early because one answer was enough
    std::uint64_t table_hits = 0;  // answered by the table
    std::uint64_t researches = 0;  // searched once more with another window
};

struct SearchResult {
    Score score = 0;            // for the side to move
    Bound bound = Bound::None;  // None when nothing was searched to its end
    int depth = 0;              // that was finished
    int seldepth = 0;
    int multipv = 1;  // 1 for the best line, 2 for the second best...
    std::uint64_t nodes = 0;
    double seconds = 0;
    int hashfull = 0;          // of the transposition table, in thousandths
    std::uint64_t tbhits = 0;  // positions an endgame database knew
    std::vector<Move> pv{};    // the best move and what is expected to follow; empty when the game is over
    std::optional<Move> ponder{};
    bool stopped = false;  // before the depth asked for was finished
    Counters counters{};
    std::shared_ptr<const textbook::Trace> trace{};

    const Move& move() const { return pv.front(); }
};

// Called from a search thread.
class Listener {
  public:
    virtual ~Listener() = default;
    virtual void on_info(const SearchResult& result) = 0;
    virtual void on_currmove(const Move&, int /*number, 1 for the first*/) {}
};

// Moves played one after the other, as they are seen from outside.
template <Game G>
std::vector<Move> line_of(typename G::Position pos, std::span<const typename G::Move> moves, std::uint16_t variant) {
    std::vector<Move> line;
    line.reserve(moves.size());
    for (const auto move : moves) {
        line.push_back(G::plain(pos, move));
        line.back().variant = variant;
        pos.play(move);
    }
    return line;
}

}  // namespace damier
