// The draughts family: one position and one set of rules, which reads what differs in a rule book (rules.h).
// A capture is one move, its whole chain included; chains that take the same pieces between the same squares are equal.

#pragma once

#include <array>
#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "damier/base/bits.h"
#include "damier/base/list.h"
#include "damier/base/random.h"
#include "damier/game/game.h"
#include "damier/game/windows.h"
#include "damier/games/draughts/rules.h"

namespace damier {

namespace draughts {

struct Move {
    std::uint8_t from = 0;
    std::uint8_t to = 0;
    bool crowned = false;  // a man that ends as a king
    Bits captured = 0;

    auto operator<=>(const Move&) const = default;
};

// Frisian: how many quiet moves running the same king of a side has made, while that side has men.
struct KingRun {
    std::uint8_t square = 0;
    std::uint8_t moves = 0;
    bool operator==(const KingRun&) const = default;
};

// What captured pieces are worth, in hundredths of a man; crowning wins the difference.
constexpr int ManPrize = 100;
constexpr int KingPrize = 300;

// Random numbers of the keys, shared by all variants.
struct Keys {
    std::array<std::array<std::array<Key, 64>, 2>, 2> piece;  // side, king, square
    std::array<std::array<std::array<Key, 64>, 4>, 2> run;    // side, moves, square; no moves are no number
    Key black_to_move;
};

constexpr Keys make_keys() {
    Keys keys = {};
    std::uint64_t state = 20;
    for (auto& side : keys.piece) {
        for (auto& kind : side) {
            for (auto& key : kind) key = splitmix(state);
        }
    }
    for (auto& side : keys.run) {
        for (int moves = 1; moves < 4; ++moves) {
            for (auto& key : side[moves]) key = splitmix(state);
        }
    }
    keys.black_to_move = splitmix(state);
    return keys;
}

inline constexpr Keys AllKeys = make_keys();

using KingRuns = std::array<KingRun, 2>;

class Position {
  public:
    Position(Bits white, Bits black, Bits kings, Side turn, Rules rules, KingRuns runs = {});

    Rules rules() const { return rules_; }
    Side turn() const { return turn_; }
    Key key() const { return key_; }
    Key fresh_key() const;
    Key key_after(Move move) const;  // but for the runs of kings (Frisian)
    void legal_moves(MoveList& list) const { generator().list_moves(*this, list); }
    int count_legal_moves() const { return generator().count_moves(*this); }
    void play(Move move);
    bool is_irreversible(Move move) const { return move.captured != 0 || !has(kings_, move.from); }

    // Captures are compulsory: a position has nothing else, or none and is quiet.
    bool is_quiet() const { return generator().is_quiet(*this); }
    bool capture_threatened() const {
        auto passed = *this;
        std::swap(passed.own_, passed.other_);
        passed.turn_ = !turn_;
        return !passed.is_quiet();
    }
    void tactical_moves(MoveList& list) const {
        if (!is_quiet()) legal_moves(list);
    }
    bool is_tactical(Move move) const { return move.captured != 0; }
    int prize(Move move) const {
        const int kings = count(move.captured & kings_) + move.crowned;
        return ManPrize * count(move.captured) + (KingPrize - ManPrize) * kings;
    }
    int shape(Move move) const { return 64 * has(kings_, move.from) + move.to; }

    std::optional<Outcome> decided() const { return std::nullopt; }
    Outcome stuck() const { return {win_for(!turn_), Reason::NoMoves}; }
    bool operator==(const Position&) const = default;

    Bits own() const { return own_; }      // the pieces of the side to move
    Bits other() const { return other_; }  // those of its opponent
    Bits pieces(Side side) const { return side == turn_ ? own_ : other_; }
    Bits men(Side side) const { return pieces(side) & ~kings_; }
    Bits kings(Side side) const { return pieces(side) & kings_; }
    Bits kings() const { return kings_; }
    Bits empty() const { return rules_->board->all & ~(own_ | other_); }
    const KingRuns& runs() const { return runs_; }

    // The king that has used up its quiet moves, as a set (Frisian).
    Bits tired_king() const {
        const KingRun run = runs_[index(turn_)];
        return run.moves > 0 && run.moves == rules_->king_run ? bit(run.square) : 0;
    }

  private:
    const Generator& generator() const { return rules_->generators[index(turn_)]; }
    void set_run(Side side, KingRun run);
    template <bool Kings>
    void move_pieces(Move move);
    void play_with_kings(std::uint8_t from, std::uint8_t to, bool crowned, Bits captured);
    void update_runs(Move move, bool by_king);

