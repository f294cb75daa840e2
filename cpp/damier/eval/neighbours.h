// The nearest of many packed rows by Hamming distance: how many bits differ.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace damier {

// For each query the numbers of its k nearest rows, nearest first, of equally near ones the earliest, and how far they
// are. Both lists have k entries per query; there must be at least k rows.
struct Neighbours {
    std::vector<std::int64_t> rows;
    std::vector<std::int32_t> distances;
};

Neighbours nearest(std::span<const std::uint64_t> rows, std::span<const std::uint64_t> queries, std::size_t words,
                   std::size_t k, int threads);

}  // namespace damier
