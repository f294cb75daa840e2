// The rule books of the draughts family, written as data: a Book is plain draughts, and each variant states the
// articles in which it differs. Perft tables and their sources are in tests/perft/draughts.perft.

#pragma once

#include <string_view>

#include "damier/game/result.h"

namespace damier {

namespace draughts {

// When a man that reaches the last row becomes a king.
enum class Crowning {
    AtEnd,   // only if its move ends there; it goes on capturing as a man where it can
    AtOnce,  // in mid-capture too, and it goes on as a king
    Never,
};

// Which captures must be preferred.
enum class Precedence {
    Free,
    ByKing,        // with a king rather than with a man
    Number,        // most pieces
    NumberKings,   // most pieces, then most kings among them
    NumberByKing,  // most pieces, then with a king, then most kings, then kings earliest (Italian)
    ValueByKing,   // a king is worth a little less than two men; then with a king (Frisian)
};

// Endings that are drawn after a number of moves: see draws.cpp.
enum class Endings { None, International, Russian, Brazilian, Frisian, Pool, Turkish };

enum class Corner { TopLeft, BottomRight };

// Plain draughts: 8x8, men forward only, short kings, free choice.
struct Book {
    static constexpr int Size = 8;
    static constexpr int MenRows = 3;          // rows of men at the start
    static constexpr int EmptyRows = 0;        // rows behind them
    static constexpr bool AllSquares = false;  // orthogonal play on light and dark squares
    static constexpr Side Starts = Side::White;

    static constexpr bool MenCaptureBack = false;
    static constexpr bool MenTakeKings = true;
    static constexpr bool OrthogonalCaptures = false;
    static constexpr bool LongMoves = false;      // kings move any distance
    static constexpr bool LongCaptures = false;   // kings capture from any distance and land at any distance
    static constexpr bool RemovedAtOnce = false;  // a captured piece leaves the board before the next jump
    static constexpr int KingRun = 0;             // quiet moves running that a king may make while its side has men
    static constexpr Crowning Crowned = Crowning::AtEnd;
    static constexpr Precedence Prefers = Precedence::Free;

    static constexpr int Repetition = 3;   // the occurrence that draws, 0 for never
    static constexpr int QuietPlies = 80;  // plies without capture or man move that draw, 0 for never
    static constexpr Endings Counted = Endings::None;

