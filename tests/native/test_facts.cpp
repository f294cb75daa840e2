// The facts that games state about their moves, compared with what their legal moves show, in random games.

#include <algorithm>

#include "check.h"
#include "damier/base/random.h"
#include "damier/games/chess/chess.h"
#include "damier/games/draughts/draughts.h"
#include "damier/games/loa/loa.h"

namespace test_facts {

using namespace damier;

namespace {

template <class G>
std::vector<typename G::Move> legal_moves(const typename G::Position& pos) {
    typename G::MoveList list;
    pos.legal_moves(list);
    return {list.begin(), list.end()};
}

// What all games have in common.
template <class G>
struct Walk {
    int tactical = 0, quiet_positions = 0, passes = 0, foreseen = 0, played = 0;

    void tactics(const typename G::Position& pos, const std::vector<typename G::Move>& moves) {
        typename G::MoveList list;
        pos.tactical_moves(list);
        std::vector<typename G::Move> listed(list.begin(), list.end()), expected;
        for (const auto move : moves) {
            if (pos.is_tactical(move)) expected.push_back(move);
            CHECK(pos.prize(move) >= 0);
            if (pos.is_tactical(move)) CHECK(pos.prize(move) > 0);
        }
        std::sort(listed.begin(), listed.end());
        std::sort(expected.begin(), expected.end());
        CHECK(listed == expected);
        tactical += static_cast<int>(listed.size());
    }

    void shapes(const typename G::Position& pos, const std::vector<typename G::Move>& moves) {
        for (const auto move : moves) CHECK(pos.shape(move) >= 0 && pos.shape(move) < G::Shapes);
    }

    void keys(const typename G::Position& pos, const std::vector<typename G::Move>& moves) {
        for (const auto move : moves) {
            auto next = pos;
            next.play(move);
            foreseen += pos.key_after(move) == next.key();
            ++played;
        }
    }

    void pass(const typename G::Position& pos) {
        if constexpr (CanPass<G>) {
            if (!pos.pass_is_sound()) return;
            auto next = pos;
            next.pass();
            CHECK(next.turn() == !pos.turn());
            CHECK_EQ(next.key(), next.fresh_key());
            CHECK(next.key() != pos.key());
            CHECK(!next.decided());
            for (const auto move : legal_moves<G>(next)) {
                auto after = next;
                after.play(move);
                CHECK_EQ(after.key(), after.fresh_key());
            }
            ++passes;
        }
    }

