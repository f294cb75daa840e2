// A position as planes, for networks: the own pieces, the other's, what else it holds; then planes of one value each:
// whether Black is to move, how often the position stood before, and plies since the last irreversible move.

#pragma once

#include <algorithm>
#include <tuple>

#include "damier/game/view.h"

namespace damier {

template <Game G>
    requires HasPlanes<G>
class InputPlanes {
  public:
    using Position = typename G::Position;

    explicit InputPlanes(const View<G>& view) : view_(&view) {}

    static constexpr int count() { return PieceSets + StateSets + 3; }
    std::size_t area() const { return static_cast<std::size_t>(view_->rows() * view_->columns()); }
    std::size_t size() const { return static_cast<std::size_t>(count()) * area(); }

    // Writes them as a side sees them; `plies` gives the last plane its value.
    template <class T, class Plies>
    void write(const Position& pos, const Past& past, Side by, T* plane, Plies plies) const {
        std::fill_n(plane, size(), T{});
        const bool turn = by == Side::Black;
        const auto put = [&](Bits bits) {
            for (int sq : squares(bits))
                plane[view_->place(turn ? view_->turned()[static_cast<std::size_t>(sq)] : sq)] = T{1};
            plane += area();
        };
        const auto fill = [&](T value) {
            if (value != T{}) std::fill_n(plane, area(), value);
            plane += area();
        };
        const auto pieces = G::planes(pos);
        for (std::size_t k = 0; k < pieces.size(); ++k) put(pieces[turn ? (k + pieces.size() / 2) % pieces.size() : k]);
        if constexpr (HasStatePlanes<G>)
            for (const Bits bits : G::state_planes(pos)) put(bits);
        fill(static_cast<T>(pos.turn() == Side::Black));
        fill(static_cast<T>(past.occurrences - 1));
        fill(plies(past.quiet_plies));
    }

    // As numbers that a network takes: plies in hundredths.
    static float hundredths(int plies) { return static_cast<float>(plies) / 100; }
    void write(const Position& pos, const Past& past, Side by, float* plane) const {
        write(pos, past, by, plane, hundredths);
    }

  private:
    static constexpr int PieceSets = static_cast<int>(PlaneCount<G>);
    static constexpr int StateSets = [] {
        if constexpr (HasStatePlanes<G>)
            return static_cast<int>(std::tuple_size_v<decltype(G::state_planes(std::declval<Position>()))>);
        return 0;
    }();

    const View<G>* view_;
};

}  // namespace damier
