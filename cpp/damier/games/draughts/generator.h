// The door of a rule book to its move generator. Everything else reads articles in the book at run time; the generator
// is compiled for each book with its articles as constants: reading them, the board and directions excepted, costs
// perft 5 to 10 % more instructions (docs/results/draughts_rules.md).

#pragma once

#include <array>

#include "damier/base/list.h"
#include "damier/game/result.h"

namespace damier::draughts {

struct Book;
struct Move;
class Position;
using MoveList = SpillList<Move, 48>;

struct Generator {
    void (*list_moves)(const Position&, MoveList&);
    int (*count_moves)(const Position&);
    bool (*is_quiet)(const Position&);
};

template <const Book& R, Side Us>
struct Compiled {  // moves.cpp
    static void list_moves(const Position& pos, MoveList& list);
    static int count_moves(const Position& pos);
    static bool is_quiet(const Position& pos);
    static constexpr Generator Door = {list_moves, count_moves, is_quiet};
};

// The generators of White and of Black.
template <const Book& R>
inline constexpr std::array<Generator, 2> compiled = {Compiled<R, Side::White>::Door, Compiled<R, Side::Black>::Door};

}  // namespace damier::draughts
