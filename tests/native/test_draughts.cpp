// Draughts: every variant passes the same examination, then each shows its own articles.

#include <algorithm>
#include <map>

#include "check.h"
#include "damier/base/error.h"
#include "damier/game/record.h"
#include "damier/games/draughts/draughts.h"
#include "perft_file.h"

namespace test_draughts {

using namespace damier;
using namespace damier::draughts;

namespace {

Position from_fen(Rules rules, std::string_view text) { return Draughts::read_fen(text, rules).position; }

std::vector<draughts::Move> moves_of(const Position& pos) {
    MoveList list;
    pos.legal_moves(list);
    return {list.begin(), list.end()};
}

// The legal moves as text, sorted and separated by blanks.
std::string moves_text(Rules rules, std::string_view fen) {
    const auto pos = from_fen(rules, fen);
    std::vector<std::string> texts;
    for (const auto move : moves_of(pos)) texts.push_back(Draughts::text(pos, move));
    std::sort(texts.begin(), texts.end());
    std::string all;
    for (const auto& text : texts) (all += all.empty() ? "" : " ") += text;
    return all;
}

// The message of the error that a call throws, or nothing.
template <class E, class F>
std::string error_of(F call) {
    try {
        call();
    } catch (const E& error) {
        return error.what();
    }
    return "";
}

std::string fen_error(Rules rules, std::string_view text) {
    return error_of<FenError>([&] { (void)Draughts::read_fen(text, rules); });
}

bool mentions(const std::string& message, std::string_view what) {
    return message.find(what) != std::string::npos && message.find('\n') == std::string::npos;
}

// The same position with the colours exchanged and the board turned.
Position turned(const Position& pos) {
    const Board& board = *pos.rules()->board;
    const auto turn_set = [&](Bits bits) {
        Bits other = 0;
        for (int sq : squares(bits))
            other |= bit(board.at(board.size - 1 - board.row(sq), board.size - 1 - board.file(sq)));
        return other;
    };
    return Position(turn_set(pos.pieces(Side::Black)), turn_set(pos.pieces(Side::White)), turn_set(pos.kings()),
                    !pos.turn(), pos.rules());
}

void examine_position(const Position& pos, const std::vector<draughts::Move>& moves, int quiet_plies) {
    CHECK_EQ(pos.key(), pos.fresh_key());
    CHECK_EQ(pos.count_legal_moves(), static_cast<int>(moves.size()));

    const auto fen = Draughts::fen({pos, quiet_plies, 7});
    const auto back = Draughts::read_fen(fen, pos.rules());
    CHECK(back.position == pos && back.position.key() == pos.key());
    CHECK(back.quiet_plies == quiet_plies && back.move_number == 7);
    CHECK_EQ(Draughts::fen(back), fen);

    auto sorted = moves;
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    for (const auto move : moves) {
        CHECK(Draughts::read_move(pos, Draughts::text(pos, move)) == move);
        const auto path = Draughts::path(pos, move);
        CHECK(path.front() == move.from && path.back() == move.to);
        CHECK_EQ(static_cast<int>(path.size()), std::max(1, count(move.captured)) + 1);
    }
}

// A random game to its end, with the count that a record would keep; every game must end.
void examine_game(Rules rules, Random& random, bool closely) {
    auto pos = Draughts::start(rules);
    std::map<Key, int> seen = {{pos.key(), 1}};
    Past past;
    int ply = 0;
    for (; ply < 2000; ++ply) {
        const auto moves = moves_of(pos);
        if (closely || ply % 16 == 0) examine_position(pos, moves, past.quiet_plies);
        if (moves.empty() || Draughts::drawn(pos, past)) break;
        const auto move = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
        past.quiet_plies = pos.is_irreversible(move) ? 0 : past.quiet_plies + 1;
        auto next = pos;
        next.play(move);
        past.phase_plies = Draughts::phase(next) == Draughts::phase(pos) ? past.phase_plies + 1 : 0;
        pos = next;
        past.occurrences = ++seen[pos.key()];
    }
    CHECK(ply < 2000);
}

void examine_variant(Rules rules) {
    Random random(1);
    for (int game = 0; game < 12; ++game) examine_game(rules, random, game < 2);
}

void examine_symmetry(Rules rules) {
    const std::atomic<bool> stop = false;
    Random random(2);
    for (int game = 0; game < 4; ++game) {
        auto pos = Draughts::start(rules);
        for (int ply = 0; ply < 60; ++ply) {
            const auto moves = moves_of(pos);
            if (moves.empty()) break;
            pos.play(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
            if (ply % 10 != 0) continue;
            CHECK_EQ(perft<Draughts>(pos, 3, stop), perft<Draughts>(turned(pos), 3, stop));
        }
    }
}

void examine_squares(Rules rules) {
    const auto all = Draughts::squares(rules);
    CHECK_EQ(static_cast<int>(all.size()), count(rules->board->all));
    const auto pos = Draughts::start(rules);
    int pieces = 0;
    for (const auto& square : all) {
        const char letter = Draughts::piece(pos, square.index);
        CHECK(letter == 0 || letter == (square.rank < rules->board->size / 2 ? 'w' : 'b'));
        pieces += letter != 0;
    }
    CHECK_EQ(pieces, 2 * rules->board->men_at_start());
    CHECK(pos.turn() == rules->starts);
}

}  // namespace

#define EXAMINE(R)                                                     \
    TEST(R##_games) { examine_variant(R); }                            \
    TEST(R##_is_symmetric) { examine_symmetry(R); }                    \
    TEST(R##_squares) { examine_squares(R); }                          \
    TEST(R##_perft) {                                                  \
        int lines = 0;                                                 \
        for (const auto& line : check::read_perft("draughts.perft")) { \
            if (line.variant != R.name) continue;                      \
            check::check_perft<Draughts>(line, R, 300000);             \
            ++lines;                                                   \
        }                                                              \
        CHECK(lines >= 4);                                             \
    }
DAMIER_DRAUGHTS(EXAMINE)

TEST(squares_are_numbered_as_pdn_does) {
    const auto place = [](const std::vector<SquareInfo>& all, std::string_view name) {
        for (const auto& square : all) {
            if (square.name == name) return std::pair(square.file, square.rank);
        }
        return std::pair(-1, -1);
    };
    CHECK(place(Draughts::squares(International), "1") == std::pair(1, 9));
    CHECK(place(Draughts::squares(International), "46") == std::pair(0, 0));
    CHECK(place(Draughts::squares(English), "32") == std::pair(6, 0));
    CHECK(place(Draughts::squares(Italian), "1") == std::pair(0, 7));
    CHECK(place(Draughts::squares(Italian), "32") == std::pair(7, 0));
    CHECK(place(Draughts::squares(Spanish), "1") == std::pair(7, 0));
    CHECK(place(Draughts::squares(Spanish), "5") == std::pair(6, 1));
    CHECK(place(Draughts::squares(Russian), "c3") == std::pair(2, 2));
    CHECK(place(Draughts::squares(Turkish), "h8") == std::pair(7, 7));
    CHECK_EQ(Draughts::fen({Draughts::start(Spanish)}),
             "W:W1,2,3,4,5,6,7,8,9,10,11,12:B21,22,23,24,25,26,27,28,29,30,31,32");
}

TEST(fen_is_read_liberally) {
    const auto start = Draughts::start(International);
    for (const auto* text :
         {"W:W31-50:B1-20", " W : B1-20 : W31-50 . ", "W:W31-49,050:B1,2-20:H0:F1", "w:w31-50:b1-20"}) {
        CHECK(from_fen(International, text) == start);
    }
    CHECK(from_fen(English, "B:W21-32:B1-12.") == Draughts::start(English));
    CHECK(from_fen(Russian, "W:Wa1,Kb2:BC3") == from_fen(Russian, "W:W29,K25:B22"));
    CHECK_EQ(moves_text(International, "W:W:B12"), "");
    const auto setup = Draughts::read_fen("B:WK3:BK48:H7:F40", International);
    CHECK(setup.quiet_plies == 7 && setup.move_number == 40);
    CHECK_EQ(Draughts::fen(setup), "B:WK3:BK48:H7:F40");
    CHECK_EQ(Draughts::fen(Draughts::read_fen("W:W18,K10:BK22,12", International)), "W:WK10,18:B12,K22");
    CHECK(from_fen(Rennes, "W:W1,32:B5") == from_fen(Rennes, "W:W32,1:B5"));  // a man may stay on the last row there
}

TEST(fen_is_refused_with_a_reason) {
    CHECK(mentions(fen_error(International, ""), "field 1"));
    CHECK(mentions(fen_error(International, "X:W31:B1"), "W or B"));
    CHECK(mentions(fen_error(International, "W:W51:B1"), "'51'"));
    CHECK(mentions(fen_error(International, "W:W0:B1"), "field 2"));
    CHECK(mentions(fen_error(International, "W:W31:B99999999999"), "field 3"));
    CHECK(mentions(fen_error(International, "W:W31,31:B1"), "31 is used twice"));
    CHECK(mentions(fen_error(International, "W:W31:B31"), "used twice"));
    CHECK(mentions(fen_error(International, "W:W3:B20"), "last row"));
    CHECK(mentions(fen_error(International, "W:W31:B48"), "last row"));
    CHECK(mentions(fen_error(International, "W:W21-41:B1"), "at most 20"));
    CHECK(mentions(fen_error(International, "W:W31"), "both sides"));
    CHECK(mentions(fen_error(International, "W:W:B"), "empty"));
    CHECK(mentions(fen_error(International, "W:W31:W32:B1"), "twice"));
    CHECK(mentions(fen_error(International, "W:W40-31:B1"), "upwards"));
    CHECK(mentions(fen_error(International, "W:W31,:B1"), "field 2"));
    CHECK(mentions(fen_error(International, "W:W31:B1:H-1"), "field 4"));
    CHECK(mentions(fen_error(International, "W:W31:B1:Z"), "field 4"));
    CHECK(mentions(fen_error(International, "W:W31:B1:+0+0"), "not counted"));
    CHECK(mentions(fen_error(International, "W:Wa3:B1"), "'a3'"));
    CHECK(mentions(fen_error(Russian, "W:Wa2:Bb8"), "'a2'"));
    CHECK(mentions(fen_error(Rennes, "W:WK20:B1"), "no kings"));
    Random random(3);
    for (int i = 0; i < 20000; ++i) {  // whatever the bytes, an answer or a FenError
        constexpr std::string_view Likely = "WBK:,-+.0123456789HFabh \xff";
        std::string text = "W:W";
        for (auto n = random.below(24); n > 0; --n) text += Likely[random.below(Likely.size())];
        (void)fen_error(Frisian, text);
        (void)fen_error(Turkish, text);
    }
}

TEST(moves_are_read_liberally) {
    const auto start = Draughts::start(International);
    for (const auto* text : {"32-28", "32x28", " 32 - 28 ", "032:28", "32 28"}) {
        CHECK_EQ(Draughts::text(start, Draughts::read_move(start, text)), "32-28");
    }
    const auto pos = from_fen(International, "W:W28:B19,23");
    for (const auto* text : {"28x19", "", "28", "28-", "x", "28-99", "28-22-17", "a1-b2", "99999999999999999999-1"}) {
        CHECK(mentions(error_of<MoveError>([&] { (void)Draughts::read_move(pos, text); }), "'"));
    }
    CHECK_EQ(Draughts::text(start, Draughts::read_move(start, "32-28")), "32-28");

    const auto hub = from_fen(International, "W:W28:B23,13");  // 28x19x8: the Hub form names the captured squares
    for (const auto* text : {"28x8", "28x19x8", "28x8x13x23", "28x8x23x13"}) {
        CHECK_EQ(Draughts::text(hub, Draughts::read_move(hub, text)), "28x8");
    }
    CHECK_EQ(Draughts::text(from_fen(Russian, "W:Wc3:Bd4"), moves_of(from_fen(Russian, "W:Wc3:Bd4"))[0]), "c3:e5");
}

TEST(ambiguous_captures_name_their_path) {
    const auto pos = from_fen(English, "W:W30:B25,26,17,18");
    CHECK_EQ(moves_text(English, "W:W30:B25,26,17,18"), "30x21x14 30x23x14");
    const auto message = error_of<MoveError>([&] { (void)Draughts::read_move(pos, "30x14"); });
    CHECK(mentions(message, "30x21x14") && mentions(message, "30x23x14"));
    CHECK(Draughts::read_move(pos, "30x14x25x17") == Draughts::read_move(pos, "30-21-14"));

    // Round and back, either way: one move, and both routes name it.
    const auto ring = from_fen(International, "W:W38:B33,23,22,32");
    CHECK_EQ(moves_of(ring).size(), 1u);
    CHECK(Draughts::read_move(ring, "38x29x18x27x38") == Draughts::read_move(ring, "38x27x18x29x38"));
    CHECK_THROWS(MoveError, Draughts::read_move(ring, "38x29x17x27x38"));
}

TEST(majority_is_compulsory) {
    CHECK_EQ(moves_text(International, "W:W28,35:B23,13,30"), "28x8");
    CHECK_EQ(moves_text(Brazilian, "W:Wc3,h2:Bd4,d6,g3"), "c3xc7");
    CHECK_EQ(moves_text(Russian, "W:Wc3,h2:Bd4,d6,g3"), "c3:c7 h2:f4");
    CHECK_EQ(moves_text(Rennes, "W:W22,21:B18,11,17"), "22x8");
}

TEST(english_men_stop_when_crowned) {
    CHECK_EQ(moves_text(English, "W:W11:B7,6"), "11x2");  // a king would go on over 6
    CHECK_EQ(moves_text(Paris, "W:W11:B7,6"), "11x2");
    CHECK_EQ(moves_text(English, "W:WK2:B7,14"), "2x11");  // short kings
    CHECK_EQ(moves_text(English, "W:WK2:B11"), "2-6 2-7");
}

TEST(russian_men_are_crowned_in_passing) {
    const auto pos = from_fen(Russian, "W:Wf6:Be7,b6");
    CHECK_EQ(moves_text(Russian, "W:Wf6:Be7,b6"), "f6:a5");
    CHECK(moves_of(pos)[0].crowned);
    CHECK_EQ(moves_text(Brazilian, "W:Wf6:Be7,b6"), "f6xd8");
    const auto brazilian = from_fen(Brazilian, "W:Wf6:Be7,c7");  // goes on as a man, and is not crowned
    CHECK_EQ(moves_text(Brazilian, "W:Wf6:Be7,c7"), "f6xb6");
    CHECK(!moves_of(brazilian)[0].crowned);
}

TEST(long_kings_land_where_the_capture_goes_on) {
    CHECK_EQ(moves_text(Russian, "W:WKa1:Bc3,g3"), "a1:h2");
    CHECK_EQ(moves_text(Russian, "W:WKa1:Bc3,h4"), "a1:d4 a1:e5 a1:f6 a1:g7 a1:h8");
    CHECK_EQ(moves_text(Pool, "W:WK29:B22,24"), "29x28");
    CHECK_EQ(moves_text(Czech, "W:WKa1,g3:Bc3,h4,f4"), "a1xd4 a1xe5 a1xf6 a1xg7 a1xh8");  // the king first
}

TEST(captured_pieces_stay_until_the_end) {
    CHECK_EQ(moves_text(International, "W:WK17:B11,28,8,39,44"), "17x3 17x33 17x6");
    CHECK_EQ(moves_text(Russian, "W:WKf2:Be3,e7,g5,g7,h4"), "f2:f4 f2:h8");
}

TEST(turkish_pieces_leave_at_once) {
    CHECK_EQ(moves_text(Turkish, "W:WKf3:Bc6,e5,e7,f5"), "f3xf5 f3xg5 f3xh5");  // ends where it captured, or beyond
    auto pos = from_fen(Turkish, "W:WKf3:Bc6,e5,e7,f5");
    pos.play(Draughts::read_move(pos, "f3xf5"));
    CHECK_EQ(Draughts::fen({pos}), "B:WKf5:B");
    CHECK_EQ(pos.key(), pos.fresh_key());
    CHECK_EQ(moves_text(Turkish, "W:WKe5:Bb5,f5"), "e5xa5 e5xg5 e5xh5");  // no half turn after either
    CHECK_EQ(moves_text(Turkish, "W:Wd4:Bd3"), "d4-c4 d4-d5 d4-e4");
    CHECK_EQ(moves_text(Turkish, "W:Wd4:Be4"), "d4xf4");
}

TEST(italian_precedence) {
    CHECK_EQ(moves_text(Italian, "W:W22:BK18,2"), "22-19");      // a man may not take a king
    CHECK_EQ(moves_text(Italian, "W:WK22,24:B18,20"), "22x13");  // with the king rather than the man
    CHECK_EQ(moves_text(Italian, "W:WK22:B18,19"), "22x13 22x15");
    CHECK_EQ(moves_text(Italian, "W:WK22:B18,K19"), "22x15");        // the most kings
    CHECK_EQ(moves_text(Italian, "W:WK22:B18,K10,K19,12"), "22x8");  // the king that comes first
    CHECK_EQ(moves_text(Italian, "W:WK22:BK18,10,19,K12"), "22x6");
}

TEST(spanish_takes_most_kings) {
    CHECK_EQ(moves_text(Spanish, "W:W11:B14,15"), "11x18 11x20");
    CHECK_EQ(moves_text(Spanish, "W:W11:B14,K15"), "11x20");
}

TEST(frisian_captures_by_value) {
    CHECK_EQ(moves_text(Frisian, "W:W28:B18"), "28x8");             // straight up
    CHECK_EQ(moves_text(Frisian, "W:W28:B27"), "28x26");            // sideways
    CHECK_EQ(moves_text(Frisian, "W:W28:B38"), "28x48");            // and back
    CHECK_EQ(moves_text(Frisian, "W:W28,50:BK18,40,20"), "50x10");  // two men are worth more than a king
    CHECK_EQ(moves_text(Frisian, "W:W28,50:BK18,40"), "28x8");      // a king more than a man
    CHECK_EQ(moves_text(Frisian, "W:W45,46:B35,41"), "45x25 46x37");
    CHECK_EQ(moves_text(Frisian, "W:W45,K46:B35,41"),  // with the king when equal
             "46x10 46x14 46x19 46x23 46x28 46x32 46x37 46x5");
}

TEST(frisian_kings_tire) {
    auto pos = from_fen(Frisian, "W:WK36,50:BK5,K10,15");
    for (const auto* text : {"36-31", "10-14", "31-36", "14-10", "36-31", "10-14"})
        pos.play(Draughts::read_move(pos, text));
    CHECK_EQ(Draughts::fen({pos}), "W:WK31,50:BK5,K14,15:+314+331");
    CHECK_EQ(moves_text(Frisian, Draughts::fen({pos})), "50-44 50-45");
    CHECK(from_fen(Frisian, Draughts::fen({pos})) == pos && pos.key() == pos.fresh_key());
    CHECK(pos.key() != from_fen(Frisian, "W:WK31,50:BK5,K14,15").key());
    for (const auto* text : {"50-45", "5-10"}) pos.play(Draughts::read_move(pos, text));
    CHECK_EQ(Draughts::fen({pos}), "W:WK31,45:BK10,K14,15:+110+0");
    CHECK(mentions(fen_error(Frisian, "W:WK41,50:BK5,K6,11:+1+0"), "which king"));
    CHECK(mentions(fen_error(Frisian, "W:WK41,50:BK5,11:+4+0"), "0 to 3"));
    CHECK(mentions(fen_error(Frisian, "W:WK41:BK5,11:+0+1"), "men"));
    CHECK(from_fen(Frisian, "W:WK41,50:BK5,11:+0+3") == from_fen(Frisian, "W:WK41,50:BK5,11:+0+341"));
}

TEST(paris_queens_move_far_and_capture_near) {
    CHECK_EQ(moves_text(Paris, "W:WK29:B15"), "29-18 29-22 29-25");
    CHECK_EQ(moves_text(Paris, "W:WK29:B25"), "29x22");
    CHECK_EQ(moves_text(Paris, "W:WK29:B25,18"), "29x15");
    CHECK_EQ(moves_text(Paris, "W:WK29:B25,17,12"), "29x13");
}

TEST(draws) {
    const auto reason = [](Rules rules, std::string_view fen, Past past) {
        const auto draw = Draughts::drawn(from_fen(rules, fen), past);
        CHECK(!draw || draw->automatic);
        return draw ? std::string(name(draw->reason)) : std::string();
    };
    CHECK_EQ(reason(International, "W:WK46,47:BK5,1", {3, 0, 0}), "repetition");
    CHECK_EQ(reason(International, "W:WK46,47:BK5,1", {2, 49, 0}), "");
    CHECK_EQ(reason(International, "W:WK46,47:BK5,1", {1, 50, 0}), "move limit");
    CHECK_EQ(reason(International, "W:WK46,47,48:BK5", {1, 0, 31}), "");
    CHECK_EQ(reason(International, "W:WK46,47,48:BK5", {1, 0, 32}), "endgame move limit");
    CHECK_EQ(reason(International, "W:WK5:BK46,1,2", {1, 0, 32}), "endgame move limit");
    CHECK_EQ(reason(International, "W:WK46,47:BK5", {1, 0, 10}), "endgame move limit");
    CHECK_EQ(reason(International, "W:WK46:BK5", {1, 0, 10}), "endgame move limit");
    CHECK_EQ(reason(International, "W:W46,47:BK5", {1, 0, 40}), "");
    CHECK_EQ(reason(English, "W:WK29:BK4", {1, 79, 0}), "");
    CHECK_EQ(reason(English, "W:WK29:BK4", {1, 80, 0}), "move limit");
    const Record<Draughts> stuck(Draughts::read_fen("W:W12:B8,3:H80:F50", English));
    CHECK(stuck.outcome(true)->reason == Reason::NoMoves);  // White cannot move and has lost, whatever the count
    CHECK_EQ(reason(Russian, "W:WKa3,Kb2,Kc1:BKg1", {1, 0, 30}), "endgame move limit");
    CHECK_EQ(reason(Russian, "W:WKa3,Kc1,Ke1:BKh8", {1, 0, 10}), "endgame move limit");
    CHECK_EQ(reason(Russian, "W:WKa3,Kc1,Ke1:BKg1", {1, 0, 10}), "");
    CHECK_EQ(reason(Russian, "W:WKa3,c1:BKg1,h4,h6", {1, 0, 60}), "endgame move limit");
    CHECK(Draughts::phase(from_fen(Russian, "W:WKa3,c1:BKg1,h4,h6")) !=
          Draughts::phase(from_fen(Russian, "W:WKa3,Kc1:BKg1,h4,h6")));
    CHECK_EQ(reason(Frisian, "W:WK46,K47:BK5", {1, 0, 14}), "endgame move limit");
    CHECK_EQ(reason(Frisian, "W:WK46:BK4", {1, 0, 4}), "endgame move limit");
    CHECK_EQ(reason(Pool, "W:WK29,K30,K31:BK4", {1, 0, 26}), "endgame move limit");
    CHECK_EQ(reason(Brazilian, "W:WKa1,Kc1:BKh8,h6", {1, 0, 10}), "endgame move limit");
    CHECK_EQ(reason(Rennes, "W:W29:B4", {9, 900, 900}), "");
    CHECK(Draughts::start(English).stuck() == (Outcome{Result::WhiteWins, Reason::NoMoves}));
}

TEST(absurd_captures_are_affordable) {
    const auto turkish = from_fen(Turkish, "W:WKe5:Bg8,b7,e7,d6,f6,h6,a5,c5,g5,d4,c3,e3,h3,b2,d2,Kf1");
    CHECK_EQ(turkish.count_legal_moves(), 64);
    const auto ten = from_fen(International, "W:WK13:B6,7,8,10,18,19,20,21,28,29,32,34,36,37,40");
    CHECK_EQ(ten.count_legal_moves(), 14);
}

}  // namespace test_draughts