    static constexpr int GameType = 0;                // of PDN 3.0, 0 when it has none
    static constexpr bool Algebraic = false;          // squares are a1 to h8 rather than numbers
    static constexpr bool Mirrored = false;           // the playing squares are those of the other colour
    static constexpr Corner First = Corner::TopLeft;  // where square 1 is, seen by White
    static constexpr char CaptureSign = 'x';
    static constexpr bool TwoPointWin = false;  // results are written 2-0, 1-1, 0-2
};

}  // namespace draughts

// English draughts (WCDF): plain draughts, its draws included. A man that is crowned ends its move, since men capture
// forward only.
struct English : draughts::Book {
    static constexpr std::string_view Name = "english";
    static constexpr std::string_view Title = "English draughts";
    static constexpr int GameType = 21;
    static constexpr Side Starts = Side::Black;
};

// International draughts (FMJD, official rules, annex 1).
struct International : draughts::Book {
    static constexpr std::string_view Name = "international";
    static constexpr std::string_view Title = "International draughts";
    static constexpr int GameType = 20;
    static constexpr int Size = 10;  // FMJD 2.1
    static constexpr int MenRows = 4;
    static constexpr bool MenCaptureBack = true;
    static constexpr bool LongMoves = true;  // FMJD 3.9
    static constexpr bool LongCaptures = true;
    static constexpr draughts::Precedence Prefers = draughts::Precedence::Number;   // FMJD 4.13
    static constexpr int QuietPlies = 50;                                           // 25 moves each of kings only
    static constexpr draughts::Endings Counted = draughts::Endings::International;  // FMJD 6.3 and 6.4
    static constexpr bool TwoPointWin = true;
};

// Russian draughts (FMJD-64, articles 1 to 7).
struct Russian : draughts::Book {
    static constexpr std::string_view Name = "russian";
    static constexpr std::string_view Title = "Russian draughts";
    static constexpr int GameType = 25;
    static constexpr bool MenCaptureBack = true;
    static constexpr bool LongMoves = true;
    static constexpr bool LongCaptures = true;
    static constexpr draughts::Crowning Crowned = draughts::Crowning::AtOnce;
    static constexpr int QuietPlies = 30;                                     // 7.2.5
    static constexpr draughts::Endings Counted = draughts::Endings::Russian;  // 7.2.4, 7.2.6 to 7.2.8
    static constexpr bool Algebraic = true;
    static constexpr char CaptureSign = ':';
};

// Brazilian draughts (CBD): international rules on the small board. (The FMJD-64 counts moves as in Russian draughts.)
struct Brazilian : International {
    static constexpr std::string_view Name = "brazilian";
    static constexpr std::string_view Title = "Brazilian draughts";
    static constexpr int GameType = 26;
    static constexpr int Size = 8;
    static constexpr int MenRows = 3;
    static constexpr int QuietPlies = 40;                                       // CBD: 20 moves of kings only
    static constexpr draughts::Endings Counted = draughts::Endings::Brazilian;  // five moves each, see draws.cpp
    static constexpr bool Algebraic = true;
    static constexpr bool TwoPointWin = false;
};

// Italian draughts (FID). A third repetition draws; the 40 quiet moves each are ours, as in English draughts.
struct Italian : draughts::Book {
    static constexpr std::string_view Name = "italian";
    static constexpr std::string_view Title = "Italian draughts";
    static constexpr int GameType = 22;
    static constexpr bool MenTakeKings = false;
    static constexpr draughts::Precedence Prefers = draughts::Precedence::NumberByKing;
    static constexpr bool Mirrored = true;
};

// Spanish draughts. We did not find its federation's counts: a third repetition and 25 quiet moves each, ours.
struct Spanish : draughts::Book {
    static constexpr std::string_view Name = "spanish";
    static constexpr std::string_view Title = "Spanish draughts";
    static constexpr int GameType = 24;
    static constexpr bool LongMoves = true;
    static constexpr bool LongCaptures = true;
    static constexpr draughts::Precedence Prefers = draughts::Precedence::NumberKings;
    static constexpr int QuietPlies = 50;
    static constexpr bool Mirrored = true;
    static constexpr draughts::Corner First = draughts::Corner::BottomRight;
};

// Frisian draughts, draws as lidraughts counts them. It has none by repetition nor by quiet moves; we add both, so that
// every game ends.
struct Frisian : International {
    static constexpr std::string_view Name = "frisian";
    static constexpr std::string_view Title = "Frisian draughts";
    static constexpr int GameType = 40;
    static constexpr bool OrthogonalCaptures = true;
    static constexpr draughts::Precedence Prefers = draughts::Precedence::ValueByKing;
    static constexpr int KingRun = 3;
    static constexpr bool TwoPointWin = false;
    static constexpr draughts::Endings Counted = draughts::Endings::Frisian;  // 2 kings to 1: 7 moves; 1 to 1: 2 moves
};

// Turkish draughts (dama). A king may not turn by 180 degrees between two jumps.
// Draws: third repetition, king against king after 2 moves each, and, ours, 25 quiet moves each.
struct Turkish : draughts::Book {
    static constexpr std::string_view Name = "turkish";
    static constexpr std::string_view Title = "Turkish draughts";
    static constexpr int GameType = 30;
    static constexpr bool AllSquares = true;
    static constexpr int MenRows = 2;
    static constexpr int EmptyRows = 1;
    static constexpr bool LongMoves = true;
    static constexpr bool LongCaptures = true;
    static constexpr bool RemovedAtOnce = true;
    static constexpr draughts::Precedence Prefers = draughts::Precedence::Number;
    static constexpr int QuietPlies = 50;
    static constexpr draughts::Endings Counted = draughts::Endings::Turkish;
    static constexpr bool Algebraic = true;
};

// American pool checkers (APCA). The quiet move limit is ours.
struct Pool : draughts::Book {
    static constexpr std::string_view Name = "pool";
    static constexpr std::string_view Title = "American pool checkers";
    static constexpr int GameType = 23;
    static constexpr Side Starts = Side::Black;
    static constexpr bool MenCaptureBack = true;
    static constexpr bool LongMoves = true;
    static constexpr bool LongCaptures = true;
    static constexpr int QuietPlies = 50;
    static constexpr draughts::Endings Counted = draughts::Endings::Pool;  // APCA: 3 kings to 1 win in 13 moves or draw
};

// Czech draughts. We did not find its federation's counts: a third repetition and 25 quiet moves each, ours.
struct Czech : draughts::Book {
    static constexpr std::string_view Name = "czech";
    static constexpr std::string_view Title = "Czech draughts";
    static constexpr int GameType = 29;
    static constexpr bool LongMoves = true;
    static constexpr bool LongCaptures = true;
    static constexpr draughts::Precedence Prefers = draughts::Precedence::ByKing;
    static constexpr int QuietPlies = 50;
    static constexpr bool Algebraic = true;
};

// The draughts of the Rennes report: men only, forward only, the longest capture; a man on the last row stays there.
// Player 1 is our White, at the bottom. Every move advances a man, so no game can be drawn or repeat a position.
struct Rennes : draughts::Book {
    static constexpr std::string_view Name = "rennes";
    static constexpr std::string_view Title = "Rennes draughts";
    static constexpr draughts::Crowning Crowned = draughts::Crowning::Never;
    static constexpr draughts::Precedence Prefers = draughts::Precedence::Number;
    static constexpr int Repetition = 0;
    static constexpr int QuietPlies = 0;
};

// The draughts of the Paris report: queens move any distance but capture an adjacent enemy, landing just behind it.
// The report does not say what a man does that is crowned in mid-capture: here its move ends, as in English draughts.
// It states no draw either: we add a third repetition and 40 quiet moves each, so that every game ends.
struct Paris : draughts::Book {
    static constexpr std::string_view Name = "paris";
    static constexpr std::string_view Title = "Paris draughts";
    static constexpr bool LongMoves = true;
};

}  // namespace damier
