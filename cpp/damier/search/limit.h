// When a search must end. Whatever is set counts; the first limit reached ends the search.

#pragma once

#include <cstdint>
#include <optional>

namespace damier {

// The clock of the side to move.
struct Clock {
    std::int64_t left_ms = 0;
    std::int64_t increment_ms = 0;
    int moves_to_go = 0;  // until the next control, 0 when the rest of the game must be played in this time
};

struct Limit {
    int depth = 0;             // plies, 0 for no limit
    std::uint64_t nodes = 0;   // 0 for no limit
    int win = 0;               // look for a win in so many moves of the winner, 0 for no such quest
    std::int64_t time_ms = 0;  // for this move, 0 for no limit
    std::optional<Clock> clock;
    std::int64_t overhead_ms = 10;  // what is lost between us and the clock, each move
    bool pondering = false;         // time starts to count when ponder_hit() comes
};

}  // namespace damier
