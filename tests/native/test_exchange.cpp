// Static exchange and checks of chess, against a table worked out by hand and against slow, plain computations.

#include <algorithm>

#include "check.h"
#include "damier/base/random.h"
#include "damier/games/chess/chess.h"
#include "damier/games/chess/exchange.h"

namespace test_exchange {

using namespace damier;
using chess::Manner;
using chess::Piece;

namespace {

Chess::Position at(std::string_view fen) { return Chess::read_fen(fen, {}).position; }

template <class Visit>
void random_games(int games, Visit visit) {
    Random random(77);
    for (int game = 0; game < games; ++game) {
        auto pos = game % 2 == 0 ? Chess::start({}) : chess::start960(static_cast<int>(random.below(960)));
        for (int ply = 0; ply < 160; ++ply) {
            Chess::MoveList list;
            pos.legal_moves(list);
            if (list.empty()) break;
            visit(pos, list);
            pos.play(list[random.below(static_cast<std::uint32_t>(list.size()))]);
        }
    }
}

// A board with a piece or nothing on each square, looked at one step at a time.
struct Mailbox {
    struct Square {
        Piece piece;
        Side side;
    };
    std::array<std::optional<Square>, 64> squares;

    explicit Mailbox(const Chess::Position& pos) {
        for (int sq = 0; sq < 64; ++sq) {
            if (has(pos.occupied(), sq)) squares[sq] = Square{pos.piece_on(sq), pos.side_on(sq)};
        }
    }

    // The first piece from a square in a direction, if it is at most `far` steps away.
    std::optional<int> seen(int sq, int df, int dr, int far) const {
        int file = chess::file_of(sq) + df, rank = chess::rank_of(sq) + dr;
        for (; far > 0 && file >= 0 && file < 8 && rank >= 0 && rank < 8; file += df, rank += dr, --far) {
            if (squares[chess::square(file, rank)]) return chess::square(file, rank);
        }
        return std::nullopt;
    }

