// A position as its squares and nothing else: one bit per side, kind of piece and square, the side to move first, each
// board turned as that side sees it (game/view.h). As numbers they are a feature set that every game has; packed into
// words they are compared by the million.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "damier/eval/features.h"
#include "damier/game/view.h"

namespace damier {

template <Game G>
    requires HasPlanes<G>
class Squares {
  public:
    using Position = typename G::Position;

    explicit Squares(const typename G::Rules& rules) : kinds_(kinds_of(rules)) {
        const View<G> view(rules);
        for (const auto& square : G::squares(rules)) {
            places_[0][static_cast<std::size_t>(square.index)] = static_cast<std::uint8_t>(squares_.size());
            playable_[static_cast<std::size_t>(square.index)] = true;
            squares_.push_back(square.name);
        }
        for (std::size_t sq = 0; sq < 64; ++sq) places_[1][sq] = places_[0][view.turned()[sq]];
    }

    const std::vector<std::string>& kinds() const { return kinds_; }           // of a side
    const std::vector<std::string>& square_names() const { return squares_; }  // in the order of G::squares
    std::size_t size() const { return 2 * kinds_.size() * squares_.size(); }
    std::size_t words() const { return (size() + 63) / 64; }

    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const char* owner : {"own ", "enemy "})
            for (const auto& kind : kinds_)
                for (const auto& square : squares_) names.push_back(owner + kind + " " + square);
        return names;
    }

    // Where each of them goes when the other side looks.
    std::vector<std::size_t> turned() const {
        std::vector<std::size_t> turned(size());
        const std::size_t half = kinds_.size() * squares_.size();
        for (std::size_t sq = 0; sq < 64; ++sq) {
            if (!playable_[sq]) continue;
            for (std::size_t first = 0; first < size(); first += squares_.size())
                turned[first + places_[0][sq]] = (first + half) % size() + places_[1][sq];
        }
        return turned;
    }

    void write(const Position& pos, std::span<float> features) const {
        std::fill(features.begin(), features.end(), 0.0F);
        visit(pos, [&](std::size_t place) { features[place] = 1; });
    }
    void pack(const Position& pos, std::uint64_t* packed) const {
        std::fill_n(packed, words(), std::uint64_t{0});
        visit(pos, [&](std::size_t place) { packed[place / 64] |= std::uint64_t{1} << place % 64; });
    }

  private:
    static constexpr std::size_t Planes = PlaneCount<G>;

    static std::vector<std::string> kinds_of([[maybe_unused]] const typename G::Rules& rules) {
        if constexpr (NamesKinds<G>) return G::kinds(rules);
        std::vector<std::string> kinds;
        for (std::size_t kind = 1; kind <= Planes / 2; ++kind) kinds.push_back("kind " + std::to_string(kind));
        return kinds;
    }

    template <class Visit>
    void visit(const Position& pos, Visit visit) const {
        const auto planes = G::planes(pos);
        const auto side = static_cast<std::size_t>(index(pos.turn()));
        std::size_t first = 0;
        for (const std::size_t of : {side, 1 - side})
            for (std::size_t kind = 0; kind < kinds_.size(); ++kind, first += squares_.size())
                for (const int sq : damier::squares(planes[of * Planes / 2 + kind]))
                    visit(first + places_[side][static_cast<std::size_t>(sq)]);
    }

    std::vector<std::string> kinds_;
    std::vector<std::string> squares_;
    std::array<std::array<std::uint8_t, 64>, 2> places_{};  // where a square is in the list, by the side that looks
    std::array<bool, 64> playable_{};
};

template <Game G>
FeatureSet<G> square_features(const Squares<G>& squares) {
    return {.name = "squares",
            .names = squares.names(),
            .compute = [squares](const typename G::Position& pos,
                                 std::span<float> features) { squares.write(pos, features); },
            .turned = squares.turned()};
}

}  // namespace damier
