// Moves as text: 32-28, 26x17, and the complete path 26x17x8 when another legal move shares both ends.
// Reading also takes any separator, blanks, leading zeros, paths in part, and the Hub form (from x to x captured).

#include <set>
#include <tuple>

#include "damier/base/error.h"
#include "damier/base/text.h"
#include "damier/games/draughts/draughts.h"
#include "damier/games/draughts/text.h"

namespace damier {

namespace draughts {

namespace {

// Looks for a route of a capture: an order of jumps that takes exactly its pieces.
class Router {
  public:
    // `stops` are squares that the route must land on, in order; with `exactly`, it lands on no other.
    Router(const Position& pos, Move move, std::vector<int> stops, bool exactly)
        : rules_(pos.rules()),
          board_(*rules_->board),
          us_(pos.turn()),
          move_(move),
          king_(has(pos.kings(), move.from)),
          free_(pos.empty() | bit(move.from)),
          stops_(std::move(stops)),
          exactly_(exactly) {}

    bool find() {
        route_ = {move_.from};
        return go(move_.from, 0, 0, king_, -1);
    }
    const std::vector<int>& route() const { return route_; }

  private:
    bool go(int at, Bits taken, std::size_t stop, bool king, int last) {
        if (taken == move_.captured) return at == move_.to && stop == stops_.size() && king_at_end(at, king);
        if (!tried_.insert({at, taken, stop, king, last}).second) return false;
        const unsigned directions = king ? rules_->king_captures() : rules_->man_captures(us_);
        for (unsigned rest = directions; rest != 0; rest &= rest - 1) {
            const int d = std::countr_zero(rest);
            if (last >= 0 && d == opposite(last)) continue;
            if (jump(at, taken, stop, king, d)) return true;
        }
        return false;
    }

    bool jump(int at, Bits taken, std::size_t stop, bool king, int d) {
        const bool far = king && rules_->long_captures;
        const Bits free = rules_->removed_at_once ? free_ | taken : free_;
        Bits over = board_.step(d, bit(at));
        while (far && (over & free) != 0) over = board_.step(d, over);
        over &= move_.captured & ~taken;
        for (Bits land = board_.step(d, over) & free; land != 0; land = far ? board_.step(d, land) & free : 0) {
            if (land_on(first(land), taken | over, stop, king, d)) return true;
        }
        return false;
    }

    bool land_on(int sq, Bits taken, std::size_t stop, bool king, int d) {
        const bool is_end = taken == move_.captured;
        const bool crowned = rules_->crowned == Crowning::AtOnce && has(rules_->crown_row[index(us_)], sq);
        const bool is_stop = !is_end && stop < stops_.size() && stops_[stop] == sq;
        if (exactly_ && !is_end && !is_stop) return false;
        route_.push_back(sq);
        if (go(sq, taken, stop + is_stop, king || crowned, d)) return true;
        if (is_stop && !exactly_ && go(sq, taken, stop, king || crowned, d)) return true;
        route_.pop_back();
        return false;
    }

    bool king_at_end(int at, bool king) const {
        const bool crowned = rules_->crowned == Crowning::AtEnd && has(rules_->crown_row[index(us_)], at);
        return (king || crowned) == (king_ || move_.crowned);
    }

