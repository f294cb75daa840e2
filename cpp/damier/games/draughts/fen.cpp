// Positions as text (PDN 3.0): W:W18,K10:B12,K22 with ranges, a final dot and an empty side accepted; then, as
// lidraughts writes them, :H and the plies without capture or man move, :F and the move number, and for Frisian
// draughts :+b+w, the quiet moves running of a king of Black and of White, each followed by the king's square.

#include "damier/base/error.h"
#include "damier/base/text.h"
#include "damier/games/draughts/draughts.h"
#include "damier/games/draughts/text.h"

namespace damier {

namespace draughts {

namespace {

class FenReader {
  public:
    explicit FenReader(Rules rules) : rules_(rules) {}

    Setup<Position> read(std::string_view text) {
        text = trimmed(text);
        if (text.ends_with('.')) text = trimmed(text.substr(0, text.size() - 1));
        const auto fields = split(text, ':');
        read_turn(fields[0]);
        for (std::size_t i = 1; i < fields.size(); ++i) {
            field_ = static_cast<int>(i) + 1;
            read_field(trimmed(fields[i]));
        }
        return finish();
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw FenError("FEN field " + std::to_string(field_) + ": " + what);
    }

    void read_turn(std::string_view field) {
        field = trimmed(field);
        if (field == "W" || field == "w") {
            turn_ = Side::White;
        } else if (field == "B" || field == "b") {
            turn_ = Side::Black;
        } else {
            fail("the side to move is W or B, not " + shown(field));
        }
    }

    void read_field(std::string_view field) {
        const char kind = field.empty() ? ' ' : field.front();
        const std::string_view rest = field.empty() ? field : field.substr(1);
        switch (kind) {
            case 'W':
            case 'w': read_pieces(Side::White, rest); break;
            case 'B':
            case 'b': read_pieces(Side::Black, rest); break;
            case 'H': quiet_plies_ = read_counter(rest, 0); break;
            case 'F': move_number_ = read_counter(rest, 1); break;
            case '+':
                runs_text_ = rest;
                runs_field_ = field_;
                break;
            default: fail("expected W, B, H or F followed by its content, not " + shown(field));
        }
    }

    int read_counter(std::string_view text, int least) const {
        const auto value = parse_number(text);
        if (!value || *value < least || *value > LargestCounter) fail("not a number of moves: " + shown(text));
        return *value;
    }

    void read_pieces(Side side, std::string_view list) {
        if (given_[index(side)]) fail("the pieces of one side are given twice");
        given_[index(side)] = true;
        list = trimmed(list);
        if (list.empty()) return;
        for (const auto item : split(list, ',')) read_item(side, trimmed(item));
        if (count(pieces_[index(side)]) > rules_->board->men_at_start()) {
            fail("a side has at most " + std::to_string(rules_->board->men_at_start()) + " pieces");
        }
    }

    void read_item(Side side, std::string_view item) {
        const bool king = item.starts_with('K') || item.starts_with('k');
        const std::string_view range = trimmed(king ? item.substr(1) : item);
        const std::size_t dash = range.find('-');
        const int first = read_square(trimmed(range.substr(0, dash)));
        const int last = dash == std::string_view::npos ? first : read_square(trimmed(range.substr(dash + 1)));
        if (first > last) fail("a range goes upwards: " + shown(range));
        for (int number = first; number <= last; ++number) put(side, king, rules_->chart.square(number));
    }

    int read_square(std::string_view text) const {
        const int sq = rules_->chart.square_named(text);
        if (sq < 0) fail("no such square: " + shown(text));
        return rules_->chart.number(sq);
    }

    void put(Side side, bool king, int sq) {
        if (has(pieces_[0] | pieces_[1], sq)) fail("square " + rules_->chart.name(sq) + " is used twice");
        if (king && rules_->crowned == Crowning::Never) fail("there are no kings in this variant");
        if (!king && has(rules_->crown_row[index(side)], sq)) {
            fail("a man cannot stand on its last row, on " + rules_->chart.name(sq));
        }
        pieces_[index(side)] |= bit(sq);
        if (king) kings_ |= bit(sq);
    }

