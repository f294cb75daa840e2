// When a search must end. Limits can be combined; the first one reached ends the search.

#pragma once

#include <cstdint>
#include <optional>

#include "damier/game/result.h"

namespace damier {

struct Limit {
    std::optional<double> time{};  // seconds for this move
    int depth = 0;                 // plies, 0 for no limit
    std::uint64_t nodes = 0;       // 0 for no limit
    int mate = 0;                  // look for a win in this many moves of the winner and for nothing else, 0 for none
    std::optional<double> white_clock{};  // seconds left
    std::optional<double> black_clock{};
    double white_inc = 0;
    double black_inc = 0;
    int moves_to_go = 0;    // until the next time control, 0 when the rest of the game must be played in this time
    bool infinite = false;  // until stopped, whatever else is set

    bool operator==(const Limit&) const = default;

    std::optional<double> clock_of(Side side) const { return side == Side::White ? white_clock : black_clock; }
    double increment_of(Side side) const { return side == Side::White ? white_inc : black_inc; }
    // Does a search for this side to move end by itself? The clock of the other one does not count.
    bool ends_for(Side side) const { return !infinite && (time || depth || nodes || mate || clock_of(side)); }
};

}  // namespace damier
