// A position as planes of zeros and ones, seen by the side to move: its own pieces first, kind by kind, then the
// opponent's, each plane a board as that side sees it (game/view.h).

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "damier/game/view.h"

namespace damier {

template <Game G>
    requires HasPlanes<G>
class PlaneWriter {
  public:
    explicit PlaneWriter(const typename G::Rules& rules) : view_(rules) {
        for (std::size_t sq = 0; sq < 64; ++sq) {
            cells_[0][sq] = static_cast<std::uint8_t>(view_.place(static_cast<int>(sq)));
            cells_[1][sq] = static_cast<std::uint8_t>(view_.place(view_.turned()[sq]));
        }
        in_rows_ = lies_in_rows();
    }

    // Kinds of piece of both sides, rows from the bottom, columns from the left.
    std::array<std::size_t, 3> shape() const {
        return {Planes, static_cast<std::size_t>(view_.rows()), static_cast<std::size_t>(view_.columns())};
    }
    std::size_t size() const { return Planes * plane_size(); }

    void write(const typename G::Position& pos, std::uint8_t* cells) const {
        if (!in_rows_) std::fill_n(cells, size(), std::uint8_t{0});
        const auto planes = G::planes(pos);
        const auto side = static_cast<std::size_t>(index(pos.turn()));
        for (std::size_t i = 0; i < Planes; ++i, cells += plane_size()) {
            const Bits plane = planes[(side * Planes / 2 + i) % Planes];
            if (in_rows_) {
                write_rows(plane, side, cells);
            } else {
                for (const int sq : squares(plane)) cells[cells_[side][static_cast<std::size_t>(sq)]] = 1;
            }
        }
    }

  private:
    static constexpr std::size_t Planes = PlaneCount<G>;
    static_assert(Planes % 2 == 0);

    // How many pieces a plane has is hard to predict, so that whole rows are faster than squares.
    void write_rows(Bits plane, std::size_t side, std::uint8_t* cells) const {
        for (std::size_t row = 0; row < 8; ++row) {
            const Bits spread = spread_over_bytes(plane >> 8 * row & 0xFF);
            std::memcpy(cells + cells_[side][8 * row], &spread, sizeof spread);
        }
    }

    // Bit i of a byte becomes byte i, as 0 or 1, where bytes go from low to high.
    static Bits spread_over_bytes(Bits byte) {
        constexpr Bits Ones = 0x0101010101010101;
        const Bits apart = byte * Ones & 0x8040201008040201;
        return (apart + 0x7F * Ones) >> 7 & Ones;
    }

    bool lies_in_rows() const {
        if (view_.rows() != 8 || view_.columns() != 8 || std::endian::native != std::endian::little) return false;
        for (const auto& cells : cells_)
            for (std::size_t sq = 0; sq < 64; ++sq)
                if (cells[sq] != (cells[sq & ~std::size_t{7}] + (sq & 7))) return false;
        return true;
    }

    std::size_t plane_size() const { return static_cast<std::size_t>(view_.rows() * view_.columns()); }

    View<G> view_;
    std::array<std::array<std::uint8_t, 64>, 2> cells_{};  // where a square is, by side
    bool in_rows_ = false;                                 // squares and cells lie in the same rows of eight
};

}  // namespace damier
