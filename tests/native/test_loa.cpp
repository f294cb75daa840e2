// Lines of Action: perft tables, connection, rule switches and texts.

#include "damier/games/loa/loa.h"

#include "damier/base/error.h"
#include "damier/base/random.h"
#include "damier/game/record.h"
#include "damier/games/loa/connection.h"
#include "damier/games/loa/lines.h"
#include "perft_file.h"

namespace test_loa {

using namespace damier;

namespace {

Record<Loa> record_of(std::string_view fen, const loa::Rules& rules = {}) {
    return Record<Loa>(Loa::read_fen(fen, rules));
}

}  // namespace

TEST(perft_tables) {
    for (const auto& line : check::read_perft("loa.perft")) {
        loa::Rules rules;
        if (line.variant.size() == 4) rules.size = static_cast<std::uint8_t>(line.variant[3] - '0');
        check::check_perft<Loa>(line, rules, 300'000);
    }
}

TEST(squares_of_a_line_are_read_and_written) {
    Random random(1);
    for (const int size : {5, 6, 7, 8}) {
        for (const loa::Line& line : loa::lines_of(size)) {
            for (int i = 0; i < 100; ++i) {
                const Bits set = random.next();
                CHECK_EQ(line.squares_at(line.read(set)), set & line.mask);
            }
        }
    }
}

TEST(euler_number_bounds_the_groups) {
    Random random(1);
    for (int i = 0; i < 20'000; ++i) {
        const Bits set = random.next() & random.next() & (i % 2 ? random.next() : ~Bits{0});
        if (set == 0) continue;
        CHECK(loa::euler(set) <= loa::count_groups(set));
        CHECK_EQ(loa::connected(set), loa::count_groups(set) == 1);
    }
    CHECK_EQ(loa::euler(0x0000001C141C0000ULL), 0);  // a ring: one group, one hole
    CHECK(loa::connected(0x0000001C141C0000ULL));
}

TEST(random_games_keep_their_keys) {
    Random random(7);
    for (std::uint8_t size = 5; size <= 8; ++size) {
        for (int game = 0; game < 20; ++game) {
            Record<Loa> record({Loa::start({size})});
            while (!record.outcome(true)) {
                loa::MoveList legal;
                record.legal_moves(legal);
                CHECK_EQ(static_cast<int>(legal.size()), record.position().count_legal_moves());
                const auto move = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
                CHECK(Loa::read_move(record.position(), Loa::text(record.position(), move)) == move);
                record.push(move);
                CHECK_EQ(record.position().key(), record.position().fresh_key());
                const auto fen = Loa::fen(record.setup());
                CHECK(Loa::read_fen(fen, {size}).position == record.position());
            }
        }
    }
}

TEST(simultaneous_connection_follows_the_rules) {
    loa::Rules drawing;
    drawing.simultaneous = loa::Simultaneous::Draws;
    // d6xf6 joins Black's pieces and captures the white piece that stood apart.
    for (const bool played : {false, true}) {
        const std::string_view fen = played ? "8/8/3x1o2/5x2/3o1x2/2o5/8/8 x" : "8/8/8/8/8/2xoo3/2x5/8 o";
        auto mover_wins = record_of(fen), draws = record_of(fen, drawing);
        for (auto* record : {&mover_wins, &draws}) {
            CHECK_EQ(record->outcome(true).has_value(), !played);
            if (played) record->push(Loa::read_move(record->position(), "d6xf6"));
            CHECK(record->outcome(true)->reason == Reason::SimultaneousConnection);
        }
        CHECK(mover_wins.outcome(true)->result == Result::BlackWins);
        CHECK(draws.outcome(true)->result == Result::Draw);
    }
}

TEST(no_move_loses_or_passes) {
    const std::string_view fen = "6ox/oo3ooo/8/1o6/3o2o1/o7/8/x1oo4 x";
    CHECK(record_of(fen).outcome(false)->result == Result::WhiteWins);
    auto record = record_of(fen, loa::Olympiad);
    CHECK(!record.outcome(false));
    record.push(Loa::read_move(record.position(), "pass"));
    CHECK(record.position().turn() == Side::White);
    CHECK_THROWS(MoveError, Loa::read_move(record.position(), "pass"));
}

TEST(repetition_draws_at_the_stated_occurrence) {
    for (const std::uint8_t repetition : {2, 3}) {
        loa::Rules rules;
        rules.repetition = repetition;
        Record<Loa> record({Loa::start(rules)});
        int occurrences = 1;
        while (!record.outcome(false)) {
            for (const char* text : {"b1-b3", "a2-c2", "b3-b1", "c2-a2"})
                record.push(Loa::read_move(record.position(), text));
            ++occurrences;
        }
        CHECK_EQ(occurrences, static_cast<int>(repetition));
        CHECK(record.outcome(false)->reason == Reason::Repetition);
    }
}

TEST(both_fens_are_read) {
    const auto start = Loa::start({});
    CHECK(Loa::read_fen("1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w - - 0 1", {}).position == start);
    CHECK_EQ(Loa::fen({start}), "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x");
}

TEST(bad_texts_are_refused) {
    for (const char* fen :
         {"", "x", "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1", "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x",
          "1xxxxxx1/o7o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x", "1xxxxxx1/o5o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x",
          "1xxxxxx1/o6q/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x", "8/8/8/8/8/8/8/8 x", "xxxxxxxx/xxxxx3/8/8/8/8/8/o7 x",
          "1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 z", "1LLLLLL1/l6l/l6l/l6l/l6l/l6l/l6l/1LLLLLL1 w - - x 1",
          "////////// x"})
        CHECK_THROWS(FenError, Loa::read_fen(fen, {}));
    const auto start = Loa::start({});
    for (const char* move : {"", "b", "b1", "b1-", "b1-b9", "b1-b4", "i1-i3", "a2-a4", "b1-b3-b5", "b1/b3", "pass"})
        CHECK_THROWS(MoveError, Loa::read_move(start, move));
    CHECK_THROWS(MoveError, Loa::read_move(Loa::start({5}), "g1-g3"));
}

}  // namespace test_loa
