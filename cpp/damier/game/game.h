// What a game must provide. Rules are facts about positions; nothing here knows how a search works.
//
// A Position is a small value, played by copying it and calling play(). What depends on the game history (repetition,
// move counts) is not in the position: a record or a search path keeps it and shows it to the game as a Past.

#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "damier/base/bits.h"
#include "damier/game/move.h"
#include "damier/game/result.h"

namespace damier {

// What the rules of drawing may look at beyond the position itself.
struct Past {
    int occurrences = 1;  // how often this position has occurred, including now
    int quiet_plies = 0;  // plies since the last irreversible move
    int phase_plies = 0;  // plies since the game's phase() last changed (0 for games without phases)
    int cycle = 0;        // plies since this position last occurred, 0 if it never did
};

// A draw that the rule book gives; one that is not automatic must be claimed by a player.
struct DrawRule {
    Reason reason;
    bool automatic;
};

// The largest counter that is read from a FEN: no game is longer, and sums stay far from overflow.
constexpr int LargestCounter = 99999;

// A position and the counters that travel with it in a FEN.
template <class Position>
struct Setup {
    Position position;
    int quiet_plies = 0;
    int move_number = 1;

    bool operator==(const Setup&) const = default;
};

// Where a playing square is drawn: file 0 is the left column and rank 0 the bottom row, seen by White.
struct SquareInfo {
    int index;
    int file;
    int rank;
    std::string name;
};

template <class G>
concept Game = requires(const typename G::Position& pos, typename G::Position& next, typename G::Move move,
                        typename G::MoveList& list, const typename G::Rules& rules, const Past& past,
                        const Setup<typename G::Position>& setup, std::string_view text, int sq, const Move& outside) {
    requires std::copyable<typename G::Position> && std::totally_ordered<typename G::Move>;
    { G::first(pos) } -> std::same_as<Side>;  // who moves first in a game by these rules, for numbering moves
    { G::start(rules) } -> std::same_as<typename G::Position>;

    // The position.
    { pos.turn() } -> std::same_as<Side>;
    { pos.key() } -> std::same_as<Key>;        // kept up to date by play()
    { pos.fresh_key() } -> std::same_as<Key>;  // the same, computed from scratch
    {
        pos.legal_moves(list)
    } -> std::same_as<void>;  // appends; a decided position may be asked and answers by the board alone
    { next.play(move) } -> std::same_as<void>;
    { pos.is_irreversible(move) } -> std::same_as<bool>;        // no earlier position can come back after it
    { pos.decided() } -> std::same_as<std::optional<Outcome>>;  // does the board alone end the game?
    { pos.stuck() } -> std::same_as<Outcome>;                   // what does having no move mean?
    { pos == pos } -> std::same_as<bool>;

    // Draws that depend on the past (and dead positions that perft does not stop at).
    { G::drawn(pos, past) } -> std::same_as<std::optional<DrawRule>>;

    // A 16-bit name of a move for tables and files, from | to << 6 in its low twelve bits; legal moves of one position
    // may share a code in a few games.
    { G::code(move) } -> std::same_as<std::uint16_t>;

    // A move as seen from outside, except for the number of its variant, and back.
    { G::plain(pos, move) } -> std::same_as<Move>;
    { G::native(outside) } -> std::same_as<typename G::Move>;

    // Text.
    { G::read_fen(text, rules) } -> std::same_as<Setup<typename G::Position>>;  // throws FenError
    { G::fen(setup) } -> std::same_as<std::string>;
    { G::text(pos, move) } -> std::same_as<std::string>;             // the usual notation of a legal move
    { G::read_move(pos, text) } -> std::same_as<typename G::Move>;   // a legal move, or throws MoveError
    { G::squares(rules) } -> std::same_as<std::vector<SquareInfo>>;  // the playing squares
    { G::piece(pos, sq) } -> std::same_as<char>;                     // a FEN-like letter, 0 when empty
};

// Counting legal moves can be cheaper than listing them.
template <class G>
concept CountsMoves = requires(const typename G::Position& pos) {
    { pos.count_legal_moves() } -> std::same_as<int>;
};

// Some endings are limited to a number of moves: phase() names the ending, 0 being none.
template <class G>
concept HasPhases = requires(const typename G::Position& pos) {
    { G::phase(pos) } -> std::same_as<int>;
};

// Facts that a search may use. A game that does not state one goes without the technique that needs it.

// The key that a move leads to, found without playing it. Rare effects may be left out: it serves to look ahead.
template <class G>
concept ForeseesKeys = requires(const typename G::Position& pos, typename G::Move move) {
    { pos.key_after(move) } -> std::same_as<Key>;
};

// Is the position quiet enough for a static evaluation? Chess: not in check; draughts: no capture is compulsory.
template <class G>
concept KnowsQuiet = requires(const typename G::Position& pos) {
    { pos.is_quiet() } -> std::same_as<bool>;
};

// The moves that change the balance at once (captures, promotions), listed without the others.
template <class G>
concept HasTactics = requires(const typename G::Position& pos, typename G::Move move, typename G::MoveList& list) {
    { pos.tactical_moves(list) } -> std::same_as<void>;  // appends; the legal moves that are tactical
    { pos.is_tactical(move) } -> std::same_as<bool>;
    { pos.prize(move) } -> std::same_as<int>;  // the value of what a move takes or promotes to, hundredths of a man
};

// Exchanges on one square can be counted without searching them.
template <class G>
concept HasExchanges = requires(const typename G::Position& pos, typename G::Move move, int least) {
    { pos.exchange_is_at_least(move, least) } -> std::same_as<bool>;  // hundredths of a man, best play on that square
};

// Moves after which the position is not quiet, so that the other side must answer (checks), found without playing them:
// forcing() looks at the position once and is then asked move by move.
template <class G>
concept KnowsForcing = requires(const typename G::Position& pos, typename G::Move move) {
    { pos.forcing()(move) } -> std::same_as<bool>;
};

// Could the other side capture if it had the move? Then a static evaluation is not enough.
template <class G>
concept KnowsCaptureThreats = requires(const typename G::Position& pos) {
    { pos.capture_threatened() } -> std::same_as<bool>;
};

// A move by which a side would win at once if it had the move, found faster than by playing all of them.
template <class G>
concept KnowsWinningMoves = requires(const typename G::Position& pos, Side side) {
    { pos.winning_move(side) } -> std::same_as<std::optional<typename G::Move>>;
};

// Zugzwang is rare: a search may try a null move, but only where pass_is_sound().
template <class G>
concept CanPass = requires(const typename G::Position& pos, typename G::Position& next) {
    { pos.pass_is_sound() } -> std::same_as<bool>;
    { next.pass() } -> std::same_as<void>;
};

// A move in outline, below Shapes: what moves and where it lands, for statistics of which moves answer which.
template <class G>
concept HasShapes = requires(const typename G::Position& pos, typename G::Move move) {
    { G::Shapes } -> std::convertible_to<int>;
    { pos.shape(move) } -> std::same_as<int>;
};

// The board as sets of squares, one per kind of piece and side, for learning and for storing states: White's kinds
// first, then Black's in the same order.
template <class G>
concept HasPlanes = requires(const typename G::Position& pos) {
    { G::planes(pos).size() } -> std::convertible_to<std::size_t>;
};

template <HasPlanes G>
inline constexpr std::size_t PlaneCount = std::tuple_size_v<decltype(G::planes(std::declval<typename G::Position>()))>;

// The names of the kinds of piece that can occur by these rules, in the order of the planes of one side; kinds
// beyond them stay empty.
template <class G>
concept NamesKinds = requires(const typename G::Rules& rules) {
    { G::kinds(rules) } -> std::same_as<std::vector<std::string>>;
};

// A side may see the board mirrored from left to right, so that a network sees fewer different boards: in chess its
// king then stands on the left.
template <class G>
concept LooksMirrored = requires(const typename G::Position& pos, Side side) {
    { G::looks_mirrored(pos, side) } -> std::same_as<bool>;
};

// Where a side's king stands, in one of a few buckets, so that a network may judge every piece by it.
template <class G>
concept HasKingBuckets = requires(const typename G::Position& pos, Side side) {
    { G::KingBuckets } -> std::convertible_to<std::size_t>;
    { G::king_bucket(pos, side) } -> std::same_as<std::size_t>;
};

// A kind of piece that is always on the board, by its place among the kinds: its value means nothing.
template <class G>
concept HasRoyalKind = requires {
    { G::RoyalKind } -> std::convertible_to<std::size_t>;
};

// A side may have only its king left: how to mate it is not something that networks learn from games.
template <class G>
concept HasBareKings = requires(const typename G::Position& pos) {
    { G::has_bare_king(pos) } -> std::same_as<bool>;
};

// What a position holds besides its pieces, as sets of squares: in chess, the rooks that may castle and where a pawn
// may be taken en passant.
template <class G>
concept HasStatePlanes = requires(const typename G::Position& pos) {
    { G::state_planes(pos).size() } -> std::convertible_to<std::size_t>;
};

// Turned or mirrored, the position is equally good for the side to move: the number of such images, of which
// image 0 is the position itself.
template <class G>
concept HasSymmetries = requires(const typename G::Position& pos, int number) {
    { G::symmetries(pos) } -> std::same_as<int>;
    { G::image(pos, number) } -> std::same_as<typename G::Position>;
};

// The squares of one route of a legal move, its start and its end included; without it a move goes straight.
template <class G>
concept HasRoutes = requires(const typename G::Position& pos, typename G::Move move) {
    { G::path(pos, move) } -> std::same_as<std::vector<int>>;
};

// A move alone, in the form that needs no position; without it b1-b3, or b1xb3 for a capture.
template <class G>
concept WritesMoves = requires(const Move& move) {
    { G::text(move) } -> std::same_as<std::string>;
};

// Rules that make a different game: what was searched or learnt under some is not used under others.
template <class G>
concept HasVariants = requires(const typename G::Rules& rules) {
    { G::same_game(rules, rules) } -> std::same_as<bool>;
};

// The same facts for any game: one that does not state them is always quiet and has no tactics.
template <Game G>
bool is_quiet([[maybe_unused]] const typename G::Position& pos) {
    if constexpr (KnowsQuiet<G>) {
        return pos.is_quiet();
    } else {
        return true;
    }
}

template <Game G>
int symmetries([[maybe_unused]] const typename G::Position& pos) {
    if constexpr (HasSymmetries<G>) {
        return G::symmetries(pos);
    } else {
        return 1;
    }
}

template <Game G>
typename G::Position image(const typename G::Position& pos, [[maybe_unused]] int number) {
    if constexpr (HasSymmetries<G>) {
        if (number > 0) return G::image(pos, number);
    }
    return pos;
}

template <Game G>
bool same_game([[maybe_unused]] const typename G::Rules& rules, [[maybe_unused]] const typename G::Rules& others) {
    if constexpr (HasVariants<G>) {
        return G::same_game(rules, others);
    } else {
        return true;
    }
}

template <Game G>
bool is_tactical([[maybe_unused]] const typename G::Position& pos, [[maybe_unused]] typename G::Move move) {
    if constexpr (HasTactics<G>) {
        return pos.is_tactical(move);
    } else {
        return false;
    }
}

// By exchanges on the square it goes to, as far as the game can tell.
template <Game G>
bool loses_material([[maybe_unused]] const typename G::Position& pos, [[maybe_unused]] typename G::Move move) {
    if constexpr (HasExchanges<G>) {
        return !pos.exchange_is_at_least(move, 0);
    } else {
        return false;
    }
}

}  // namespace damier
