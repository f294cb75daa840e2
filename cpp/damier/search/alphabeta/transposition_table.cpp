// The transposition table: entry, packing and replacement.

#include "damier/search/alphabeta/transposition_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "damier/base/error.h"
#include "damier/base/memory.h"

namespace damier {

namespace {

// code 16, score 16, evaluation 16, depth 8, bound 2, age 6: from the lowest bit up.
constexpr int DepthOffset = 8;                // depths below zero are stored too
constexpr int DepthKept = 4;                  // plies by which a bound replaces a deeper entry of its position
constexpr int DepthPerAge = 8;                // plies that an entry is worth less for each search since
constexpr int WorthOfEmpty = -1000;           // below any entry
constexpr std::size_t BucketsLookedAt = 250;  // for `hashfull`

std::uint64_t pack(const TableEntry& entry, Score score, int age) {
    const auto word = [](int value) { return static_cast<std::uint64_t>(static_cast<std::uint16_t>(value)); };
    return entry.code | word(score) << 16 | word(entry.evaluation == NoScore ? INT16_MIN : entry.evaluation) << 32 |
           static_cast<std::uint64_t>(static_cast<std::uint8_t>(entry.depth + DepthOffset)) << 48 |
           static_cast<std::uint64_t>(entry.bound) << 56 | static_cast<std::uint64_t>(age) << 58;
}

int depth_in(std::uint64_t data) { return static_cast<int>(data >> 48 & 255) - DepthOffset; }
int age_in(std::uint64_t data) { return static_cast<int>(data >> 58); }
Bound bound_in(std::uint64_t data) { return static_cast<Bound>(data >> 56 & 3); }

}  // namespace

TranspositionTable::TranspositionTable(std::size_t kibibytes) { resize(kibibytes); }
TranspositionTable::~TranspositionTable() { release(); }

void TranspositionTable::release() {
    if (buckets_) munmap(buckets_, count_ * sizeof(Bucket));
    buckets_ = nullptr;
}

void TranspositionTable::resize(std::size_t kibibytes) {
    if (kibibytes == kibibytes_ && buckets_) return clear();
    const std::size_t count = kibibytes * (std::size_t{1} << 10) / sizeof(Bucket);
    if (kibibytes == 0 || kibibytes > available_kibibytes() + kibibytes_)
        throw Error("a table of " + std::to_string(kibibytes >> 10) + " MiB does not fit into the " +
                    std::to_string(available_kibibytes() >> 10) + " MiB of free memory");
    void* memory = mmap(nullptr, count * sizeof(Bucket), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw Error("a table of " + std::to_string(kibibytes >> 10) + " MiB does not fit into memory");
#ifdef MADV_HUGEPAGE
    madvise(memory, count * sizeof(Bucket), MADV_HUGEPAGE);  // fewer misses of the page table; a wish, not a need
#endif
    release();
    buckets_ = new (memory) Bucket[count];
    count_ = count;
    kibibytes_ = kibibytes;
    age_ = 0;
}

void TranspositionTable::clear() {
    std::memset(static_cast<void*>(buckets_), 0, count_ * sizeof(Bucket));  // nobody searches meanwhile
    age_ = 0;
}

TableEntry TranspositionTable::find(Key key, int ply) const {
    for (const Slot& slot : bucket(key).slots) {
        const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
        if ((slot.check.load(std::memory_order_relaxed) ^ data) != key || data == 0) continue;
        const auto part = [&](int shift) { return static_cast<Score>(static_cast<std::int16_t>(data >> shift)); };
        const Score score = part(16);
        // Won by way of another such win, and that by way of this one: no line proves it.
        const bool endless = is_sure(score) && std::abs(plies_to_end(score)) > MaxPly;
        return {static_cast<std::uint16_t>(data), from_root(score, ply), part(32) == INT16_MIN ? NoScore : part(32),
                depth_in(data), endless ? Bound::None : bound_in(data)};
    }
    return {};
}

// The slot of the position itself, else the one worth least: shallow and from searches long ago.
void TranspositionTable::store(Key key, int ply, const TableEntry& entry) {
    Slot* place = nullptr;
    int least = INT32_MAX;
    std::uint16_t code = entry.code;
    for (Slot& slot : bucket(key).slots) {
        const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
        if ((slot.check.load(std::memory_order_relaxed) ^ data) == key && data != 0) {
            const bool same_age = age_in(data) == age_;
            if (same_age && entry.bound != Bound::Exact && entry.depth + DepthKept < depth_in(data)) return;
            if (code == 0) code = static_cast<std::uint16_t>(data);  // a node that failed low knows no best move
            place = &slot;
            break;
        }
        const int worth = data == 0 ? WorthOfEmpty : depth_in(data) - DepthPerAge * ((age_ - age_in(data)) & AgeMask);
        if (worth < least) {
            least = worth;
            place = &slot;
        }
    }
    TableEntry kept = entry;
    kept.code = code;
    const std::uint64_t data = pack(kept, from_here(entry.score, ply), age_);
    place->data.store(data, std::memory_order_relaxed);
    place->check.store(key ^ data, std::memory_order_relaxed);
}

int TranspositionTable::hashfull() const {
    const std::size_t sample = std::min(count_, BucketsLookedAt);
    int used = 0;
    for (std::size_t i = 0; i < sample; ++i) {
        for (const Slot& slot : buckets_[i].slots) {
            const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
            used += data != 0 && age_in(data) == age_;
        }
    }
    return sample == 0 ? 0 : static_cast<int>(1000 * static_cast<std::size_t>(used) / (SlotsPerBucket * sample));
}

}  // namespace damier
