// Extended position description: the first four fields of a FEN, then operations such as `bm Nf3; id "WAC.001";`.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/games/chess/chess.h"

namespace damier::chess {

using Operation = std::pair<std::string, std::vector<std::string>>;  // opcode and operands, without quotes

struct Epd {
    Setup<Position> setup;
    std::vector<Operation> operations;
};

// Reads one line. The six fields of a FEN may stand for the four, and hmvc and fmvn set the counters.
Epd read_epd(std::string_view text, const Chess::Rules& rules = {});  // throws FenError

std::string epd(const Position& pos, const std::vector<Operation>& operations);

}  // namespace damier::chess
