// Ends games early, once both players have agreed on the result for long enough.

#pragma once

#include <cstddef>
#include <optional>

#include "damier/eval/score.h"
#include "damier/game/result.h"

namespace damier {

struct Adjudication {
    std::optional<Score> resign;  // a side so far behind is lost, none for never
    int resign_moves = 4;         // of both players, one after the other
    std::optional<Score> draw;    // a game within this is drawn, none for never
    int draw_moves = 8;
    int draw_from = 40;  // no draw before this many moves
};

class Adjudicator {
  public:
    explicit Adjudicator(const Adjudication& rules) : rules_(rules) {}

    // What both players agree on after a move of `side`, which it judged so (if it said anything), `ply` plies into
    // the game.
    std::optional<Result> after(Side side, std::optional<Score> score, std::size_t ply) {
        const Score white = score ? (side == Side::White ? *score : -*score) : 0;
        count(white_ahead_, score && rules_.resign && white >= *rules_.resign);
        count(black_ahead_, score && rules_.resign && white <= -*rules_.resign);
        count(level_, score && rules_.draw && white >= -*rules_.draw && white <= *rules_.draw);
        if (rules_.resign && white_ahead_ >= 2 * rules_.resign_moves) return Result::WhiteWins;
        if (rules_.resign && black_ahead_ >= 2 * rules_.resign_moves) return Result::BlackWins;
        if (rules_.draw && level_ >= 2 * rules_.draw_moves && ply >= 2 * static_cast<std::size_t>(rules_.draw_from))
            return Result::Draw;
        return std::nullopt;
    }

  private:
    static void count(int& streak, bool goes_on) { streak = goes_on ? streak + 1 : 0; }

    Adjudication rules_;
    int white_ahead_ = 0, black_ahead_ = 0, level_ = 0;  // moves in a row
};

}  // namespace damier
