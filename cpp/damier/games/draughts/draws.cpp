// Draws that the rules give: repetition, quiet moves, and endings that must be won within a number of moves.

#include "damier/games/draughts/draughts.h"

namespace damier::draughts {

namespace {

// An ending that is counted: its number names it (a new number starts a new count), its limit is in plies of both
// sides.
struct Ending {
    int number = 0;
    int plies = 0;
};

// The material on the board, the stronger side first where one side is a lone king.
struct Census {
    int men, kings;    // of the stronger side
    int men2, kings2;  // of the other
    Bits lone_king;    // the other side's king, when it is alone

    static Census of(const Position& pos) {
        const Side strong =
            count(pos.pieces(Side::White)) >= count(pos.pieces(Side::Black)) ? Side::White : Side::Black;
        Census census = {count(pos.men(strong)), count(pos.kings(strong)), count(pos.men(!strong)),
                         count(pos.kings(!strong)), 0};
        if (census.men2 == 0 && census.kings2 == 1) census.lone_king = pos.pieces(!strong);
        return census;
    }
    int pieces() const { return men + kings; }
    int all() const { return men + kings + men2 + kings2; }
    int material() const { return men + 16 * (kings + 16 * (men2 + 16 * kings2)); }
};

constexpr int each(int moves) { return 2 * moves; }

// FMJD annex 1, 6.3 and 6.4: a side with a king against a lone king.
Ending international(const Census& c) {
    if (c.lone_king == 0 || c.kings == 0 || c.pieces() > 3) return {};
    return c.pieces() == 3 ? Ending{1, each(16)} : Ending{2, each(5)};
}

// FMJD-64 7.2.4 and 7.2.6 to 7.2.8. The main road is the long diagonal a1-h8.
Ending russian(const Census& c) {
    constexpr Bits MainRoad = [] {
        Bits road = 0;
        for (int i = 0; i < 8; ++i) road |= bit(Russian.chart.at(i, i));
        return road;
    }();
    if (c.kings == 0 || c.kings2 == 0) return {};
    if (c.lone_king != 0 && c.pieces() <= 2) return {1, each(5)};
    if (c.lone_king != 0 && c.pieces() == 3 && (c.lone_king & MainRoad) != 0) return {2, each(5)};
    if (c.lone_king != 0 && c.men == 0) return {3, each(15)};
    if (c.all() <= 5) return {4 + c.material(), each(30)};
    if (c.all() <= 7) return {4 + c.material(), each(60)};
    return {};
}

// Five moves each, from memory of the CBD rules: 2 kings v 2 kings; 2 kings v king and man; 2 kings, king and man, or a
// king v a king. A capture counts anew.
Ending brazilian(const Census& c) {
    if (c.kings == 0 || c.kings2 == 0 || c.pieces() > 2 || c.men + c.men2 > 1) return {};
    return {1 + c.material(), each(5)};
}

// As lidraughts: 2 kings v king, and king v king (which officially ends at once unless a capture can be forced).
Ending frisian(const Census& c) {
    if (c.lone_king == 0 || c.men > 0 || c.kings > 2) return {};
    return c.kings == 2 ? Ending{1, each(7)} : Ending{2, each(2)};
}

// APCA: three kings v king.
Ending pool(const Census& c) { return c.lone_king != 0 && c.men == 0 && c.kings == 3 ? Ending{1, each(13)} : Ending{}; }

Ending turkish(const Census& c) {
    return c.lone_king != 0 && c.men == 0 && c.kings == 1 ? Ending{1, each(2)} : Ending{};
}

Ending ending(const Position& pos) {
    if (pos.kings(Side::White) == 0 || pos.kings(Side::Black) == 0) return {};
    switch (pos.rules()->counted) {
        case Endings::None: break;
        case Endings::International: return international(Census::of(pos));
        case Endings::Russian: return russian(Census::of(pos));
        case Endings::Brazilian: return brazilian(Census::of(pos));
        case Endings::Frisian: return frisian(Census::of(pos));
        case Endings::Pool: return pool(Census::of(pos));
        case Endings::Turkish: return turkish(Census::of(pos));
    }
    return {};
}

std::optional<Reason> draw_reason(const Position& pos, const Past& past) {
    const Rules rules = pos.rules();
    if (rules->repetition > 0 && past.occurrences >= rules->repetition) return Reason::Repetition;
    if (rules->quiet_plies > 0 && past.quiet_plies >= rules->quiet_plies) return Reason::MoveLimit;
    const Ending counted = ending(pos);
    if (counted.plies > 0 && past.phase_plies >= counted.plies) return Reason::Endgame;
    return std::nullopt;
}

}  // namespace

int ending_number(const Position& pos) { return ending(pos).number; }

}  // namespace damier::draughts

namespace damier {

std::optional<DrawRule> Draughts::drawn(const Position& pos, const Past& past) {
    const auto reason = draughts::draw_reason(pos, past);
    if (!reason) return std::nullopt;
    return DrawRule{*reason, true};
}

}  // namespace damier
