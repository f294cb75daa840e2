// What a search learns about moves while it runs: which ones cut, and after which. One per thread.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "damier/game/game.h"

namespace damier {

// A number that moves towards a bonus the slower the nearer it is, and never leaves [-Most, Most].
class HistoryScore {
  public:
    static constexpr int Most = 8192;
    operator int() const { return value_; }
    void add(int bonus) {
        bonus = std::clamp(bonus, -Most, Most);
        value_ = static_cast<std::int16_t>(value_ + bonus - value_ * std::abs(bonus) / Most);
    }

  private:
    std::int16_t value_ = 0;
};

// Tables are small enough for the first cache: moves whose codes agree in twelve bits (from and to, in our games)
// share.
constexpr std::size_t MoveSlots = 4096;
constexpr std::size_t slot_of(std::uint16_t code) { return code & (MoveSlots - 1); }

// How many plies before a move the moves were played that it is judged after.
constexpr std::array ContinuationPlies{1, 2, 4};

using MoveHistory = std::array<HistoryScore, MoveSlots>;

template <class G>
constexpr int shapes_of() {
    if constexpr (HasShapes<G>) {
        return G::Shapes;
    } else {
        return 1;
    }
}

template <Game G>
class Statistics {
  public:
    static constexpr int Shapes = shapes_of<G>();
    using Row = std::array<HistoryScore, static_cast<std::size_t>(Shapes)>;

    Statistics() : continuation_(ContinuationPlies.size() * static_cast<std::size_t>(Shapes)) {}

    void clear() {
        quiet_ = {};
        tactical_ = {};
        counter_ = {};
        std::fill(continuation_.begin(), continuation_.end(), Row{});
    }

    HistoryScore& quiet(Side side, std::uint16_t code) {
        return quiet_[static_cast<std::size_t>(index(side))][slot_of(code)];
    }
    HistoryScore& tactical(Side side, std::uint16_t code) {
        return tactical_[static_cast<std::size_t>(index(side))][slot_of(code)];
    }
    // How moves do that follow a move of this shape, ContinuationPlies[i] plies after it.
    Row& following(std::size_t i, int shape) {
        return continuation_[i * static_cast<std::size_t>(Shapes) + static_cast<std::size_t>(shape)];
    }
    std::uint16_t& counter(std::uint16_t code) { return counter_[slot_of(code)]; }

  private:
    std::array<MoveHistory, 2> quiet_{};
    std::array<MoveHistory, 2> tactical_{};
    std::array<std::uint16_t, MoveSlots> counter_{};
    std::vector<Row> continuation_;
};

}  // namespace damier
