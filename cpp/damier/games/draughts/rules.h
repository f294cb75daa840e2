// The rule books of the draughts family, written as data: a Book is plain draughts, and each variant states the
// articles in which it differs. Perft tables and their sources are in tests/perft/draughts.perft.

#pragma once

#include <array>
#include <string_view>

#include "damier/game/result.h"
#include "damier/games/draughts/board.h"
#include "damier/games/draughts/chart.h"
#include "damier/games/draughts/generator.h"

namespace damier::draughts {

// When a man that reaches the last row becomes a king.
enum class Crowning : std::uint8_t {
    AtEnd,   // only if its move ends there; it goes on capturing as a man where it can
    AtOnce,  // in mid-capture too, and it goes on as a king
    Never,
};

// Which captures must be preferred.
enum class Precedence : std::uint8_t {
    Free,
    ByKing,        // with a king rather than with a man
    Number,        // most pieces
    NumberKings,   // most pieces, then most kings among them
    NumberByKing,  // most pieces, then with a king, then most kings, then kings earliest (Italian)
    ValueByKing,   // a king is worth a little less than two men; then with a king (Frisian)
};

// Endings that are drawn after a number of moves: see draws.cpp.
enum class Endings : std::uint8_t { None, International, Russian, Brazilian, Frisian, Pool, Turkish };

// Plain draughts: 8x8, men forward only, short kings, free choice.
struct Book {
    std::string_view name;
    std::string_view title;
    std::array<Generator, 2> generators;
    int game_type = 0;  // of PDN 3.0, 0 when it has none

    const Board* board = &Dark8;
    Side starts = Side::White;

    bool men_capture_back = false;
    bool men_take_kings = true;
    bool orthogonal_captures = false;
    bool long_moves = false;       // kings move any distance
    bool long_captures = false;    // kings capture from any distance and land at any distance
    bool removed_at_once = false;  // a captured piece leaves the board before the next jump
    int king_run = 0;              // quiet moves running that a king may make while its side has men
    Crowning crowned = Crowning::AtEnd;
    Precedence prefers = Precedence::Free;

    int repetition = 3;    // the occurrence that draws, 0 for never
    int quiet_plies = 80;  // plies without capture or man move that draw, 0 for never
    Endings counted = Endings::None;

    Naming naming = Naming::Numbers;
    bool mirrored = false;           // the playing squares are those of the other colour
    Corner first = Corner::TopLeft;  // where square 1 is, seen by White
    char capture_sign = 'x';
    bool two_point_win = false;  // results are written 2-0, 1-1, 0-2

    // What follows from the articles.
    Chart chart = Chart(*board, mirrored, first, naming);
    std::array<Bits, 2> crown_row = {crowned == Crowning::Never ? 0 : board->last_row(Side::White),
                                     crowned == Crowning::Never ? 0 : board->last_row(Side::Black)};

