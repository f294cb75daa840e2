// Moves and the end of the game. Lines of Action has no other state than the pieces and who moves.

#include <cstring>

#include "damier/base/random.h"
#include "damier/game/actions.h"
#include "damier/games/loa/connection.h"
#include "damier/games/loa/lines.h"
#include "damier/games/loa/loa.h"

namespace damier {
namespace loa {

static_assert(std::is_trivially_copyable_v<Move> && sizeof(Move) == sizeof(LineMoves::value_type));

constinit const LineTable Table;

namespace {

struct Zobrist {
    std::array<std::array<Key, 64>, 2> piece{};
    Key white_to_move = 0;

    constexpr Zobrist() {
        std::uint64_t state = 0x10A;
        for (auto& side : piece)
            for (auto& key : side) key = splitmix(state);
        white_to_move = splitmix(state);
    }
};
constexpr Zobrist Keys;

}  // namespace

// The cheap tests come first, since most sets are in pieces: one without a neighbour, then the Euler number, which is
// groups minus holes and so proves more than one group when it exceeds 1. Only then is the group filled from a piece:
// half the time of filling at once (docs/results/connection.md).
bool connected(Bits set) {
    if ((set & ~neighbours(set)) != 0) return !several(set);
    if (euler(set) > 1) return false;
    return group_of(set & -set, set) == set;
}

Position::Position(Bits white, Bits black, Side turn, const Rules& rules)
    : pieces_{white, black}, key_(0), turn_(turn), rules_(rules) {
    key_ = fresh_key();
}

Key Position::fresh_key() const {
    Key key = turn_ == Side::White ? Keys.white_to_move : 0;
    for (const Side side : {Side::White, Side::Black})
        for (const int sq : squares(pieces(side))) key ^= Keys.piece[index(side)][sq];
    return key;
}

// A line has so few moves that a loop over them is guessed wrong most of the time: a block of eight is always written,
// and the next line overwrites those that do not exist.
void Position::piece_moves(Side side, MoveList& list) const {
    const Bits own = pieces(side), enemy = pieces(!side);
    Move* next = list.end();
    for (const Line& line : lines_of(rules_.size)) {
        const unsigned own_line = line.read(own), enemy_line = line.read(enemy);
        const LineMoves& places = Table.moves(line.length, own_line, enemy_line);
        const LineMoves moves = moves_from_places(places, line);
        std::memcpy(static_cast<void*>(next), moves.data(), sizeof moves);
        next += Table.count(line.length, own_line, enemy_line);
    }
    list.extend_to(next);
}

void Position::legal_moves(MoveList& list) const {
    piece_moves(turn_, list);
    if (list.empty() && rules_.no_move == NoMove::Passes) list.push_back(Move::pass());
}

void Position::tactical_moves(MoveList& list) const {
    MoveList all;
    legal_moves(all);
    for (const Move move : all) {
        if (is_tactical(move)) list.push_back(move);
    }
}

// The piece that moves must land beside every group, or beside all but one if it is all there was of that one. Around a
// square there is room for four groups, so that with more than five, which the Euler number tells first, none is near.
std::optional<Move> Position::winning_move(Side side) const {
    constexpr int MostGroups = 5;
    const Bits own = pieces(side);
    if (euler(own) > MostGroups) return std::nullopt;
    std::array<Bits, MostGroups> near;
    std::array<bool, MostGroups> single;
    std::size_t groups = 0;
    for (Bits left = own; left != 0; ++groups) {
        if (groups == MostGroups) return std::nullopt;
        const Bits group = group_of(left & -left, left);
        left ^= group;
        near[groups] = neighbours(group);
        single[groups] = !several(group);
    }
    Bits targets = 0;
    for (std::size_t mover = 0; mover <= groups; ++mover) {  // past the last: it belongs to a larger group
        if (mover < groups && !single[mover]) continue;
        Bits beside = ~own;
        for (std::size_t group = 0; group < groups; ++group)
            if (group != mover) beside &= near[group];
        targets |= beside;
    }
    if (targets == 0) return std::nullopt;

    MoveList list;
    piece_moves(side, list);
    for (const Move move : list) {
        if (!(targets & bit(move.to())) || !connected(own ^ bit(move.from()) ^ bit(move.to()))) continue;
        const bool draws =
            rules_.simultaneous == Simultaneous::Draws && move.captures() && connected(pieces(!side) ^ bit(move.to()));
        if (!draws) return move;
    }
    return std::nullopt;
}

int Position::count_piece_moves() const {
    const Bits own = pieces(turn_), enemy = pieces(!turn_);
    int moves = 0;
    for (const Line& line : lines_of(rules_.size)) moves += Table.count(line.length, line.read(own), line.read(enemy));
    return moves;
}

int Position::count_legal_moves() const {
    const int moves = count_piece_moves();
    return moves == 0 && rules_.no_move == NoMove::Passes ? 1 : moves;
}

Key Position::key_after(Move move) const {
    const auto& keys = Keys.piece[index(turn_)];
    const Key captured = move.captures() ? Keys.piece[index(!turn_)][move.to()] : 0;
    return key_ ^ Keys.white_to_move ^ keys[move.from()] ^ keys[move.to()] ^ captured;
}

void Position::play(Move move) {
    key_ ^= Keys.white_to_move;
    captured_last_ = move.captures();
    if (!move.is_pass()) {
        Bits& own = pieces_[index(turn_)];
        const auto& keys = Keys.piece[index(turn_)];
        own ^= bit(move.from()) | bit(move.to());
        key_ ^= keys[move.from()] ^ keys[move.to()];
        if (move.captures()) {
            pieces_[index(!turn_)] ^= bit(move.to());
            key_ ^= Keys.piece[index(!turn_)][move.to()];
        }
    }
    turn_ = !turn_;
}

std::optional<Outcome> Position::decided() const {
    const bool mover = connected(pieces(!turn_));
    const bool other = captured_last_ && connected(pieces(turn_));
    if (!mover && !other) return std::nullopt;
    if (!mover || !other) return Outcome{win_for(mover ? !turn_ : turn_), Reason::Connection};
    if (rules_.simultaneous == Simultaneous::Draws) return Outcome{Result::Draw, Reason::SimultaneousConnection};
    return Outcome{win_for(!turn_), Reason::SimultaneousConnection};
}

}  // namespace loa

Loa::Position Loa::start(const Rules& rules) {
    const int last = rules.size - 1;
    Bits white = 0, black = 0;
    for (int i = 1; i < last; ++i) {
        black |= bit(loa::square(i, 0)) | bit(loa::square(i, last));
        white |= bit(loa::square(0, i)) | bit(loa::square(last, i));
    }
    return Position(white, black, Side::Black, rules);
}

Loa::Position Loa::image(const Position& pos, int number) {
    const int empty = 8 - pos.rules().size;  // files and ranks beyond a smaller board
    const auto turned = [&](Bits set) {
        if (number & 1) set = flip_columns(set) >> empty;
        if (number & 2) set = flip_rows(set) >> 8 * empty;
        return number & 4 ? transpose(set) : set;
    };
    return {turned(pos.pieces(Side::White)), turned(pos.pieces(Side::Black)), pos.turn(), pos.rules()};
}

std::optional<DrawRule> Loa::drawn(const Position& pos, const Past& past) {
    if (past.occurrences >= pos.rules().repetition) return DrawRule{Reason::Repetition, true};
    return std::nullopt;
}

static_assert(Game<Loa> && CountsMoves<Loa> && HasPlanes<Loa> && KnowsActions<Loa>);
static_assert(KnowsQuiet<Loa> && HasTactics<Loa> && CanPass<Loa> && HasShapes<Loa> && HasSymmetries<Loa>);
static_assert(KnowsWinningMoves<Loa> && ForeseesKeys<Loa>);
static_assert(!HasExchanges<Loa>);  // pieces are no material: taking one may help its owner to connect

}  // namespace damier
