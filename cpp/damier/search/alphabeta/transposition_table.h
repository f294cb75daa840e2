// The transposition table: what is known of positions already searched, shared by all threads without locks.
//
// Four entries share a cache line. An entry is two words, the second being data and the first key ^ data: a torn or
// mixed write fails the test of the key and is simply not found (Hyatt and Mann 2002).

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "damier/base/bits.h"
#include "damier/search/result.h"

namespace damier {

// What the table remembers of a position. Copy it before searching on: the place it came from may change.
struct TableEntry {
    std::uint16_t code = 0;  // of the best move, only good for ordering
    Score score = 0;         // relative to the position, not to the root
    Score evaluation = NoScore;
    int depth = 0;
    Bound bound = Bound::None;

    bool found() const { return bound != Bound::None || evaluation != NoScore; }
};

__extension__ using DoubleWord = unsigned __int128;

class TranspositionTable {
  public:
    explicit TranspositionTable(std::size_t kibibytes);
    ~TranspositionTable();
    TranspositionTable(const TranspositionTable&) = delete;
    TranspositionTable& operator=(const TranspositionTable&) = delete;

    std::size_t kibibytes() const { return kibibytes_; }
    void resize(std::size_t kibibytes);  // loses all entries; when memory is short, throws Error and changes nothing
    void clear();
    void new_search() { age_ = static_cast<std::uint8_t>((age_ + 1) & AgeMask); }

    TableEntry find(Key key, int ply) const;
    void store(Key key, int ply, const TableEntry& entry);
    void prefetch(Key key) const { __builtin_prefetch(&bucket(key)); }
    int hashfull() const;  // entries of this search in thousandths, by a sample

  private:
    static constexpr int AgeMask = 63;
    static constexpr std::size_t SlotsPerBucket = 4;  // a line of the cache
    struct Slot {
        std::atomic<std::uint64_t> check{0};  // key ^ data
        std::atomic<std::uint64_t> data{0};
    };
    struct alignas(64) Bucket {
        Slot slots[SlotsPerBucket];
    };

    // The high half of a product spreads keys evenly over any number of buckets.
    Bucket& bucket(Key key) const {
        return buckets_[static_cast<std::size_t>((static_cast<DoubleWord>(key) * count_) >> 64)];
    }
    void release();

    Bucket* buckets_ = nullptr;
    std::size_t count_ = 0;
    std::size_t kibibytes_ = 0;
    std::uint8_t age_ = 0;
};

}  // namespace damier
