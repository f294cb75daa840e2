// Evaluations that are sums of counted features, each with one value at the start of a game and another at
// its end. A game writes such an evaluation once, over a sink. With a Sum it costs one addition per feature; with a
// Tally the same code counts how often each feature occurred, for tuning and for people.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "damier/game/result.h"

namespace damier {

// What a feature is worth at the start and at the end of a game, in hundredths of a man.
struct Worth {
    std::int16_t start = 0;
    std::int16_t end = 0;
    bool operator==(const Worth&) const = default;
};

// Both values in one word, so that one addition adds both: the end in the upper half, which borrows from the lower.
using Packed = std::int32_t;

constexpr Packed pack(Worth worth) { return worth.end * 65536 + worth.start; }
constexpr int start_of(Packed packed) { return static_cast<std::int16_t>(static_cast<std::uint16_t>(packed)); }
constexpr int end_of(Packed packed) {
    return static_cast<std::int16_t>(static_cast<std::uint16_t>((static_cast<std::uint32_t>(packed) + 0x8000u) >> 16));
}

// How far a game has come: the shares, of `of`, in which the two values count.
struct Blend {
    int start = 0;
    int end = 0;
    int of = 1;

    constexpr int value(Packed packed) const { return (start_of(packed) * start + end_of(packed) * end) / of; }
};

// Features that belong together: `first` is the first one's index, `row` how many are written on a line.
struct FeatureGroup {
    std::string_view name;
    std::string_view term;  // under which people see it; groups may share one
    int first;
    int size;
    int row;
    bool held = false;  // set by hand, and left so by tuning: games end before it shows
};

// Do the groups follow each other and hold that many features?
template <class Groups>
constexpr bool covers(const Groups& groups, int features) {
    int next = 0;
    for (const auto& group : groups) {
        if (group.first != next) return false;
        next += group.size;
    }
    return next == features;
}

// Adds what features are worth, for White.
class Sum {
  public:
    explicit Sum(const Packed* weights, Packed total = 0) : weights_(weights), total_(total) {}

    template <Side S>
    void add(int feature, int times = 1) {
        const Packed worth = weights_[feature] * times;
        total_ += S == Side::White ? worth : -worth;
    }
    void add_total(Packed total) { total_ += total; }

    Packed total() const { return total_; }
    const Packed* weights() const { return weights_; }

  private:
    const Packed* weights_;
    Packed total_;
};

// Adds likewise and counts each side's features.
class Tally {
  public:
    Tally(const Packed* weights, std::size_t features) : sum_(weights), counts_{{}, {}} {
        for (auto& side : counts_) side.resize(features);
    }

    template <Side S>
    void add(int feature, int times = 1) {
        sum_.add<S>(feature, times);
        counts_[index(S)][static_cast<std::size_t>(feature)] += times;
    }

    Packed total() const { return sum_.total(); }
    const Packed* weights() const { return sum_.weights(); }
    int times(Side side, int feature) const { return counts_[index(side)][static_cast<std::size_t>(feature)]; }
    int balance(int feature) const { return times(Side::White, feature) - times(Side::Black, feature); }

  private:
    Sum sum_;
    std::vector<int> counts_[2];
};

}  // namespace damier
