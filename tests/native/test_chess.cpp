#include <algorithm>
#include <set>

#include "damier/base/error.h"
#include "damier/base/random.h"
#include "damier/games/chess/chess.h"
#include "damier/games/chess/epd.h"
#include "perft_file.h"

namespace test_chess {

using namespace damier;

namespace {

constexpr const char* StartFen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr const char* Kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

Chess::Position at(std::string_view fen, bool chess960 = false) { return Chess::read_fen(fen, {chess960}).position; }

std::vector<Chess::Move> moves(const Chess::Position& pos) {
    Chess::MoveList list;
    pos.legal_moves(list);
    return {list.begin(), list.end()};
}

std::string reply(const Chess::Position& pos, std::string_view text) {
    return Chess::text(pos, Chess::read_move(pos, text));
}

std::string fen_error(const std::string& fen, bool chess960 = false) {
    try {
        Chess::read_fen(fen, {chess960});
    } catch (const FenError& error) {
        return error.what();
    }
    return "";
}

std::string move_error(const Chess::Position& pos, std::string_view text) {
    try {
        Chess::read_move(pos, text);
    } catch (const MoveError& error) {
        return error.what();
    }
    return "";
}

bool mentions(const std::string& message, const std::string& part) {
    return message.find(part) != std::string::npos && message.find('\n') == std::string::npos;
}

// Plays random games from the usual start and from Chess960 starts, and shows every position on the way.
template <class Visit>
void random_games(int games, Visit visit) {
    Random random(2024);
    for (int game = 0; game < games; ++game) {
        auto pos = game % 2 == 0 ? Chess::start({}) : chess::start960(static_cast<int>(random.below(960)));
        for (int ply = 0; ply < 150; ++ply) {
            visit(pos);
            const auto list = moves(pos);
            if (list.empty()) break;
            pos.play(list[random.below(static_cast<std::uint32_t>(list.size()))]);
        }
    }
}

}  // namespace

TEST(perft_tables_agree) {
    for (const auto& line : check::read_perft("chess.perft")) {
        check::check_perft<Chess>(line, {line.variant == "chess960"}, 2'000'000);
    }
}

TEST(kept_key_is_the_fresh_key) {
    random_games(80, [](const Chess::Position& pos) { CHECK_EQ(pos.key(), pos.fresh_key()); });
}

TEST(keys_differ_where_moves_differ) {
    std::set<Key> keys;
    for (const char* rest : {" w KQkq - 0 1", " b KQkq - 0 1", " w Qkq - 0 1", " w KQk - 0 1", " w - - 0 1"}) {
        keys.insert(at(std::string("r3k2r/8/8/8/8/8/8/R3K2R") + rest).key());
    }
    CHECK_EQ(keys.size(), 5u);
}

TEST(moves_are_counted_as_listed_and_codes_differ) {
    random_games(100, [](const Chess::Position& pos) {
        const auto list = moves(pos);
        std::set<std::uint16_t> codes;
        for (const auto move : list) codes.insert(Chess::code(move));
        CHECK_EQ(static_cast<std::size_t>(pos.count_legal_moves()), list.size());
        CHECK_EQ(codes.size(), list.size());
    });
}

TEST(no_legal_move_leaves_the_king_in_check) {
    random_games(40, [](const Chess::Position& pos) {
        for (const auto move : moves(pos)) {
            auto next = pos;
            next.play(move);
            CHECK(!next.attackers(next.turn(), next.king(pos.turn()), next.occupied()));
            CHECK_EQ(count(next.occupied()), count(pos.occupied()) - pos.is_capture(move));
        }
    });
}

TEST(fen_round_trips) {
    random_games(100, [](const Chess::Position& pos) {
        const Setup<Chess::Position> setup{pos, 7, 42};
        const auto again = Chess::read_fen(Chess::fen(setup), {pos.chess960()});
        CHECK(again.position == pos);
        CHECK_EQ(again.position.key(), pos.key());
        CHECK_EQ(again.quiet_plies, 7);
        CHECK_EQ(again.move_number, 42);
    });
    for (const char* fen : {StartFen, Kiwipete, "8/8/8/8/k7/8/8/K7 b - - 99 120"}) {
        CHECK_EQ(Chess::fen(Chess::read_fen(fen, {})), std::string(fen));
    }
    CHECK_EQ(Chess::fen(Chess::read_fen(" 8/8/8/8/k7/8/8/K7  b - - ", {})), "8/8/8/8/k7/8/8/K7 b - - 0 1");
}

TEST(castling_rights_are_read_in_three_dialects) {
    const char* board = "r3k2r/8/8/8/8/8/8/R3K2R w ";
    for (const char* rights : {"KQkq", "HAha", "kqKQ"}) {
        CHECK_EQ(chess::castling_text(at(board + std::string(rights) + " -")), "KQkq");
    }
    // The inner rook castles: its file is written, since K would mean the outer one.
    const auto inner = at("4k3/8/8/8/8/8/8/4KR1R w F - 0 1", true);
    CHECK_EQ(chess::castling_text(inner), "F");
    CHECK_EQ(chess::castling_text(at("4k3/8/8/8/8/8/8/4KR1R w K - 0 1", true)), "K");
    CHECK(!(inner == at("4k3/8/8/8/8/8/8/4KR1R w H - 0 1", true)));
}

TEST(en_passant_is_kept_only_if_legal) {
    const auto after = [](const char* fen, const char* move) {
        auto pos = at(fen);
        pos.play(Chess::read_move(pos, move));
        CHECK_EQ(pos.key(), pos.fresh_key());
        return pos.en_passant() == chess::NoSquare ? std::string("-") : chess::square_name(pos.en_passant());
    };
    CHECK_EQ(after(StartFen, "e4"), "-");
    CHECK_EQ(after("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e4"), "e3");
    CHECK_EQ(after("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e4"), "-");   // both pawns would leave the rank
    CHECK_EQ(after("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e4"), "-");  // pinned on the file
    CHECK_EQ(after("8/8/8/5k2/3p4/8/4P3/4K3 w - - 0 1", "e4"), "e3");
    CHECK_EQ(at("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1").en_passant(), chess::NoSquare);
}

TEST(notation_round_trips) {
    random_games(60, [](const Chess::Position& pos) {
        std::set<std::string> names;
        for (const auto move : moves(pos)) {
            const auto san = chess::san(pos, move), uci = chess::uci(pos, move);
            names.insert(san);
            CHECK(chess::read_san(pos, san) == move);
            CHECK(chess::read_uci(pos, uci) == move);
            CHECK(Chess::read_move(pos, san) == move);
            CHECK(Chess::read_move(pos, uci) == move);
        }
        CHECK_EQ(names.size(), moves(pos).size());
    });
}

TEST(san_is_read_liberally) {
    const auto start = Chess::start({});
    for (const char* text : {"Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nf3!?", "Nf3+", "g1f3"})
        CHECK_EQ(reply(start, text), "Nf3");
    for (const char* text : {"e4", "e2e4", "e2-e4", "Pe4", "e4!!"}) CHECK_EQ(reply(start, text), "e4");
    const auto castles = at(Kiwipete);
    for (const char* text : {"O-O", "0-0", "e1g1", "e1h1", "O-O!"}) CHECK_EQ(reply(castles, text), "O-O");
    for (const char* text : {"O-O-O", "0-0-0", "e1c1", "e1a1"}) CHECK_EQ(reply(castles, text), "O-O-O");
}

TEST(promotions_are_read_liberally) {
    const auto pos = at("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1");
    for (const char* text : {"e8=Q+", "e8Q", "e8=q", "e8(Q)", "e8/Q", "e7e8q", "e7-e8=Q"})
        CHECK_EQ(reply(pos, text), "e8=Q+");
    for (const char* text : {"exd8=N", "e7d8n", "e7xd8N", "ed8N", "e:d8=N"}) CHECK_EQ(reply(pos, text), "exd8=N");
    for (const char* text : {"e8", "e7e8"}) CHECK(mentions(move_error(pos, text), "lacks a promotion piece"));
    CHECK(mentions(move_error(pos, "e8=K"), "not a move"));
}

TEST(san_tells_moves_apart) {
    CHECK_EQ(reply(at("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"), "b1d2"), "Nbd2");
    CHECK_EQ(reply(at("4k3/8/8/8/8/1N6/8/1N2K3 w - - 0 1"), "b1d2"), "N1d2");
    CHECK_EQ(reply(at("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1"), "h4e1"), "Qh4e1");
    CHECK_EQ(reply(at("4r1k1/8/8/8/4N3/8/8/1N2K3 w - - 0 1"), "b1c3"), "Nc3");  // the other knight is pinned
    CHECK_EQ(reply(at("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), "a1a8"), "Ra8#");
    CHECK_EQ(reply(at("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1"), "e4d3"), "exd3");
}

TEST(bad_moves_are_refused_with_a_reason) {
    const auto pos = at("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1");
    CHECK_EQ(move_error(pos, "Nd2"), "'Nd2' fits Nbd2 and Nfd2");
    CHECK(mentions(move_error(pos, "Nd5"), "illegal"));
    CHECK(mentions(move_error(pos, "Nxd2"), "illegal"));
    CHECK(mentions(move_error(pos, "O-O"), "illegal"));
    CHECK(mentions(move_error(pos, "b1b2"), "illegal"));
    for (const char* text :
         {"", "+", "N", "=Q", "--", "0000", "Z0", "null", "e9", "Nf3\n", "Ng1-f3-e5", "O-O-O-O", "\xff\xfe"}) {
        CHECK(mentions(move_error(pos, text), "not a move"));
    }
}

TEST(castling_in_chess960) {
    // The king steps over one square, the rook jumps over it; UCI writes king takes rook.
    auto pos = at("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", true);
    const auto right = Chess::read_move(pos, "O-O");
    CHECK_EQ(chess::uci(pos, right), "f1h1");
    pos.play(right);
    CHECK_EQ(Chess::fen({pos}), "4k3/8/8/8/8/8/8/1R3RK1 b - - 0 1");
    // The rook shields its king from the queen behind it.
    CHECK(mentions(move_error(at("4k3/8/8/8/8/8/8/qR1K4 w B - 0 1", true), "O-O-O"), "illegal"));
    CHECK_EQ(reply(at("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1", true), "O-O-O"), "O-O-O");
}

TEST(chess960_starts_follow_scharnagl) {
    CHECK_EQ(Chess::fen({chess::start960(518)}), std::string(StartFen));
    CHECK_EQ(Chess::fen({chess::start960(0)}), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    CHECK_EQ(Chess::fen({chess::start960(959)}), "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1");
    std::set<Key> keys;
    for (int number = 0; number < 960; ++number) keys.insert(chess::start960(number).key());
    CHECK_EQ(keys.size(), 960u);
}

TEST(games_end) {
    const auto mated = at("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    CHECK(!mated.has_legal_move());
    CHECK(mated.stuck() == (Outcome{Result::BlackWins, Reason::Checkmate}));
    const auto stalemated = at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    CHECK(!stalemated.has_legal_move());
    CHECK(stalemated.stuck() == (Outcome{Result::Draw, Reason::Stalemate}));
    CHECK(!mated.decided());
}

TEST(draws) {
    const auto pos = Chess::start({});
    const auto rule = [&](Past past) {
        const auto drawn = Chess::drawn(pos, past);
        return drawn ? std::string(name(drawn->reason)) + (drawn->automatic ? "" : "?") : "none";
    };
    const auto text = [](Reason reason, const char* mark) { return std::string(name(reason)) + mark; };
    CHECK_EQ(rule({2, 99, 0}), "none");
    CHECK_EQ(rule({3, 0, 0}), text(Reason::ThreefoldClaim, "?"));
    CHECK_EQ(rule({1, 100, 0}), text(Reason::FiftyMovesClaim, "?"));
    CHECK_EQ(rule({5, 100, 0}), text(Reason::Repetition, ""));
    CHECK_EQ(rule({3, 150, 0}), text(Reason::MoveLimit, ""));
}

TEST(insufficient_material) {
    for (const char* board : {"8/8/8/4k3/8/8/8/4K3", "8/8/8/4k3/8/8/8/4KN2", "8/8/8/4kb2/8/8/8/4K3",
                              "8/8/8/4kb2/8/8/8/4KB2", "2B1B3/8/8/4kb2/8/8/8/4KB2"}) {
        const auto drawn = Chess::drawn(at(board + std::string(" w - -")), {});
        CHECK(drawn && drawn->reason == Reason::InsufficientMaterial && drawn->automatic);
    }
    for (const char* board : {"8/8/8/4k3/8/8/5P2/4K3", "8/8/8/4k3/8/8/8/4KR2", "8/8/8/4k3/8/8/8/3NKN2",
                              "8/8/8/4kn2/8/8/8/4KN2", "8/8/8/4kb2/8/8/8/4KN2", "8/8/8/4k1b1/8/8/8/4KB2"}) {
        CHECK(!Chess::drawn(at(board + std::string(" w - -")), {}));
    }
}

TEST(only_captures_and_pawn_moves_are_irreversible) {
    const auto pos = at(Kiwipete);
    for (const char* text : {"O-O", "Kf1", "Rb1", "Nd3"}) CHECK(!pos.is_irreversible(Chess::read_move(pos, text)));
    for (const char* text : {"a3", "dxe6", "Bxa6", "Nxd7"}) CHECK(pos.is_irreversible(Chess::read_move(pos, text)));
}

TEST(impossible_positions_are_refused) {
    const struct {
        const char* fen;
        const char* reason;
    } cases[] = {
        {"", "fields"},
        {"8/8/8/8/k7/8/8/K7 w - - 0", "fields"},
        {"8/8/8/8/k7/8/8/K7 w - - 0 1 x", "fields"},
        {"8/8/8/k7/8/8/K7 w - - 0 1", "7 ranks"},
        {"8/8/8/8/8/k7/8/8/K7 w - - 0 1", "9 ranks"},
        {"8/8/8/8/k6/8/8/K7 w - - 0 1", "rank 4"},
        {"8/8/8/8/k8/8/8/K7 w - - 0 1", "9 squares"},
        {"8/8/8/8/k9/8/8/K7 w - - 0 1", "'9'"},
        {"8/8/8/8/kx6/8/8/K7 w - - 0 1", "'x'"},
        {"8/8/8/8/k\xff"
         "6/8/8/K7 w - - 0 1",
         "\\xff"},
        {"8/8/8/8/kkkkkkkkkkkk/8/8/K7 w - - 0 1", "12 squares"},
        {"8/8/8/8/k7/8/8/8 w - - 0 1", "White has 0 kings"},
        {"k7/8/8/8/k7/8/8/K7 w - - 0 1", "Black has 2 kings"},
        {"8/8/8/8/k7/8/8/K6P w - - 0 1", "h1"},
        {"p7/8/8/8/k7/8/8/K7 w - - 0 1", "a8"},
        {"4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "9 pawns"},
        {"4k3/8/8/8/8/NNNNNNNN/PPPPPPPP/4K3 w - - 0 1", "17 pieces"},
        {"4k3/8/8/8/8/N7/PPPPPPPP/1N2K1N1 w - - 0 1", "1 promoted"},
        {"4k3/8/8/8/8/8/PPPPPPPP/2B1K1B1 w - - 0 1", "1 promoted"},
        {"8/8/8/8/k7/8/8/K7 x - - 0 1", "'x'"},
        {"8/8/8/8/k6R/8/8/K7 w - - 0 1", "in check"},
        {"8/8/8/8/8/8/8/Kk6 w - - 0 1", "in check"},
        {"4k3/8/3N4/1B6/8/8/8/K3R3 b - - 0 1", "3 pieces"},
        {"4k3/8/8/8/8/8/8/4K3 w K - 0 1", "'K'"},
        {"4k3/8/8/8/8/8/8/R2K4 w Q - 0 1", "Chess960"},
        {"4k3/8/8/8/8/8/4K3/7R w K - 0 1", "'K'"},
        {"4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "repeats"},
        {"4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "repeats"},
        {"4k3/8/8/8/8/8/8/4K2R w Kx - 0 1", "'Kx'"},
        {"4k3/8/8/8/8/8/8/4K2R w E - 0 1", "'E'"},
        {"4k3/8/8/8/4P3/8/8/4K3 b - e4 0 1", "e4"},
        {"4k3/8/8/8/4P3/8/8/4K3 b - d3 0 1", "d3"},
        {"4k3/8/8/8/4P3/8/4P3/4K3 b - e3 0 1", "e3"},
        {"4k3/8/8/8/4P3/8/8/4K3 b - e9 0 1", "'e9'"},
        {"4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "e3"},
        {"8/8/8/8/k7/8/8/K7 w - - -1 1", "halfmove"},
        {"8/8/8/8/k7/8/8/K7 w - - 0 99999999999", "move number"},
        {"8/8/8/8/k7/8/8/K7 w - - 0 1.5", "move number"},
    };
    for (const auto& [fen, reason] : cases) {
        const auto message = fen_error(fen);
        if (!mentions(message, reason)) check::fail(fen, 0, "'" + message + "' should mention " + reason);
    }
    CHECK(mentions(fen_error("4k3/8/8/8/8/8/8/KR6 w K - 0 1", true), "corners"));
}

TEST(no_text_crashes_the_readers) {
    Random random(7);
    const std::string letters = "rnbqkpRNBQKP12345678/ wb-KQkqHAe3d6 0x=+#O\xff\n\"";
    const auto pos = at(Kiwipete);
    for (int i = 0; i < 8000; ++i) {
        std::string fen = i % 2 ? Kiwipete : "", move;
        for (int edits = 0; edits < 4; ++edits) {
            const char c = letters[random.below(static_cast<std::uint32_t>(letters.size()))];
            fen.insert(random.below(static_cast<std::uint32_t>(fen.size() + 1)), 1, c);
            move += letters[random.below(static_cast<std::uint32_t>(letters.size()))];
        }
        fen_error(fen);
        fen_error(fen, true);
        move_error(pos, move);
        try {
            chess::read_epd(fen);
        } catch (const FenError&) {
        }
    }
}

TEST(epd_round_trips) {
    const std::string line = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; id \"WAC.002\"; c0 \"a; \\\"b\\\"\";";
    const auto read = chess::read_epd(line);
    CHECK_EQ(read.operations.size(), 3u);
    CHECK_EQ(read.operations[0].first, "bm");
    CHECK_EQ(read.operations[0].second[0], "Rxb2");
    CHECK_EQ(read.operations[1].second[0], "WAC.002");
    CHECK_EQ(read.operations[2].second[0], "a; \"b\"");
    CHECK_EQ(chess::epd(read.setup.position, read.operations), line);

    const auto perft = chess::read_epd(std::string(StartFen) + " ;D1 20 ;D2 400");
    CHECK_EQ(perft.operations.size(), 2u);
    CHECK_EQ(perft.operations[1].first + perft.operations[1].second[0], "D2400");
    CHECK_EQ(chess::read_epd("8/8/8/8/k7/8/8/K7 w - - hmvc 12; fmvn 50;").setup.quiet_plies, 12);
    CHECK_THROWS(FenError, chess::read_epd("8/8/8/8/k7/8/8/K7 w - - id \"open"));
    CHECK_THROWS(FenError, chess::read_epd("8/8/8/8/k7/8/8/K7 w - - hmvc x;"));
}

TEST(planes_and_squares) {
    const auto pos = Chess::start({});
    const auto planes = Chess::planes(pos);
    Bits all = 0;
    for (const Bits plane : planes) {
        CHECK((all & plane) == 0);
        all |= plane;
    }
    CHECK_EQ(all, pos.occupied());
    CHECK_EQ(planes[5], bit(4));
    CHECK_EQ(Chess::piece(pos, 4), 'K');
    CHECK_EQ(Chess::piece(pos, 59), 'q');
    CHECK_EQ(Chess::piece(pos, 30), '\0');
    CHECK_EQ(Chess::squares({})[10].name, "c2");
}

}  // namespace test_chess
