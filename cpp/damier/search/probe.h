// Knowledge from outside the search: endgame databases, probed inside the tree and at the root, and opening books, used
// before it. Both are optional and shared by all threads of an engine.

#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "damier/eval/score.h"
#include "damier/game/game.h"
#include "damier/search/result.h"

namespace damier {

enum class Wdl : std::int8_t { Lost = -1, Drawn = 0, Won = 1 };  // for the side to move

// What a database knows about a position, whatever its history.
struct ProbeResult {
    Wdl wdl = Wdl::Drawn;
    std::optional<int> plies{};  // to the end with best play, where the database knows it
    Bound bound = Bound::Exact;  // Lower: at least this good; Upper: at most
};

// A database of some game, for whoever carries it without knowing the game.
class AnyEndgameProbe {
  public:
    virtual ~AnyEndgameProbe() = default;
};

template <Game G>
class EndgameProbe : public AnyEndgameProbe {
  public:
    // Called from any search thread, for positions that the board alone does not decide; none where nothing is known.
    // It is asked at every node, so it should say quickly that a position has too many pieces.
    virtual std::optional<ProbeResult> probe(const typename G::Position& pos) const = 0;
    virtual bool fits(const typename G::Rules& rules) const = 0;  // whether its answers hold by these rules
    virtual bool is_slow() const { return false; }  // a search that asks a slow one looks at its clock at every node
};

// A score with what it says about the true value.
struct BoundedScore {
    Score score;
    Bound bound;
};

// What a database's answer means `ply` plies from the root. A win of unknown length, or one too long to be counted, is
// a KnownWin: better than any evaluation, worse than any win that can be counted.
constexpr BoundedScore score_of(const ProbeResult& known, int ply) {
    if (known.wdl == Wdl::Drawn) return {0, known.bound};
    const bool wins = known.wdl == Wdl::Won;
    if (known.plies && is_win(win_in(ply + *known.plies)))
        return {wins ? win_in(ply + *known.plies) : loss_in(ply + *known.plies), known.bound};
    if (wins) return {KnownWin, known.bound == Bound::Upper ? Bound::None : Bound::Lower};
    return {-KnownWin, known.bound == Bound::Lower ? Bound::None : Bound::Upper};
}

// What a database says a value lies between.
struct KnownRange {
    Score least = -Infinite;
    Score most = Infinite;

    constexpr Score clamp(Score score) const { return std::clamp(score, least, most); }
};

class AnyOpeningBook {
  public:
    virtual ~AnyOpeningBook() = default;
};

template <Game G>
class OpeningBook : public AnyOpeningBook {
  public:
    struct Entry {
        typename G::Move move;
        double weight = 1;  // how often to play it, compared with the others
    };
    // The moves to choose from; none where the book ends. Those that are not legal are left out.
    virtual std::vector<Entry> moves(const typename G::Position& pos) const = 0;
    virtual bool fits(const typename G::Rules& rules) const = 0;  // whether it was made for these rules
};

}  // namespace damier