    std::vector<int> attackers(Side side, int target) const {
        std::vector<int> found;
        const auto look = [&](int df, int dr, int far, auto... kinds) {
            const auto from = seen(target, df, dr, far);
            if (from && squares[*from]->side == side && ((squares[*from]->piece == kinds) || ...))
                found.push_back(*from);
        };
        for (int df = -2; df <= 2; ++df) {
            for (int dr = -2; dr <= 2; ++dr) {
                if (df * df + dr * dr == 5) look(df, dr, 1, Piece::Knight);
                if (std::max(df * df, dr * dr) != 1) continue;
                look(df, dr, 1, Piece::King);
                const bool diagonal = df != 0 && dr != 0;
                look(df, dr, 7, Piece::Queen, diagonal ? Piece::Bishop : Piece::Rook);
                if (diagonal && dr == (side == Side::White ? -1 : 1)) look(df, dr, 1, Piece::Pawn);
            }
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    void shift(int from, int to) {
        squares[to] = squares[from];
        squares[from].reset();
    }
};

// The most that a side wins by taking on the target or leaving it. Every taker is tried, or only the least.
int best_take(const Mailbox& board, Side side, int target, bool try_all) {
    auto takers = board.attackers(side, target);
    std::stable_sort(takers.begin(), takers.end(),
                     [&](int a, int b) { return board.squares[a]->piece < board.squares[b]->piece; });
    int best = 0;
    for (const int from : takers) {
        Mailbox next = board;
        next.shift(from, target);
        const bool by_king = board.squares[from]->piece == Piece::King;
        if (by_king && !next.attackers(!side, target).empty()) continue;
        const int prize = chess::exchange_value(board.squares[target]->piece);
        best = std::max(best, prize - best_take(next, !side, target, try_all));
        if (!try_all) break;
    }
    return best;
}

int exchange(const Chess::Position& pos, Chess::Move move, bool try_all) {
    if (move.is_castle()) return 0;
    Mailbox board(pos);
    board.shift(move.from(), move.to());
    if (move.manner() == Manner::EnPassant) board.squares[move.to() - chess::forward(pos.turn())].reset();
    if (move.promotion()) board.squares[move.to()]->piece = *move.promotion();
    return pos.prize(move) - best_take(board, !pos.turn(), move.to(), try_all);
}

}  // namespace

TEST(exchanges_worked_out_by_hand) {
    struct Line {
        const char* fen;
        const char* move;
        int value;
    };
    constexpr int P = 100, N = 320, B = 330, R = 500, Q = 950;
    const Line lines[] = {
        {"4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", P},             // for nothing
        {"4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", P - R},       // defended by a pawn
        {"4k3/8/4p3/3r4/8/8/8/3RK3 w - - 0 1", "Rxd5", 0},           // rook for rook
        {"4k3/8/4p3/3r4/4P3/8/8/4K3 w - - 0 1", "exd5", R - P},      // pawn takes rook, pawn takes pawn
        {"4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 0},          // pawn for pawn
        {"3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", P},          // the rook behind defends: not taken
        {"3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", P - R},    // two behind each other on both sides
        {"3rk3/8/8/3p4/8/8/3Q4/3RK3 w - - 0 1", "Qxd5", P - Q + R},  // the queen goes first and is lost
        {"3rk3/8/8/3p4/8/8/3R4/3QK3 w - - 0 1", "Rxd5", P},          // the queen stands behind
        {"4k3/8/2n5/4p3/8/5N2/8/4K3 w - - 0 1", "Nxe5", P - N},      // knight for pawn
        {"4k3/8/2n5/4p3/8/5NB1/8/4K3 w - - 0 1", "Nxe5", P},         // knight for knight and a pawn
        {"4k3/8/3n4/8/4P3/8/6B1/4K3 b - - 0 1", "Nxe4", P - N},      // the bishop takes back
        {"4k3/b7/8/2p5/3P4/8/8/4K3 w - - 0 1", "dxc5", 0},           // defended along the diagonal
        {"6k1/b7/8/2p5/3B4/4Q3/8/4K3 w - - 0 1", "Bxc5", P},         // seen through the bishop that goes
        {"8/8/3k4/4p3/8/8/8/4RK2 w - - 0 1", "Rxe5", P - R},         // a king defends
        {"8/8/3k4/4p3/8/8/4R3/4RK2 w - - 0 1", "Rxe5", P},           // a king may not take what is defended
        {"8/8/3k4/4p3/3P4/8/8/4RK2 w - - 0 1", "Rxe5", P},           // nor where a pawn defends
        {"4k3/8/8/8/8/4b3/3P4/4K3 w - - 0 1", "dxe3", B},            // a bishop for nothing
        {"4k3/8/8/2pPp3/8/8/8/4K3 w - c6 0 1", "dxc6", P},           // en passant
        {"4k3/1p6/8/2pP4/8/8/8/4K3 w - c6 0 1", "dxc6", 0},          // en passant, taken back
        {"2r1k3/1p6/8/2pP4/8/8/8/2R1K3 w - c6 0 1", "dxc6", 0},      // the file opens for the rooks
        {"2r1k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "dxc6", 0},          // the rook takes back
        {"2r1k3/8/8/2pP4/8/8/8/2R1K3 w - c6 0 1", "dxc6", P},        // through the file that has opened
        {"7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=Q", Q - P},           // promotion
        {"r6k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=Q", -P},             // the queen is taken
        {"r6k/4P3/8/8/8/8/8/4R1K1 w - - 0 1", "e8=Q", R - P},        // and the rook takes back
        {"r6k/4P3/8/8/8/8/8/4R1K1 w - - 0 1", "e8=N", N - P},        // a rook does not take a knight
        {"3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8=Q", R + Q - P},   // promotion with capture
        {"3rr2k/4P3/8/8/8/8/8/6K1 w - - 0 1", "exd8=Q", R - P},      // and the queen is taken
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", 0},          // castling
        {"4k3/8/8/3p4/8/8/8/4KB2 w - - 0 1", "Bc4", -B},             // a quiet move onto an attacked square
        {"4k3/8/8/3p4/8/1P6/8/4KB2 w - - 0 1", "Bc4", P - B},        // defended by a pawn
        {"4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "Bc4", 0},                // nobody there
        {"4k3/8/1p6/8/2P5/2P5/8/4K3 w - - 0 1", "c5", -P},           // a push, and the doubled pawn is no help
        {"4k3/8/1p6/8/1PP5/8/8/4K3 w - - 0 1", "c5", 0},             // a push that is defended
        {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", P - N},  // a heap on both sides
        {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", P},
        {"4k3/8/8/3q4/8/8/3P4/3RK3 b - - 0 1", "Qxd2+", P - Q},  // rook and king take back
    };
    for (const auto& line : lines) {
        const auto pos = at(line.fen);
        const auto move = Chess::read_move(pos, line.move);
        const bool right =
            pos.exchange_is_at_least(move, line.value) && !pos.exchange_is_at_least(move, line.value + 1);
        if (!right) check::fail(line.fen, line.value, line.move);
        CHECK_EQ(exchange(pos, move, false), line.value);
    }
}

TEST(prizes_are_what_is_taken_and_promoted) {
    const auto prize = [](const char* fen, const char* text) {
        const auto pos = at(fen);
        return pos.prize(Chess::read_move(pos, text));
    };
    CHECK_EQ(prize("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8=Q"), 500 + 850);
    CHECK_EQ(prize("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8=N"), 500 + 220);
    CHECK_EQ(prize("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=R+"), 400);
    CHECK_EQ(prize("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "dxc6"), 100);
    CHECK_EQ(prize("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O"), 0);
    CHECK_EQ(prize("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Rxa8+"), 500);
    CHECK_EQ(prize("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Ra7"), 0);
}

// Taking with the least piece first is the definition; taking with any piece is nearly always worth the same.
TEST(exchanges_are_those_played_out) {
    int compared = 0, differ = 0;
    random_games(60, [&](const Chess::Position& pos, const Chess::MoveList& list) {
        for (const auto move : list) {
            const int value = exchange(pos, move, false);
            for (const int least : {-950, -400, -100, 0, 1, 100, 300, 500, value, value + 1}) {
                CHECK_EQ(pos.exchange_is_at_least(move, least), value >= least);
            }
            ++compared;
            if (pos.is_capture(move)) differ += exchange(pos, move, true) != value;
        }
    });
    CHECK(compared > 100'000);
    CHECK(differ * 500 < compared);
}

TEST(gives_check_foretells_in_check) {
    int checks = 0;
    const auto compare = [&](const Chess::Position& pos, const Chess::MoveList& list) {
        for (const auto move : list) {
            auto next = pos;
            next.play(move);
            CHECK_EQ(pos.gives_check(move), next.in_check());
            checks += next.in_check();
        }
    };
    random_games(300, compare);
    CHECK(checks > 5'000);
    for (const char* fen : {
             "8/8/8/1k1pP2R/8/8/8/4K3 w - d6 0 1",     // en passant opens a rank
             "8/1k6/8/3pP3/4B3/8/6B1/4K3 w - d6 0 1",  // and a diagonal
             "4k3/8/8/8/8/8/8/4K2R w K - 0 1",         // castling
             "5k2/8/8/8/8/8/8/4K2R w K - 0 1",         // castling with check
             "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",         // on the other wing
             "8/8/8/8/8/8/8/R3K2k w Q - 0 1",          // along the first rank
             "8/2P1k3/8/8/8/8/8/4K3 w - - 0 1",        // promotion to a knight
             "4k3/8/8/8/8/8/4P3/4RK2 w - - 0 1",       // a pawn that stays on the line
             "8/k3P3/8/8/8/8/8/4K3 w - - 0 1",         // promotion opens nothing
             "3k4/3P4/8/8/8/8/8/3RK3 w - - 0 1",       // blocked
             "8/8/8/4k3/8/2N5/8/B3K3 w - - 0 1",       // discovered by a knight
             "8/8/8/8/3k4/8/1K6/B7 w - - 0 1",         // discovered by the king
             "8/R3P2k/8/8/8/8/8/4K3 w - - 0 1",        // promotion opens a rank
             "r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1",       // captures beside
         }) {
        const auto setup = Chess::read_fen(fen, {});
        Chess::MoveList list;
        setup.position.legal_moves(list);
        compare(setup.position, list);
    }
}

}  // namespace test_exchange