    Setup<Position> finish() {
        if (!given_[0] || !given_[1]) fail("pieces of both sides are expected, as in W:W18:B12");
        if ((pieces_[0] | pieces_[1]) == 0) fail("the board is empty");
        KingRuns runs = {};
        if (runs_text_) {
            field_ = runs_field_;
            read_runs(runs);
        }
        return {Position(pieces_[0], pieces_[1], kings_, turn_, rules_, runs), quiet_plies_, move_number_};
    }

    void read_runs(KingRuns& runs) const {
        if (rules_->king_run == 0) fail("moves of kings are not counted in this variant");
        const auto parts = split(*runs_text_, '+');
        if (parts.size() != 2) fail("the moves of kings are written +0+0");
        runs[index(Side::Black)] = read_run(Side::Black, parts[0]);
        runs[index(Side::White)] = read_run(Side::White, parts[1]);
    }

    // One digit for the moves, then the square; the square may be missing when it is clear.
    KingRun read_run(Side side, std::string_view text) const {
        const int moves = text.empty() ? -1 : text.front() - '0';
        if (moves < 0 || moves > rules_->king_run)
            fail("a king makes 0 to " + std::to_string(rules_->king_run) + " quiet moves running");
        if (moves == 0) return {};
        const Bits kings = pieces_[index(side)] & kings_;
        if (kings == pieces_[index(side)]) fail("moves of kings are counted only while their side has men and a king");
        const bool clear = text.size() == 1 && kings != 0 && !several(kings);
        const int sq = clear ? first(kings) : rules_->chart.square_named(text.substr(1));
        if (sq < 0 || !has(kings, sq)) fail("which king moved? " + shown(text) + " names none");
        return {static_cast<std::uint8_t>(sq), static_cast<std::uint8_t>(moves)};
    }

    Rules rules_;
    int field_ = 1;
    Side turn_ = Side::White;
    std::array<bool, 2> given_ = {};
    std::array<Bits, 2> pieces_ = {};
    Bits kings_ = 0;
    int quiet_plies_ = 0;
    int move_number_ = 1;
    std::optional<std::string_view> runs_text_;
    int runs_field_ = 0;
};

std::string piece_list(const Position& pos, Side side) {
    const Chart& chart = pos.rules()->chart;
    std::string list;
    for (int number = 1; number <= chart.count(); ++number) {
        const int sq = chart.square(number);
        if (!has(pos.pieces(side), sq)) continue;
        if (!list.empty()) list += ',';
        if (has(pos.kings(), sq)) list += 'K';
        list += chart.name(sq);
    }
    return list;
}

std::string runs_text(const Position& pos) {
    if (pos.runs() == KingRuns{}) return "";
    std::string text = ":";
    for (Side side : {Side::Black, Side::White}) {
        const KingRun run = pos.runs()[index(side)];
        text += "+" + std::to_string(run.moves) + (run.moves > 0 ? pos.rules()->chart.name(run.square) : "");
    }
    return text;
}

}  // namespace

}  // namespace draughts

Draughts::Position Draughts::start(Rules rules) {
    return Position(rules->board->start(Side::White), rules->board->start(Side::Black), 0, rules->starts, rules);
}

Setup<Draughts::Position> Draughts::read_fen(std::string_view text, Rules rules) {
    const auto setup = draughts::FenReader(rules).read(text);
    try {
        (void)setup.position.count_legal_moves();
    } catch (const Error& error) {
        throw FenError(std::string("bad FEN: ") + error.what());
    }
    return setup;
}

std::string Draughts::fen(const Setup<Position>& setup) {
    const Position& pos = setup.position;
    std::string text = pos.turn() == Side::White ? "W" : "B";
    text += ":W" + draughts::piece_list(pos, Side::White) + ":B" + draughts::piece_list(pos, Side::Black);
    if (setup.quiet_plies != 0 || setup.move_number != 1) {
        text += ":H" + std::to_string(setup.quiet_plies) + ":F" + std::to_string(setup.move_number);
    }
    return text + draughts::runs_text(pos);
}

}  // namespace damier
