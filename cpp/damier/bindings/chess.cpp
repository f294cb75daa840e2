// What chess has of its own for Python: SAN, UCI, EPD, checks and Chess960 starts.

#include "damier/games/chess/chess.h"

#include "damier/bindings/bindings.h"
#include "damier/engine/game_engine.h"
#include "damier/games/chess/epd.h"

namespace damier {

namespace {

using B = PyBoard;

const chess::Position& position(const B& board) { return of_this_game<Chess>(*board.door, {}).position(); }

// A legal move read by `read`, as the world outside sees it.
template <class Read>
Move read_as(const B& board, std::string_view text, Read read) {
    Move move = Chess::plain(position(board), read(position(board), text));
    move.variant = board.variant().squares_of();
    return move;
}

void bind_epd(nb::module_& m) {
    m.def(
        "read_epd",
        [](std::string_view text, bool chess960) {
            const auto epd = chess::read_epd(text, {chess960});
            nb::dict operations;
            for (const auto& [opcode, operands] : epd.operations) operations[nb::cast(opcode)] = nb::cast(operands);
            return std::pair(Chess::fen(epd.setup), operations);
        },
        "text"_a, nb::kw_only(), "chess960"_a = false,
        nb::sig("def read_epd(text: str, *, chess960: bool = False) -> tuple[str, dict[str, list[str]]]"),
        "The FEN and the operations of an EPD line.");
    m.def(
        "write_epd",
        [](const B& board, const std::vector<std::pair<std::string, std::vector<std::string>>>& operations) {
            return chess::epd(position(board), operations);
        },
        "board"_a, "operations"_a, "A position and operations as an EPD line.");
}

}  // namespace

void bind_chess(nb::module_& parent) {
    auto m = parent.def_submodule("chess", "Chess and Chess960.");
    m.def(
        "san", [](const B& b, nb::handle move) { return chess::san(position(b), Chess::native(checked(b, move))); },
        "board"_a, "move"_a.none(), nb::sig("def san(board: damier._core.Board, move: damier._core.Move) -> str"),
        "A legal move in standard algebraic notation.");
    m.def(
        "uci", [](const B& b, nb::handle move) { return chess::uci(position(b), Chess::native(checked(b, move))); },
        "board"_a, "move"_a.none(), nb::sig("def uci(board: damier._core.Board, move: damier._core.Move) -> str"),
        "A legal move in UCI coordinates, as an engine writes it.");
    m.def(
        "parse_san",
        [](const B& b, const nb::str& text) {
            return read_as(b, text_of(text), [](const auto& pos, auto san) { return chess::read_san(pos, san); });
        },
        "board"_a, "text"_a, "The legal move a text in standard algebraic notation stands for.");
    m.def(
        "parse_uci",
        [](const B& b, const nb::str& text) {
            return read_as(b, text_of(text), [](const auto& pos, auto uci) { return chess::read_uci(pos, uci); });
        },
        "board"_a, "text"_a, "The legal move a text in UCI coordinates stands for.");
    m.def("is_check", [](const B& b) { return position(b).in_check(); }, "board"_a);
    m.def("is_insufficient_material", [](const B& b) { return position(b).is_dead(); }, "board"_a);
    bind_epd(m);
    m.def(
        "start960",
        [](int number) {
            check_count("number", number, 0, 959);
            return Chess::fen({chess::start960(number)});
        },
        "number"_a, "The FEN of a Chess960 start position, 0 to 959 in Scharnagl's order; 518 is standard chess.");
}

}  // namespace damier
