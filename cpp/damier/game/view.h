// The board as a side sees it: turned so that the own pieces stand where White's stand at the start.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "damier/game/game.h"

namespace damier {

// Where every square goes when the board is seen by the other side.
using Turned = std::array<std::uint8_t, 64>;

template <Game G>
    requires HasPlanes<G>
class View {
  public:
    explicit View(const typename G::Rules& rules) {
        for (std::size_t sq = 0; sq < 64; ++sq) turned_[sq] = static_cast<std::uint8_t>(sq);
        const auto squares = G::squares(rules);
        for (const auto& square : squares) {
            rows_ = std::max(rows_, square.rank + 1);
            columns_ = std::max(columns_, square.file + 1);
        }
        for (const auto& square : squares)
            place_[static_cast<std::size_t>(square.index)] = square.rank * columns_ + square.file;
        for (const auto turn : {mirrored, rotated, transposed})
            if (exchanges_sides(rules, squares, turn)) break;
    }

    int rows() const { return rows_; }
    int columns() const { return columns_; }
    int place(int sq) const { return place_[static_cast<std::size_t>(sq)]; }  // in a plane, row by row
    const Turned& turned() const { return turned_; }

  private:
    struct Spot {
        int file;
        int rank;
        bool operator==(const Spot&) const = default;
    };
    using Turn = Spot (*)(const View&, Spot);
    static Spot mirrored(const View& view, Spot at) { return {at.file, view.rows_ - 1 - at.rank}; }
    static Spot rotated(const View& view, Spot at) { return {view.columns_ - 1 - at.file, view.rows_ - 1 - at.rank}; }
    static Spot transposed(const View&, Spot at) { return {at.rank, at.file}; }

    // Keeps a turn of the board that puts White's pieces at the start on Black's; without one nothing is turned.
    bool exchanges_sides(const typename G::Rules& rules, const std::vector<SquareInfo>& squares, Turn turn) {
        Turned turned = turned_;
        for (const auto& square : squares) {
            const auto target = turn(*this, {square.file, square.rank});
            const auto found = std::find_if(squares.begin(), squares.end(), [&](const SquareInfo& other) {
                return Spot{other.file, other.rank} == target;
            });
            if (found == squares.end()) return false;
            turned[static_cast<std::size_t>(square.index)] = static_cast<std::uint8_t>(found->index);
        }
        const auto planes = G::planes(G::start(rules));
        const std::size_t half = planes.size() / 2;
        for (std::size_t i = 0; i < half; ++i) {
            Bits image = 0;
            for (const int sq : damier::squares(planes[i])) image |= bit(turned[static_cast<std::size_t>(sq)]);
            if (image != planes[half + i]) return false;
        }
        turned_ = turned;
        return true;
    }

    int rows_ = 0;
    int columns_ = 0;
    std::array<int, 64> place_{};
    Turned turned_{};
};

}  // namespace damier
