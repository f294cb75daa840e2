// The board as a side sees it: turned so that the own pieces stand where White's stand at the start.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "damier/base/random.h"
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

    // The ways to turn and mirror the board that keep the rules in all positions (HasSymmetries), first none at all:
    // those of a game played at random tell which.
    std::vector<Turned> images(const typename G::Rules& rules) const {
        Turned same;
        for (std::size_t sq = 0; sq < 64; ++sq) same[sq] = static_cast<std::uint8_t>(sq);
        std::vector<Turned> images{same};
        if constexpr (HasSymmetries<G>) {
            const auto seen = positions_of_a_game(rules);
            for (int turn = 1; turn < 8; ++turn) {
                const auto image = moved(G::squares(rules), [&](Spot at) { return dihedral(at, turn); });
                if (image &&
                    std::all_of(seen.begin(), seen.end(), [&](const auto& pos) { return is_image(pos, *image); }))
                    images.push_back(*image);
            }
        }
        return images;
    }

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

    Spot dihedral(Spot at, int number) const {
        if (number & 1) at.file = columns_ - 1 - at.file;
        if (number & 2) at.rank = rows_ - 1 - at.rank;
        return number & 4 ? Spot{at.rank, at.file} : at;
    }

    // Where every square goes, if that is a square for all of them.
    template <class To>
    static std::optional<Turned> moved(const std::vector<SquareInfo>& squares, To to) {
        Turned moved;
        for (std::size_t sq = 0; sq < 64; ++sq) moved[sq] = static_cast<std::uint8_t>(sq);
        for (const auto& square : squares) {
            const auto target = to(Spot{square.file, square.rank});
            const auto found = std::find_if(squares.begin(), squares.end(), [&](const SquareInfo& other) {
                return Spot{other.file, other.rank} == target;
            });
            if (found == squares.end()) return std::nullopt;
            moved[static_cast<std::size_t>(square.index)] = static_cast<std::uint8_t>(found->index);
        }
        return moved;
    }

    static Bits moved(Bits bits, const Turned& to) {
        Bits image = 0;
        for (const int sq : damier::squares(bits)) image |= bit(to[static_cast<std::size_t>(sq)]);
        return image;
    }

    static std::vector<typename G::Position> positions_of_a_game(const typename G::Rules& rules) {
        std::vector<typename G::Position> seen{G::start(rules)};
        Random random(1);
        for (int ply = 0; ply < 40; ++ply) {
            typename G::MoveList legal;
            seen.back().legal_moves(legal);
            if (legal.empty() || seen.back().decided()) break;
            auto next = seen.back();
            next.play(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
            seen.push_back(next);
        }
        return seen;
    }

    // Does one of the images that the game knows look like this?
    static bool is_image(const typename G::Position& pos, const Turned& to) {
        for (int number = 0; number < symmetries<G>(pos); ++number) {
            const auto planes = G::planes(pos), images = G::planes(image<G>(pos, number));
            bool same = true;
            for (std::size_t i = 0; i < planes.size(); ++i) same = same && moved(planes[i], to) == images[i];
            if (same) return true;
        }
        return false;
    }

    // Keeps a turn of the board that puts White's pieces at the start on Black's; without one nothing is turned.
    bool exchanges_sides(const typename G::Rules& rules, const std::vector<SquareInfo>& squares, Turn turn) {
        const auto turned = moved(squares, [&](Spot at) { return turn(*this, at); });
        if (!turned) return false;
        const auto planes = G::planes(G::start(rules));
        const std::size_t half = planes.size() / 2;
        for (std::size_t i = 0; i < half; ++i) {
            if (moved(planes[i], *turned) != planes[half + i]) return false;
        }
        turned_ = *turned;
        return true;
    }

    int rows_ = 0;
    int columns_ = 0;
    std::array<int, 64> place_{};
    Turned turned_{};
};

}  // namespace damier
