// Breakthrough (Dan Troyka 2000): a game of its own, compiled from outside against the headers of the core and entered
// into the registry by one call. It shows what a game needs, and that nothing else must know it.
//
// 8x8, a1 = 0, h8 = 63. Both sides fill their two nearest ranks; White begins. A piece goes one square straight ahead
// if that is empty, or diagonally ahead, taking what stands there. Who reaches the last rank wins; so does who takes
// all.

#include <algorithm>
#include <array>

#include "damier/base/list.h"
#include "damier/base/random.h"
#include "damier/engine/game_variant.h"
#include "damier/eval/plain.h"

namespace breakthrough {

using damier::Bits;
using damier::Key;
using damier::Side;

constexpr Bits FileA = 0x0101010101010101, FileH = FileA << 7, FirstRank = 0xFF, LastRank = FirstRank << 56;

struct Move {
    std::uint8_t from = 0;
    std::uint8_t to = 0;
    bool captures = false;
    auto operator<=>(const Move&) const = default;
};
using MoveList = damier::InlineList<Move, 48>;  // 16 pieces, three ways each

// Random numbers of the keys: side, square.
constexpr auto Keys = [] {
    std::array<std::array<Key, 64>, 2> keys{};
    std::uint64_t state = 2000;
    for (auto& side : keys)
        for (auto& key : side) key = damier::splitmix(state);
    return keys;
}();
constexpr Key BlackToMove = 0x9E3779B97F4A7C15ULL;

class Position {
  public:
    Position(Bits white, Bits black, Side turn) : pieces_{white, black}, turn_(turn) { key_ = fresh_key(); }

    Side turn() const { return turn_; }
    Key key() const { return key_; }
    Key fresh_key() const {
        Key key = turn_ == Side::Black ? BlackToMove : 0;
        for (const int side : {0, 1})
            for (const int sq : damier::squares(pieces_[side])) key ^= Keys[side][sq];
        return key;
    }
    Bits pieces(Side side) const { return pieces_[damier::index(side)]; }

    void legal_moves(MoveList& list) const {
        const Bits own = pieces(turn_), other = pieces(!turn_);
        const int ahead = turn_ == Side::White ? 8 : -8;
        const auto add = [&](Bits targets, int step) {
            for (const int to : damier::squares(targets))
                list.push_back(
                    {static_cast<std::uint8_t>(to - step), static_cast<std::uint8_t>(to), damier::has(other, to)});
        };
        add(damier::shift(own & ~FileA, ahead - 1) & ~own, ahead - 1);
        add(damier::shift(own, ahead) & ~(own | other), ahead);
        add(damier::shift(own & ~FileH, ahead + 1) & ~own, ahead + 1);
    }
    void play(Move move) {
        const int us = damier::index(turn_);
        pieces_[us] ^= damier::bit(move.from) | damier::bit(move.to);
        key_ ^= Keys[us][move.from] ^ Keys[us][move.to] ^ BlackToMove;
        if (move.captures) {
            pieces_[1 - us] ^= damier::bit(move.to);
            key_ ^= Keys[1 - us][move.to];
        }
        turn_ = !turn_;
    }
    bool is_irreversible(Move) const { return true; }  // pieces only go ahead

    std::optional<damier::Outcome> decided() const {
        if ((pieces_[0] & LastRank) || pieces_[1] == 0)
            return damier::Outcome{damier::Result::WhiteWins, damier::Reason::Goal};
        if ((pieces_[1] & FirstRank) || pieces_[0] == 0)
            return damier::Outcome{damier::Result::BlackWins, damier::Reason::Goal};
        return std::nullopt;
    }
    damier::Outcome stuck() const { return {damier::win_for(!turn_), damier::Reason::NoMoves}; }
    bool operator==(const Position&) const = default;

    // Facts for the search: what takes a piece changes the balance at once.
    bool is_quiet() const { return true; }
    void tactical_moves(MoveList& list) const {
        MoveList all;
        legal_moves(all);
        for (const Move move : all)
            if (move.captures) list.push_back(move);
    }
    bool is_tactical(Move move) const { return move.captures; }
    int prize(Move move) const { return move.captures ? 100 : 0; }

  private:
    std::array<Bits, 2> pieces_;
    Key key_;
    Side turn_;
};

std::string square_name(int sq) { return {static_cast<char>('a' + sq % 8), static_cast<char>('1' + sq / 8)}; }

struct Breakthrough {
    using Position = breakthrough::Position;
    using Move = breakthrough::Move;
    using MoveList = breakthrough::MoveList;
    struct Rules {};
    static Side first(const Position&) { return Side::White; }