    Bits own_ = 0;
    Bits other_ = 0;
    Bits kings_ = 0;
    Key key_ = 0;
    Rules rules_;
    Side turn_ = Side::White;
    KingRuns runs_ = {};
};

// Most positions have no king: they are played in line, the others out of line.
inline void Position::play(Move move) {
    if (kings_ == 0 && !move.crowned) {
        move_pieces<false>(move);
    } else {
        play_with_kings(move.from, move.to, move.crowned, move.captured);
    }
}

inline Key Position::key_after(Move move) const {
    const int us = index(turn_);
    const auto& keys = AllKeys.piece;
    const bool by_king = has(kings_, move.from);
    Key key = key_ ^ AllKeys.black_to_move ^ keys[us][by_king][move.from] ^ keys[us][by_king | move.crowned][move.to];
    for (const int sq : squares(move.captured)) key ^= keys[1 - us][has(kings_, sq)][sq];
    return key;
}

template <bool Kings>
void Position::move_pieces(Move move) {
    const int us = index(turn_);
    const auto& keys = AllKeys.piece;
    const bool by_king = Kings && has(kings_, move.from);
    assert(has(own_, move.from) && (move.captured & ~other_) == 0);

    const bool king = by_king || (Kings && move.crowned);
    key_ ^= AllKeys.black_to_move ^ keys[us][by_king][move.from] ^ keys[us][king][move.to];
    const Bits enemies = other_ & ~move.captured;
    other_ = (own_ & ~bit(move.from)) | bit(move.to);
    own_ = enemies;
    if (move.captured != 0) {  // before the mover's own king: in Turkish draughts a move may end where it captured
        for (int sq : squares(move.captured)) key_ ^= keys[1 - us][Kings && has(kings_, sq)][sq];
        if constexpr (Kings) kings_ &= ~move.captured;
    }
    if constexpr (Kings) kings_ = (kings_ & ~bit(move.from)) | Bits{king} << move.to;
    turn_ = !turn_;
}

// The number of the counted ending that stands on the board, 0 for none (draws.cpp).
int ending_number(const Position& pos);

}  // namespace draughts

struct Draughts {
    using Position = draughts::Position;
    using Move = draughts::Move;
    using MoveList = draughts::MoveList;
    using Rules = draughts::Rules;
    static constexpr std::string_view Name = "draughts";
    static constexpr int Shapes = 2 * 64;  // man or king, target

    static bool same_game(Rules a, Rules b) { return a == b; }
    static Side first(const Position& pos) { return pos.rules()->starts; }
    static Position start(Rules rules);
    static std::optional<DrawRule> drawn(const Position& pos, const Past& past);
    static int phase(const Position& pos) {  // every counted ending has kings on both sides
        const bool kings = (pos.own() & pos.kings()) != 0 && (pos.other() & pos.kings()) != 0;
        return kings ? draughts::ending_number(pos) : 0;
    }
    static bool may_share_code(Move move) { return move.captured != 0; }
    static std::uint16_t code(Move move) { return static_cast<std::uint16_t>(move.from | move.to << 6); }

    static damier::Move plain(const Position&, Move move) {
        return {.captured = move.captured,
                .code = code(move),
                .from = move.from,
                .to = move.to,
                .promotion = move.crowned ? 'k' : '\0'};
    }
    static Move native(const damier::Move& move) { return {move.from, move.to, move.promotion != 0, move.captured}; }

    // Setup::quiet_plies is the H field (plies since the last capture or man move), move_number the F field.
    static Setup<Position> read_fen(std::string_view text, Rules rules);
    static std::string fen(const Setup<Position>& setup);
    static std::string text(const Position& pos, Move move);
    static Move read_move(const Position& pos, std::string_view text);
    // The squares of one route of a legal move, its start and its end included.
    static std::vector<int> path(const Position& pos, Move move);

    static std::vector<SquareInfo> squares(Rules rules);
    static char piece(const Position& pos, int sq);  // w b men, W B kings
    // White men, white kings, black men, black kings.
    static std::array<Bits, 4> planes(const Position& pos) {
        return {pos.men(Side::White), pos.kings(Side::White), pos.men(Side::Black), pos.kings(Side::Black)};
    }
    static std::vector<std::string> kinds(Rules rules) {
        return rules->crowned == draughts::Crowning::Never ? std::vector<std::string>{"man"}
                                                           : std::vector<std::string>{"man", "king"};
    }

    // Regions whose men are judged together: eight squares each, most of them shared with the next. Regions of twelve
    // squares play worse (docs/results/nnue.md).
    static std::vector<Windows> windows(Rules rules) {
        if (rules->board->squares == draughts::Squares::All) return {{.rows = 3, .columns = 3}};
        return {{.rows = 4, .columns = 4}};
    }

    // Left and right are alike where all squares are played on; a mirror puts dark squares on light ones.
    static int symmetries(const Position& pos) { return pos.rules()->board->squares == draughts::Squares::All ? 2 : 1; }
    static Position image(const Position& pos, int number) {
        if (number == 0) return pos;
        return {flip_columns(pos.pieces(Side::White)), flip_columns(pos.pieces(Side::Black)), flip_columns(pos.kings()),
                pos.turn(), pos.rules()};
    }
};

}  // namespace damier
