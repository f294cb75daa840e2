// Evaluations already made, for nodes that leave no entry in the transposition table: those pruned by their evaluation
// come back in every iteration. One per thread.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "damier/base/bits.h"
#include "damier/eval/score.h"

namespace damier {

class EvalCache {
  public:
    EvalCache() : words_(Size) {}
    void clear() { std::fill(words_.begin(), words_.end(), 0); }

    std::optional<Score> find(Key key) const {
        const std::uint64_t word = words_[place(key)];
        if ((word ^ key) >> 16 != 0) return std::nullopt;
        return static_cast<std::int16_t>(word);
    }
    void store(Key key, Score evaluation) {
        words_[place(key)] = (key & ~Key{0xFFFF}) | static_cast<std::uint16_t>(evaluation);
    }

  private:
    // The lowest bits of a key choose a word; a word is the other bits of the key and the evaluation.
    static constexpr std::size_t Size = std::size_t{1} << 14;
    static std::size_t place(Key key) { return key & (Size - 1); }

    std::vector<std::uint64_t> words_;
};

}  // namespace damier