    static Position start(const Rules&) { return {0xFFFF, Bits{0xFFFF} << 48, Side::White}; }
    static std::optional<damier::DrawRule> drawn(const Position&, const damier::Past&) { return std::nullopt; }
    static std::uint16_t code(Move move) { return static_cast<std::uint16_t>(move.from | move.to << 6); }
    static damier::Move plain(const Position&, Move move) {
        return {
            .captured = move.captures ? damier::bit(move.to) : 0, .code = code(move), .from = move.from, .to = move.to};
    }
    static Move native(const damier::Move& move) { return {move.from, move.to, move.captured != 0}; }
    static std::array<Bits, 2> planes(const Position& pos) {
        return {pos.pieces(Side::White), pos.pieces(Side::Black)};
    }

    // Ranks from the top as in chess, P and p, then w or b.
    static damier::Setup<Position> read_fen(std::string_view text, const Rules&) {
        std::array<Bits, 2> pieces{};
        int rank = 7, file = 0;
        const auto fields = damier::words(text);
        if (fields.size() != 2 || (fields[1] != "w" && fields[1] != "b"))
            throw damier::FenError(damier::shown(text) + ": expected a board and w or b");
        for (const char c : fields[0]) {
            if (c == '/' && file == 8 && rank > 0) {
                --rank, file = 0;
            } else if (c >= '1' && c <= '8' && file + (c - '0') <= 8) {
                file += c - '0';
            } else if ((c == 'P' || c == 'p') && file < 8) {
                pieces[c == 'P' ? 0 : 1] |= damier::bit(8 * rank + file++);
            } else {
                throw damier::FenError(damier::shown(text) + ": the board does not have eight ranks of eight squares");
            }
        }
        if (rank != 0 || file != 8) throw damier::FenError(damier::shown(text) + ": the board is not complete");
        return {Position(pieces[0], pieces[1], fields[1] == "w" ? Side::White : Side::Black)};
    }
    static std::string fen(const damier::Setup<Position>& setup) {
        std::string text;
        for (int rank = 7; rank >= 0; --rank) {
            int empty = 0;
            const auto flush = [&] {
                if (empty > 0) text += static_cast<char>('0' + empty);
                empty = 0;
            };
            for (int file = 0; file < 8; ++file) {
                const char letter = piece(setup.position, 8 * rank + file);
                if (!letter) {
                    ++empty;
                    continue;
                }
                flush();
                text += letter;
            }
            flush();
            if (rank > 0) text += '/';
        }
        return text + (setup.position.turn() == Side::White ? " w" : " b");
    }

    static std::string text(const Position&, Move move) {
        return square_name(move.from) + (move.captures ? "x" : "-") + square_name(move.to);
    }
    static Move read_move(const Position& pos, std::string_view wanted) {
        MoveList legal;
        if (!pos.decided()) pos.legal_moves(legal);
        for (const Move move : legal)
            if (text(pos, move) == wanted) return move;
        throw damier::MoveError(damier::shown(wanted) + " is not a legal move, expected one such as a2-a3 or a2xb3");
    }
    static std::vector<damier::SquareInfo> squares(const Rules&) {
        std::vector<damier::SquareInfo> all;
        for (int sq = 0; sq < 64; ++sq) all.push_back({sq, sq % 8, sq / 8, square_name(sq)});
        return all;
    }
    static char piece(const Position& pos, int sq) {
        if (damier::has(pos.pieces(Side::White), sq)) return 'P';
        return damier::has(pos.pieces(Side::Black), sq) ? 'p' : '\0';
    }
};
static_assert(damier::Game<Breakthrough> && damier::HasTactics<Breakthrough> && damier::HasPlanes<Breakthrough>);
static_assert(!damier::CanPass<Breakthrough>);  // who must move often loses by it

// Material, and the advance of the foremost piece.
int value(const Position& pos) {
    const Bits white = pos.pieces(Side::White), black = pos.pieces(Side::Black);
    const int foremost = (63 - std::countl_zero(white | 1)) / 8 - (7 - std::countr_zero(black | LastRank) / 8);
    const int balance = 100 * (damier::count(white) - damier::count(black)) + 20 * foremost;
    return pos.turn() == Side::White ? balance : -balance;
}
std::vector<damier::Term> terms(const Position& pos) {
    const double total = pos.turn() == Side::White ? value(pos) : -value(pos);
    return {{.name = "material and advance", .total = total}};
}

}  // namespace breakthrough

DAMIER_GAMES(registry) {
    using breakthrough::Breakthrough;
    damier::GameSettings<Breakthrough> settings;
    settings.evaluations = {{"advance", []() -> std::unique_ptr<damier::Evaluator<Breakthrough>> {
                                 return std::make_unique<damier::PlainEvaluator<Breakthrough>>(
                                     "advance", breakthrough::value, breakthrough::terms, damier::Calibration{});
                             }}};
    damier::add_game<Breakthrough>(registry,
                                   {.name = "breakthrough", .title = "Breakthrough", .family = "breakthrough"}, {},
                                   std::make_shared<const damier::GameSettings<Breakthrough>>(std::move(settings)));
}
