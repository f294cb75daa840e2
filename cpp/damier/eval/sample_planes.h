// A position as planes of zeros and ones, seen by the side to move: its own pieces first, kind by kind, then the
// opponent's, each plane a board with the side to move at the bottom.

#pragma once

#include <algorithm>
#include <array>

#include "damier/game/game.h"

namespace damier {

template <Game G>
    requires HasPlanes<G>
class PlaneWriter {
  public:
    explicit PlaneWriter(const typename G::Rules& rules) {
        const auto squares = G::squares(rules);
        for (const auto& square : squares) {
            rows_ = std::max(rows_, square.rank + 1);
            columns_ = std::max(columns_, square.file + 1);
        }
        constexpr View view = black_view<G>();
        for (const auto& square : squares) {
            const int rank = view == View::Same ? square.rank : rows_ - 1 - square.rank;
            const int file = view == View::Turned ? columns_ - 1 - square.file : square.file;
            cells_[0][static_cast<std::size_t>(square.index)] =
                static_cast<std::uint8_t>(cell(square.rank, square.file));
            cells_[1][static_cast<std::size_t>(square.index)] = static_cast<std::uint8_t>(cell(rank, file));
        }
    }

    // Kinds of piece of both sides, rows from the bottom, columns from the left.
    std::array<std::size_t, 3> shape() const {
        return {Planes, static_cast<std::size_t>(rows_), static_cast<std::size_t>(columns_)};
    }
    std::size_t size() const { return Planes * plane_size(); }

    // Into so many zeros.
    void write(const typename G::Position& pos, std::uint8_t* cells) const {
        const auto planes = G::planes(pos);
        const auto side = static_cast<std::size_t>(index(pos.turn()));
        const std::size_t first = side * Planes / 2;
        for (std::size_t i = 0; i < Planes; ++i, cells += plane_size())
            for (const int sq : squares(planes[(first + i) % Planes]))
                cells[cells_[side][static_cast<std::size_t>(sq)]] = 1;
    }

  private:
    static constexpr std::size_t Planes = std::tuple_size_v<decltype(G::planes(std::declval<typename G::Position>()))>;
    static_assert(Planes % 2 == 0);

    int cell(int rank, int file) const { return rank * columns_ + file; }
    std::size_t plane_size() const { return static_cast<std::size_t>(rows_ * columns_); }

    int rows_ = 0;
    int columns_ = 0;
    std::array<std::array<std::uint8_t, 64>, 2> cells_{};  // where a square is, by side
};

}  // namespace damier
