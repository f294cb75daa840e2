// Actions: every move of a variant by a number below a count that never changes, as learning by a policy needs.
//
// The pairs of squares that a move may join come first, ordered by the square it leaves; then what several moves
// between the same two squares need besides: chess numbers its underpromotions, and where captures share both squares
// (draughts), the second and later ones of a position are numbered in the order of moves.

#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "damier/game/codes.h"
#include "damier/game/view.h"

namespace damier {

// A game that knows which squares a move can join says so, and tells moves between the same two squares apart.
template <class G>
concept KnowsActions = requires(const typename G::Rules& rules, typename G::Move move, int from, int to) {
    { G::moves_between(rules, from, to) } -> std::same_as<int>;  // how many moves there may be, 0 for none
    { G::choice(move) } -> std::same_as<int>;                    // which of them
};

// How many captures that share both squares with another have a number. Random games of the twelve variants needed at
// most 46 (docs/results/batch.md); a position with more offers those that have one.
constexpr int ExtraCaptures = 256;

using Action = std::uint16_t;

template <Game G>
class Actions {
  public:
    using MoveList = typename G::MoveList;

    Actions(const typename G::Rules& rules, const Turned& turned) {
        const auto squares = G::squares(rules);
        std::vector<int> all;
        for (const auto& square : squares) all.push_back(square.index);
        std::sort(all.begin(), all.end());
        for (const int from : all) {
            for (const int to : all) {
                if (between(rules, from, to) == 0) continue;
                numbers_[0].pair[place(from, to)] = static_cast<Action>(count_++);
                pairs_.push_back({from, to, between(rules, from, to) - 1});
            }
        }
        extras_ = count_;
        for (const int from : all) {
            for (const int to : all) {
                const int more = between(rules, from, to) - 1;
                if (more > 0) numbers_[0].extra[place(from, to)] = static_cast<Action>(count_);
                count_ += std::max(more, 0);
            }
        }
        if constexpr (SharesCodes<G>) count_ += ExtraCaptures;
        for (const int from : all) {
            for (const int to : all) {
                const std::size_t seen = place(turned[from], turned[to]);
                numbers_[1].pair[place(from, to)] = numbers_[0].pair[seen];
                numbers_[1].extra[place(from, to)] = numbers_[0].extra[seen];
            }
        }
    }

    int count() const { return count_; }

    // Appends the legal moves of a position that have a number, and their numbers, seen as turned or not.
    void list(const MoveList& legal, bool turned, std::vector<typename G::Move>& moves,
              std::vector<Action>& actions) const {
        const Numbers& numbers = numbers_[turned];
        moves.assign(legal.begin(), legal.end());
        actions.resize(legal.size());
        if constexpr (SharesCodes<G>) {
            if (moves.size() > 1 && std::any_of(moves.begin(), moves.end(), G::may_share_code))
                return number_sharing(numbers, moves, actions);
        }
        for (std::size_t i = 0; i < moves.size(); ++i) actions[i] = number(numbers, moves[i]);
    }

    // Which action each becomes when the board is turned or mirrored; a pass stays what it is.
    std::vector<Action> images(const Turned& image) const {
        std::vector<Action> images(static_cast<std::size_t>(count_));
        for (std::size_t i = 0; i < images.size(); ++i) images[i] = static_cast<Action>(i);
        const Numbers& numbers = numbers_[0];
        for (const auto& [from, to, more] : pairs_) {
            if (from == to) continue;
            const std::size_t at = place(from, to), there = place(image[from], image[to]);
            images[numbers.pair[at]] = numbers.pair[there];
            for (int extra = 0; extra < more; ++extra)
                images[numbers.extra[at] + extra] = static_cast<Action>(numbers.extra[there] + extra);
        }
        return images;
    }

  private:
    struct Pair {
        int from;
        int to;
        int more;  // moves between them besides the first
    };

    struct Numbers {
        std::array<Action, 4096> pair{};
        std::array<Action, 4096> extra{};  // of the second choice
    };

    static std::size_t place(int from, int to) { return static_cast<std::size_t>(from | to << 6); }

    static int between([[maybe_unused]] const typename G::Rules& rules, [[maybe_unused]] int from,
                       [[maybe_unused]] int to) {
        if constexpr (KnowsActions<G>) {
            return G::moves_between(rules, from, to);
        } else {
            return 1;
        }
    }

    static Action number(const Numbers& numbers, typename G::Move move) {
        const std::size_t at = G::code(move) & 4095;  // from | to << 6
        if constexpr (KnowsActions<G>) {
            if (const int choice = G::choice(move); choice > 0) [[unlikely]]
                return static_cast<Action>(numbers.extra[at] + choice - 1);
        }
        return numbers.pair[at];
    }

    void number_sharing(const Numbers& numbers, std::vector<typename G::Move>& moves,
                        std::vector<Action>& actions) const {
        std::sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) {
            return G::code(a) != G::code(b) ? G::code(a) < G::code(b) : a < b;
        });
        std::size_t kept = 0;
        int extra = extras_;
        for (const auto move : moves) {
            const bool first = kept == 0 || G::code(moves[kept - 1]) != G::code(move);
            if (!first && extra == count_) continue;
            actions[kept] = first ? number(numbers, move) : static_cast<Action>(extra++);
            moves[kept++] = move;
        }
        moves.resize(kept);
        actions.resize(kept);
    }

    std::vector<Pair> pairs_;
    std::array<Numbers, 2> numbers_;  // as White sees the board, and turned
    int extras_ = 0;                  // the first number that is no pair
    int count_ = 0;
};

}  // namespace damier
