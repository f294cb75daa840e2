// Reads tests/perft/*.perft and checks every count small enough for a quick run (see tests/perft/README.md).

#pragma once

#include <fstream>

#include "check.h"
#include "damier/base/text.h"
#include "damier/game/perft.h"

namespace check {

struct PerftLine {
    std::string variant;
    std::string fen;
    std::vector<std::uint64_t> counts;
};

inline std::vector<PerftLine> read_perft(const std::string& file) {
    std::ifstream in(std::string(DAMIER_PERFT_DIR "/") + file);
    if (!in) throw std::runtime_error("cannot open " + file);
    const auto trimmed = [](std::string text) {
        const auto from = text.find_first_not_of(' ');
        return from == std::string::npos ? std::string() : text.substr(from, text.find_last_not_of(' ') - from + 1);
    };
    std::vector<PerftLine> lines;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream fields(line);
        PerftLine entry;
        std::string counts;
        std::getline(fields, entry.variant, '|');
        std::getline(fields, entry.fen, '|');
        std::getline(fields, counts, '|');
        entry.variant = trimmed(entry.variant);
        entry.fen = trimmed(entry.fen);
        for (const auto word : damier::words(counts)) entry.counts.push_back(std::stoull(std::string(word)));
        lines.push_back(entry);
    }
    return lines;
}

// Checks one line, depth after depth, as long as the expected count is at most `largest`.
template <damier::Game G>
void check_perft(const PerftLine& line, const typename G::Rules& rules, std::uint64_t largest) {
    const auto pos = line.fen == "start" ? G::start(rules) : G::read_fen(line.fen, rules).position;
    const std::atomic<bool> stop = false;
    for (std::size_t i = 0; i < line.counts.size() && line.counts[i] <= largest; ++i) {
        const auto nodes = damier::perft<G>(pos, static_cast<int>(i) + 1, stop);
        if (nodes != line.counts[i]) {
            fail(line.variant.c_str(), static_cast<int>(i) + 1,
                 line.fen + ": " + std::to_string(nodes) + " instead of " + std::to_string(line.counts[i]));
        }
    }
}

}  // namespace check