    constexpr unsigned king_captures() const { return orthogonal_captures ? board->lines_and_columns : board->lines; }
    constexpr unsigned man_captures(Side side) const {
        return men_capture_back ? king_captures() : board->forward(side);
    }
};

// English draughts (WCDF): plain draughts, its draws included. A man that is crowned ends its move, since men capture
// forward only.
inline constexpr Book English{
    .name = "english",
    .title = "English draughts",
    .generators = compiled<English>,
    .game_type = 21,
    .starts = Side::Black,
};

// International draughts (FMJD, official rules, annex 1).
inline constexpr Book International{
    .name = "international",
    .title = "International draughts",
    .generators = compiled<International>,
    .game_type = 20,
    .board = &Dark10,  // FMJD 2.1
    .men_capture_back = true,
    .long_moves = true,  // FMJD 3.9
    .long_captures = true,
    .prefers = Precedence::Number,      // FMJD 4.13
    .quiet_plies = 50,                  // 25 moves each of kings only
    .counted = Endings::International,  // FMJD 6.3 and 6.4
    .two_point_win = true,
};

// Russian draughts (FMJD-64, articles 1 to 7).
inline constexpr Book Russian{
    .name = "russian",
    .title = "Russian draughts",
    .generators = compiled<Russian>,
    .game_type = 25,
    .men_capture_back = true,
    .long_moves = true,
    .long_captures = true,
    .crowned = Crowning::AtOnce,
    .quiet_plies = 30,            // 7.2.5
    .counted = Endings::Russian,  // 7.2.4, 7.2.6 to 7.2.8
    .naming = Naming::Letters,
    .capture_sign = ':',
};

// Brazilian draughts (CBD): international rules on the small board. (The FMJD-64 counts moves as in Russian draughts.)
inline constexpr Book Brazilian{
    .name = "brazilian",
    .title = "Brazilian draughts",
    .generators = compiled<Brazilian>,
    .game_type = 26,
    .men_capture_back = true,
    .long_moves = true,
    .long_captures = true,
    .prefers = Precedence::Number,
    .quiet_plies = 40,              // CBD: 20 moves of kings only
    .counted = Endings::Brazilian,  // five moves each, see draws.cpp
    .naming = Naming::Letters,
};

// Italian draughts (FID). A third repetition draws; the 40 quiet moves each are ours, as in English draughts.
inline constexpr Book Italian{
    .name = "italian",
    .title = "Italian draughts",
    .generators = compiled<Italian>,
    .game_type = 22,
    .men_take_kings = false,
    .prefers = Precedence::NumberByKing,
    .mirrored = true,
};

// Spanish draughts. We did not find its federation's counts: a third repetition and 25 quiet moves each, ours.
inline constexpr Book Spanish{
    .name = "spanish",
    .title = "Spanish draughts",
    .generators = compiled<Spanish>,
    .game_type = 24,
    .long_moves = true,
    .long_captures = true,
    .prefers = Precedence::NumberKings,
    .quiet_plies = 50,
    .mirrored = true,
    .first = Corner::BottomRight,
};

// Frisian draughts: international draughts with captures in eight directions, draws as lidraughts counts them. It has
// none by repetition nor by quiet moves; we add both, so that every game ends.
inline constexpr Book Frisian{
    .name = "frisian",
    .title = "Frisian draughts",
    .generators = compiled<Frisian>,
    .game_type = 40,
    .board = &Dark10,
    .men_capture_back = true,
    .orthogonal_captures = true,
    .long_moves = true,
    .long_captures = true,
    .king_run = 3,
    .prefers = Precedence::ValueByKing,
    .quiet_plies = 50,
    .counted = Endings::Frisian,  // 2 kings to 1: 7 moves; 1 to 1: 2 moves
};

// Turkish draughts (dama). A king may not turn by 180 degrees between two jumps.
// Draws: third repetition, king against king after 2 moves each, and, ours, 25 quiet moves each.
inline constexpr Book Turkish{
    .name = "turkish",
    .title = "Turkish draughts",
    .generators = compiled<Turkish>,
    .game_type = 30,
    .board = &All8,
    .long_moves = true,
    .long_captures = true,
    .removed_at_once = true,
    .prefers = Precedence::Number,
    .quiet_plies = 50,
    .counted = Endings::Turkish,
    .naming = Naming::Letters,
};

// American pool checkers (APCA). The quiet move limit is ours.
inline constexpr Book Pool{
    .name = "pool",
    .title = "American pool checkers",
    .generators = compiled<Pool>,
    .game_type = 23,
    .starts = Side::Black,
    .men_capture_back = true,
    .long_moves = true,
    .long_captures = true,
    .quiet_plies = 50,
    .counted = Endings::Pool,  // APCA: 3 kings to 1 win in 13 moves or draw
};

// Czech draughts. We did not find its federation's counts: a third repetition and 25 quiet moves each, ours.
inline constexpr Book Czech{
    .name = "czech",
    .title = "Czech draughts",
    .generators = compiled<Czech>,
    .game_type = 29,
    .long_moves = true,
    .long_captures = true,
    .prefers = Precedence::ByKing,
    .quiet_plies = 50,
    .naming = Naming::Letters,
};

// The draughts of the Rennes report: men only, forward only, the longest capture; a man on the last row stays there.
// Player 1 is our White, at the bottom. Every move advances a man, so no game can be drawn or repeat a position.
inline constexpr Book Rennes{
    .name = "rennes",
    .title = "Rennes draughts",
    .generators = compiled<Rennes>,
    .crowned = Crowning::Never,
    .prefers = Precedence::Number,
    .repetition = 0,
    .quiet_plies = 0,
};

// The draughts of the Paris report: queens move any distance but capture an adjacent enemy, landing just behind it.
// The report does not say what a man does that is crowned in mid-capture: here its move ends, as in English draughts.
// It states no draw either: we add a third repetition and 40 quiet moves each, so that every game ends.
inline constexpr Book Paris{
    .name = "paris",
    .title = "Paris draughts",
    .generators = compiled<Paris>,
    .long_moves = true,
};

// The list of all variants, for whoever must do something for each of them: expands DO(R) for every book R.
#define DAMIER_DRAUGHTS(DO) \
    DO(English)             \
    DO(International)       \
    DO(Russian)             \
    DO(Brazilian)           \
    DO(Italian)             \
    DO(Spanish)             \
    DO(Frisian)             \
    DO(Turkish)             \
    DO(Pool)                \
    DO(Czech)               \
    DO(Rennes)              \
    DO(Paris)

// A rule book by reference, which positions carry: books stand still and are compared by place.
class Rules {
  public:
    constexpr Rules(const Book& book) : book_(&book) {}
    Rules(const Book&&) = delete;

    constexpr const Book& operator*() const { return *book_; }
    constexpr const Book* operator->() const { return book_; }
    bool operator==(const Rules&) const = default;

  private:
    const Book* book_;
};

}  // namespace damier::draughts