    template <class Visit>
    void games(int number, const typename G::Rules& rules, Visit visit) {
        Random random(11);
        for (int game = 0; game < number; ++game) {
            auto pos = G::start(rules);
            for (int ply = 0; ply < 200 && !pos.decided(); ++ply) {
                const auto moves = legal_moves<G>(pos);
                tactics(pos, moves);
                shapes(pos, moves);
                keys(pos, moves);
                pass(pos);
                quiet_positions += pos.is_quiet();
                visit(pos, moves);
                if (moves.empty()) break;
                pos.play(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
            }
        }
        CHECK(tactical > 0 && quiet_positions > 0);
        CHECK(CanPass<G> == (passes > 0));
        CHECK(foreseen > played - played / 4);  // all but what each game leaves out
    }
};

void examine_draughts(draughts::Rules rules) {
    int quiet = 0, captures = 0;
    Walk<Draughts>().games(100, rules, [&](const auto& pos, const auto& moves) {
        // Captures are compulsory: a position has nothing else, or none.
        const auto number = std::count_if(moves.begin(), moves.end(), [](auto move) { return move.captured != 0; });
        CHECK(number == 0 || number == static_cast<long>(moves.size()));
        CHECK_EQ(pos.is_quiet(), number == 0);
        ++(number == 0 ? quiet : captures);
    });
    CHECK(quiet > 1'000 && captures > 500);
}

}  // namespace

TEST(chess) {
    int checks = 0;
    for (const bool chess960 : {false, true}) {
        Walk<Chess>().games(60, {chess960}, [&](const Chess::Position& pos, const auto& moves) {
            CHECK_EQ(pos.is_quiet(), !pos.in_check());
            const auto forces = pos.forcing();
            for (const auto move : moves) {
                auto next = pos;
                next.play(move);
                CHECK_EQ(forces(move), next.in_check());
                checks += next.in_check();
                const bool captures = count(next.occupied()) < count(pos.occupied());
                CHECK_EQ(pos.is_tactical(move), captures || move.promotion().has_value());
            }
        });
    }
    CHECK(checks > 1'000);
}

TEST(chess_passes_where_it_is_sound) {
    const auto sound = [](const char* fen) { return Chess::read_fen(fen, {}).position.pass_is_sound(); };
    CHECK(sound("4k3/8/8/8/8/8/4P3/4KN2 w - - 0 1"));
    CHECK(!sound("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));   // pawns know zugzwang
    CHECK(!sound("4k2n/8/8/8/8/8/4P3/4K3 w - - 0 1"));  // the enemy's piece is no help
    CHECK(!sound("4k3/8/8/8/8/4r3/8/4KN2 w - - 0 1"));  // in check
    auto pos = Chess::read_fen("4k3/8/8/2pP4/8/8/8/N3K3 w - c6 0 1", {}).position;
    pos.pass();
    CHECK(pos == Chess::read_fen("4k3/8/8/2pP4/8/8/8/N3K3 b - - 0 1", {}).position);
    CHECK_EQ(pos.key(), pos.fresh_key());
}

TEST(loa) {
    for (const std::uint8_t size : {5, 8}) {
        Walk<Loa>().games(40, {size}, [](const Loa::Position& pos, const auto& moves) {
            CHECK(pos.is_quiet());
            for (const auto move : moves) {
                CHECK_EQ(pos.is_tactical(move), !move.is_pass() && has(pos.pieces(!pos.turn()), move.to()));
                CHECK_EQ(pos.prize(move), move.captures() ? 100 : 0);
            }
        });
    }
}

// Every legal move is played on a copy, by the side to move and, after a pass, by the other.
TEST(loa_wins_by_the_next_move) {
    int won = 0, drawn = 0, open = 0;
    const auto examine = [&](const Loa::Position& pos, const auto& moves) {
        const auto found = pos.winning_move(pos.turn());
        bool wins = false;
        for (const auto move : moves) {
            auto next = pos;
            next.play(move);
            const auto end = next.decided();
            const bool is_win = end && end->result == win_for(pos.turn());
            wins = wins || is_win;
            drawn += end && end->result == Result::Draw;
            if (found == move) CHECK(is_win);
        }
        CHECK_EQ(found.has_value(), wins);
        ++(wins ? won : open);
    };
    for (const std::uint8_t size : {5, 6, 7, 8}) {
        for (const auto simultaneous : {loa::Simultaneous::MoverWins, loa::Simultaneous::Draws}) {
            Walk<Loa>().games(60, {size, simultaneous}, [&](const Loa::Position& pos, const auto& moves) {
                examine(pos, moves);
                auto passed = pos;
                passed.pass();
                CHECK(pos.winning_move(!pos.turn()) == passed.winning_move(passed.turn()));
                examine(passed, legal_moves<Loa>(passed));
            });
        }
    }
    CHECK(won > 1'000 && open > 10'000 && drawn > 0);
}

#define DAMIER_TEST(R) \
    TEST(R) { examine_draughts(draughts::R); }
DAMIER_DRAUGHTS(DAMIER_TEST)
#undef DAMIER_TEST

TEST(draughts_prizes) {
    const auto prize = [](const char* fen, const char* text) {
        const auto pos = Draughts::read_fen(fen, draughts::International).position;
        return pos.prize(Draughts::read_move(pos, text));
    };
    CHECK_EQ(prize("W:W28:B23,13", "28x8"), 200);
    CHECK_EQ(prize("W:W28:BK23,13", "28x8"), 400);
    CHECK_EQ(prize("W:W28:B20", "28-22"), 0);
    CHECK_EQ(prize("W:W7:B20", "7-1"), 200);    // crowning
    CHECK_EQ(prize("W:W11:B7", "11x2"), 300);   // and capturing
    CHECK_EQ(prize("W:WK11:B7", "11x2"), 100);  // a king is not crowned
    const auto crowning = Draughts::read_fen("W:W7:B20", draughts::International).position;
    CHECK(!crowning.is_tactical(Draughts::read_move(crowning, "7-1")));
}

}  // namespace test_facts
