// The inputs of an efficiently updated network: one per side, kind of piece and square, as a side sees the board, its
// own pieces first, so that each piece on the board is one of them. With king buckets all of these stand once for each
// bucket that the side's king may be in. Both the engine and the trainer use this file.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "damier/base/error.h"
#include "damier/base/list.h"
#include "damier/eval/squares.h"
#include "damier/game/view.h"

namespace damier {

template <Game G>
    requires HasPlanes<G>
class NnueInputs {
  public:
    using Position = typename G::Position;
    static constexpr std::size_t Planes = PlaneCount<G>;
    using PlaneSet = std::array<Bits, Planes>;

    // How a side looks at a position: all positions that it looks at in the same way share their numbers.
    struct Perspective {
        std::uint16_t seen = 0;   // by which side, and whether mirrored
        std::uint16_t first = 0;  // input of its king's bucket
        bool operator==(const Perspective&) const = default;
    };

    explicit NnueInputs(const typename G::Rules& rules, bool by_king = false)
        : squares_(rules), names_(squares_.names()), bucket_size_(names_.size()), by_king_(by_king) {
        if constexpr (LooksMirrored<G>)
            for (auto& name : names_) name += ", mirrored";
        const auto squares = G::squares(rules);
        const View<G> view(rules);
        const auto mirror = mirrored(squares, view.columns());
        for (std::size_t i = 0; i < squares.size(); ++i) order_[static_cast<std::size_t>(squares[i].index)] = i;
        const std::size_t kinds = squares_.kinds().size();
        for (std::size_t seen = 0; seen < Seen; ++seen)
            for (std::size_t plane = 0; plane < Planes; ++plane)
                for (const auto& square : squares) {
                    auto sq = static_cast<std::size_t>(square.index);
                    const std::size_t side = seen / 2, owner = plane / (Planes / 2), kind = plane % (Planes / 2);
                    const std::size_t group = (owner == side ? 0 : kinds) + kind;
                    if (side == 1) sq = view.turned()[sq];
                    if (seen % 2 == 1) sq = mirror[sq];
                    numbers_[seen][place(plane, square.index)] =
                        kind < kinds ? static_cast<std::uint16_t>(group * squares.size() + order_[sq]) : 0;
                }
        start_pieces_ = pieces(G::planes(G::start(rules)));
        if constexpr (HasKingBuckets<G>) {
            const auto plain = names_;
            for (std::size_t bucket = 1; by_king && bucket < G::KingBuckets; ++bucket)
                for (const auto& name : plain) names_.push_back(name + ", king bucket " + std::to_string(bucket));
        }
    }

    std::size_t size() const { return names_.size(); }
    const std::vector<std::string>& names() const { return names_; }
    std::size_t start_pieces() const { return start_pieces_; }  // a game has never more
    std::string piece_name(std::size_t plane, int sq) const {
        return squares_.kinds()[plane % (Planes / 2)] + " " +
               squares_.square_names()[order_[static_cast<std::size_t>(sq)]];
    }

    static std::size_t pieces(const PlaneSet& planes) {
        Bits occupied = 0;
        for (const Bits plane : planes) occupied |= plane;
        return static_cast<std::size_t>(count(occupied));
    }

    Perspective perspective([[maybe_unused]] const Position& pos, Side side) const {
        Perspective found{.seen = static_cast<std::uint16_t>(2 * index(side))};
        if constexpr (LooksMirrored<G>) found.seen += G::looks_mirrored(pos, side) ? 1 : 0;
        if constexpr (HasKingBuckets<G>)
            if (by_king_) found.first = static_cast<std::uint16_t>(G::king_bucket(pos, side) * bucket_size_);
        return found;
    }
    // A kind of piece of one side on a square.
    using Place = std::uint16_t;
    static Place place(std::size_t plane, int sq) {
        return static_cast<Place>(64 * plane + static_cast<std::size_t>(sq));
    }
    std::size_t number(Perspective from, Place place) const {
        return std::size_t{from.first} + numbers_[from.seen][place];
    }

    // Calls `visit` with the number of each input that is active, as seen from a perspective.
    template <class Visit>
    void visit(const PlaneSet& planes, Perspective from, Visit visit) const {
        for (std::size_t plane = 0; plane < Planes; ++plane)
            for (const int sq : squares(planes[plane])) visit(number(from, place(plane, sq)));
    }

    // By which pieces two positions differ, the same for all perspectives.
    using Places = InlineList<Place, 64>;
    struct Changes {
        Places added, removed;
    };
    static Changes changes(const PlaneSet& before, const PlaneSet& after) {
        Bits changed = 0;  // planes, most of which are equal: comparing is faster than a branch for each
        for (std::size_t plane = 0; plane < Planes; ++plane) changed |= Bits{before[plane] != after[plane]} << plane;
        Changes found;
        for (const int plane : squares(changed)) {
            const auto i = static_cast<std::size_t>(plane);
            for (const int sq : squares(after[i] & ~before[i])) found.added.push_back(place(i, sq));
            for (const int sq : squares(before[i] & ~after[i])) found.removed.push_back(place(i, sq));
        }
        return found;
    }

    // The numbers as the side to move sees them, then as the other does; places that are left hold size().
    void write(const Position& pos, std::int16_t* row) const {
        const auto planes = G::planes(pos);
        if (pieces(planes) > start_pieces_)
            throw DataError("a position has " + std::to_string(pieces(planes)) + " pieces, expected at most " +
                            std::to_string(start_pieces_) + ", as at the start");
        for (const Side side : {pos.turn(), !pos.turn()}) {
            std::int16_t* place = row;
            row += start_pieces_;
            visit(planes, perspective(pos, side),
                  [&](std::size_t number) { *place++ = static_cast<std::int16_t>(number); });
            std::fill(place, row, static_cast<std::int16_t>(size()));
        }
    }

  private:
    static constexpr std::size_t Seen = 4;  // by either side, mirrored or not

    static std::array<std::size_t, 64> mirrored(const std::vector<SquareInfo>& squares, int columns) {
        std::array<std::size_t, 64> mirror{};
        for (const auto& square : squares)
            for (const auto& other : squares)
                if (other.rank == square.rank && other.file == columns - 1 - square.file)
                    mirror[static_cast<std::size_t>(square.index)] = static_cast<std::size_t>(other.index);
        return mirror;
    }

    Squares<G> squares_;
    std::vector<std::string> names_;
    std::array<std::size_t, 64> order_{};  // the place of a square in the list of squares
    std::size_t start_pieces_ = 0;
    std::size_t bucket_size_;
    bool by_king_;
    std::array<std::array<std::uint16_t, 64 * Planes>, Seen> numbers_{};  // by place
};

}  // namespace damier