    const Rules rules_;
    const Board& board_;
    const Side us_;
    const Move move_;
    const bool king_;
    const Bits free_;
    const std::vector<int> stops_;
    const bool exactly_;
    std::vector<int> route_;
    std::set<std::tuple<int, Bits, std::size_t, bool, int>> tried_;
};

std::string joined(Rules rules, const std::vector<int>& route, char separator) {
    std::string text;
    for (int sq : route) {
        if (!text.empty()) text += separator;
        text += rules->chart.name(sq);
    }
    return text;
}

// The squares named in a move text; throws when it is not one.
std::vector<int> read_squares(Rules rules, std::string_view text) {
    constexpr std::string_view Separators = "-xX:* \t";
    constexpr std::size_t Longest = 32;  // squares: more than any move has
    std::vector<int> squares;
    for (std::size_t at = text.find_first_not_of(" \t\r\n"); at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(Separators, at), text.size());
        const std::string_view name = trimmed(text.substr(at, end - at));
        const int sq = rules->chart.square_named(name);
        if (sq < 0) throw MoveError(shown(text) + " is not a move: no square " + shown(name));
        squares.push_back(sq);
        if (squares.size() > Longest) throw MoveError(shown(text) + " is not a move: too long");
        at = std::min(text.find_first_not_of(Separators, end), text.size());
    }
    const bool hanging = !text.empty() && std::string_view("-xX:*").find(text.back()) != std::string_view::npos;
    if (squares.size() < 2 || hanging) throw MoveError(shown(text) + " is not a move: two squares are expected");
    return squares;
}

// The ways to read the squares of a text, the strictest first.
enum class Reading { CompletePath, Hub, SomePath };

bool fits(const Position& pos, Move move, const std::vector<int>& named, Reading reading) {
    if (move.from != named.front()) return false;
    const std::vector<int> between(named.begin() + 1, named.end() - 1);
    switch (reading) {
        case Reading::CompletePath:
            if (move.to != named.back() || static_cast<int>(named.size()) - 1 != std::max(1, count(move.captured)))
                return false;
            return move.captured == 0 || Router(pos, move, between, true).find();
        case Reading::Hub: {
            Bits captured = 0;
            for (std::size_t i = 2; i < named.size(); ++i) captured |= bit(named[i]);
            return move.to == named[1] && captured != 0 && move.captured == captured;
        }
        case Reading::SomePath:
            return move.to == named.back() && move.captured != 0 && Router(pos, move, between, false).find();
    }
    return false;
}

}  // namespace

}  // namespace draughts

std::vector<int> Draughts::path(const Position& pos, Move move) {
    if (move.captured == 0) return {move.from, move.to};
    draughts::Router router(pos, move, {}, false);
    [[maybe_unused]] const bool found = router.find();
    assert(found);
    return router.route();
}

std::string Draughts::text(const Position& pos, Move move) {
    if (move.captured == 0) return draughts::joined(pos.rules(), {move.from, move.to}, '-');
    MoveList list;
    pos.legal_moves(list);
    int alike = 0;
    for (const Move& other : list) alike += other.from == move.from && other.to == move.to;
    const auto route = alike > 1 ? path(pos, move) : std::vector<int>{move.from, move.to};
    return draughts::joined(pos.rules(), route, pos.rules()->capture_sign);
}

Draughts::Move Draughts::read_move(const Position& pos, std::string_view text) {
    using draughts::Reading;
    const auto named = draughts::read_squares(pos.rules(), text);
    MoveList list;
    pos.legal_moves(list);
    for (const Reading reading : {Reading::CompletePath, Reading::Hub, Reading::SomePath}) {
        std::vector<Move> found;
        for (const Move& move : list) {
            if (draughts::fits(pos, move, named, reading)) found.push_back(move);
        }
        if (found.size() == 1) return found[0];
        if (found.empty()) continue;
        std::string candidates;
        for (const Move& move : found) (candidates += ' ') += Draughts::text(pos, move);
        throw MoveError(shown(text) + " is ambiguous:" + candidates);
    }
    throw MoveError(shown(text) + " is illegal in " + fen({pos}));
}

std::vector<SquareInfo> Draughts::squares(Rules rules) {
    const draughts::Chart& chart = rules->chart;
    std::vector<SquareInfo> all;
    for (int number = 1; number <= chart.count(); ++number) {
        const int sq = chart.square(number);
        all.push_back({sq, chart.file(sq), chart.rank(sq), chart.name(sq)});
    }
    return all;
}

char Draughts::piece(const Position& pos, int sq) {
    const bool king = has(pos.kings(), sq);
    if (has(pos.pieces(Side::White), sq)) return king ? 'W' : 'w';
    if (has(pos.pieces(Side::Black), sq)) return king ? 'B' : 'b';
    return 0;
}

}  // namespace damier
