// Nearest rows by trying all of them: a row costs an exclusive or and a population count per word, about half a
// nanosecond, and no index gains much where the nearest are so far away.

#include "damier/eval/neighbours.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <thread>

namespace damier {

namespace {

constexpr std::size_t BlockBytes = 16384;  // rows that stay in the nearest cache while all queries pass over them

template <std::size_t Words>
int bits_apart(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
    int sum = 0;
    for (std::size_t i = 0; i < (Words ? Words : words); ++i) sum += std::popcount(a[i] ^ b[i]);
    return sum;
}

// Puts a row in its place among the nearest so far, behind those as near; the furthest goes.
void insert(std::span<std::int64_t> rows, std::span<std::int32_t> distances, std::int64_t row, std::int32_t distance) {
    std::size_t at = distances.size() - 1;
    for (; at > 0 && distances[at - 1] > distance; --at) {
        distances[at] = distances[at - 1];
        rows[at] = rows[at - 1];
    }
    distances[at] = distance;
    rows[at] = row;
}

template <std::size_t Words>
void search(std::span<const std::uint64_t> rows, std::span<const std::uint64_t> queries, std::size_t words,
            std::size_t k, std::int64_t* found, std::int32_t* distances) {
    const std::size_t block = std::max<std::size_t>(1, BlockBytes / (8 * words)) * words;
    for (std::size_t first = 0; first < rows.size(); first += block) {
        const std::size_t last = std::min(first + block, rows.size());
        for (std::size_t query = 0; query * words < queries.size(); ++query) {
            const std::uint64_t* wanted = queries.data() + query * words;
            const std::span near(found + query * k, k);
            const std::span apart(distances + query * k, k);
            std::int32_t furthest = apart.back();
            for (std::size_t at = first; at < last; at += words) {
                const std::int32_t distance = bits_apart<Words>(rows.data() + at, wanted, words);
                if (distance >= furthest) continue;
                insert(near, apart, static_cast<std::int64_t>(at / words), distance);
                furthest = apart.back();
            }
        }
    }
}

}  // namespace

Neighbours nearest(std::span<const std::uint64_t> rows, std::span<const std::uint64_t> queries, std::size_t words,
                   std::size_t k, int threads) {
    const std::size_t count = queries.size() / words;
    Neighbours all{std::vector<std::int64_t>(count * k),
                   std::vector<std::int32_t>(count * k, std::numeric_limits<std::int32_t>::max())};
    const auto work = [&](std::size_t first, std::size_t last) {
        const auto some = queries.subspan(first * words, (last - first) * words);
        const auto run = words == 1 ? search<1> : words == 2 ? search<2> : search<0>;
        run(rows, some, words, k, all.rows.data() + first * k, all.distances.data() + first * k);
    };
    const std::size_t parts =
        std::clamp<std::size_t>(static_cast<std::size_t>(threads), 1, std::max<std::size_t>(count, 1));
    std::vector<std::jthread> workers;
    for (std::size_t part = 1; part < parts; ++part)
        workers.emplace_back(work, part * count / parts, (part + 1) * count / parts);
    work(0, count / parts);
    workers.clear();
    return all;
}

}  // namespace damier
