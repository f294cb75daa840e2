// The table of a search: many paths lead to the same position. An entry keeps a lower and an upper bound of its value.

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>

#include "damier/base/bits.h"
#include "damier/eval/score.h"

namespace damier::textbook {

struct TableEntry {
    Key key = 0;
    std::int16_t lower = 0;
    std::int16_t upper = 0;
    std::uint16_t code = 0;  // of the best move; it orders moves and is never played
    std::uint8_t depth = 0;  // 0 when empty: what has no depth left is not kept
    bool has_move = false;

    std::optional<std::uint16_t> hint() const { return has_move ? std::optional(code) : std::nullopt; }
};
static_assert(sizeof(TableEntry) == 16);

// The value an entry gives to a search with this window, if it does; else the window may become narrower.
inline std::optional<Score> answer(const TableEntry& known, int ply, Score& alpha, Score& beta) {
    const Score lower = from_root(known.lower, ply), upper = from_root(known.upper, ply);
    if (lower >= beta || lower == upper) return lower;
    if (upper <= alpha) return upper;
    alpha = std::max(alpha, lower);
    beta = std::min(beta, upper);
    return std::nullopt;
}

class TranspositionTable {
  public:
    explicit TranspositionTable(int mebibytes);  // 0 for a table that keeps nothing

    // A copy: the tree below may overwrite the entry.
    TableEntry find(Key key) const {
        if (size_ == 0) return {};
        const TableEntry& entry = entries_[key & (size_ - 1)];
        return entry.key == key ? entry : TableEntry{};
    }

    // Keeps what a search of `depth` with the window (alpha, beta) says: a value inside it is exact, one outside a
    // bound. The other bound of an equal search is kept beside it, that of another search is dropped.
    void store(Key key, int depth, Score value, Score alpha, Score beta, int ply, std::optional<std::uint16_t> code);

  private:
    struct Free {
        void operator()(TableEntry* entries) const { std::free(entries); }
    };

    std::size_t size_;
    std::unique_ptr<TableEntry[], Free> entries_;
};

}  // namespace damier::textbook
