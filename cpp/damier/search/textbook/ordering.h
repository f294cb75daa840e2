// Move ordering. Alpha-beta is as good as the first move it tries: with the best move always first, about twice the
// depth costs the same (Knuth and Moore 1975).

#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "damier/base/list.h"
#include "damier/game/game.h"
#include "damier/search/textbook/options.h"

namespace damier::textbook {

template <Game G>
class Orderer {
  public:
    using Position = typename G::Position;
    using Move = typename G::Move;
    using MoveList = typename G::MoveList;
    using Hint = std::optional<std::uint16_t>;  // the code of a move that was best here before

    explicit Orderer(Ordering ordering) : ordering_(ordering) {
        if (uses(Ordering::History)) history_.resize(2 * Codes);
    }

    // Puts promising moves first; moves that promise the same stay in their order.
    void sort(const Position& pos, MoveList& moves, int ply, Hint hint) const {
        if (ordering_ == Ordering::None && !hint) return;
        SpillList<int, 256> promises;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const Move move = moves[i];
            const int promise = promise_of(pos, move, ply, hint);
            promises.push_back(promise);
            std::size_t at = i;
            for (; at > 0 && promises[at - 1] < promise; --at) {
                moves[at] = moves[at - 1];
                promises[at] = promises[at - 1];
            }
            moves[at] = move;
            promises[at] = promise;
        }
    }

    // Learns that a move was good enough to leave a position early.
    void has_cut(const Position& pos, Move move, int depth, int ply) {
        if (is_tactical<G>(pos, move)) return;
        // Killers: a quiet move that refuted one move often refutes its sisters too. Two are kept per ply.
        if (auto& [first, second] = killers_[ply]; uses(Ordering::Killers) && first != G::code(move)) {
            second = first;
            first = G::code(move);
        }
        // History: what was good anywhere in the tree is tried early everywhere, more so when it cut a large tree.
        if (uses(Ordering::History)) {
            auto& merit = history_[history_index(pos, move)];
            merit = std::min(merit + depth * depth, MostMerit);
        }
    }

  private:
    static constexpr std::size_t Codes = 1 << 16;
    static constexpr int MostMerit = 1 << 28;
    static constexpr int HintFirst = std::numeric_limits<int>::max();
    static constexpr int CapturesNext = 1 << 30;
    static constexpr int KillersThen = 1 << 29;

    bool uses(Ordering way) const { return ordering_ >= way; }

    int promise_of(const Position& pos, Move move, int ply, Hint hint) const {
        const auto code = G::code(move);
        if (hint == code) return HintFirst;
        if constexpr (HasTactics<G>) {
            if (uses(Ordering::Captures) && pos.is_tactical(move)) return CapturesNext + pos.prize(move);
        }
        const auto& [first, second] = killers_[ply];
        if (uses(Ordering::Killers) && first == code) return KillersThen + 1;
        if (uses(Ordering::Killers) && second == code) return KillersThen;
        return uses(Ordering::History) ? history_[history_index(pos, move)] : 0;
    }

    static std::size_t history_index(const Position& pos, Move move) {
        return static_cast<std::size_t>(index(pos.turn())) * Codes + G::code(move);
    }

    Ordering ordering_;
    std::array<std::array<Hint, 2>, MaxPly + 1> killers_{};
    std::vector<int> history_;
};

}  // namespace damier::textbook
