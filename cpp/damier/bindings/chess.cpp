// Chess and Chess960 for Python.

#include "damier/engine/chess.h"

#include "damier/bindings/engine.h"
#include "damier/bindings/evaluation.h"
#include "damier/bindings/ladder.h"
#include "damier/bindings/move.h"
#include "damier/games/chess/epd.h"

namespace damier {

namespace chess {

// A move alone is written as UCI coordinates, castling as the king taking its rook: the form that needs no position.
static std::string to_text(Move move) {
    std::string text = square_name(move.from()) + square_name(move.to());
    if (const auto piece = move.promotion()) text += letter(Side::Black, *piece);
    return text;
}

static std::string to_repr(Move move) { return "<Move " + to_text(move) + ">"; }

// Where the king or piece lands: castling is shown as the king's two squares.
static std::pair<int, int> ends(const Board<Move>&, Move move) {
    return {move.from(), move.is_castle() ? castling_squares(move.from(), move.to()).king : move.to()};
}

}  // namespace chess

namespace {

using B = PyBoard<chess::Move>;

const chess::Position& position(const B& board) { return static_cast<const GameBoard<Chess>&>(*board.door).position(); }

std::unique_ptr<GameBoard<Chess>> make_board(const std::optional<std::string>& fen, bool chess960) {
    const Chess::Rules rules{chess960};
    return fen ? std::make_unique<GameBoard<Chess>>(rules, *fen) : std::make_unique<GameBoard<Chess>>(rules);
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
    using State = std::tuple<int, int, int>;
    bind_move<chess::Move>(
        m, "A chess move; `str(move)` is its UCI form, castling as the king taking its rook.",
        [](chess::Move move) { return State(static_cast<int>(move.manner()), move.from(), move.to()); },
        [](const State& state) {
            const auto [manner, from, to] = state;
            check_count("manner", manner, 0, static_cast<int>(chess::Manner::PromoteQueen));
            check_count("from", from, 0, 63);
            check_count("to", to, 0, 63);
            return chess::Move(static_cast<chess::Manner>(manner), from, to);
        })
        .def_prop_ro("is_castling", &chess::Move::is_castle)
        .def_prop_ro("promotion", [](chess::Move move) -> std::optional<std::string> {
            const auto piece = move.promotion();
            return piece ? std::optional(std::string(1, chess::letter(Side::Black, *piece))) : std::nullopt;
        });
    auto face =
        bind_board<chess::Move>(m, "A game of chess.")
            .def(
                "__init__",
                [](B* self, std::optional<std::string> fen, bool chess960) {
                    new (self) B(make_board(fen, chess960), chess960 ? "chess960" : "chess");
                },
                "fen"_a = nb::none(), nb::kw_only(), "chess960"_a = false)
            .def(
                "san",
                [](const B& b, chess::Move move) { return chess::san(position(b), checked<chess::Move>(b, move)); },
                "move"_a, "A legal move in standard algebraic notation.")
            .def(
                "uci",
                [](const B& b, chess::Move move) { return chess::uci(position(b), checked<chess::Move>(b, move)); },
                "move"_a, "A legal move in UCI coordinates, as an engine writes it.")
            .def(
                "parse_san", [](const B& b, std::string_view text) { return chess::read_san(position(b), text); },
                "text"_a)
            .def(
                "parse_uci", [](const B& b, std::string_view text) { return chess::read_uci(position(b), text); },
                "text"_a)
            .def("is_check", [](const B& b) { return position(b).in_check(); })
            .def(
                "is_capture",
                [](const B& b, chess::Move move) { return position(b).is_capture(checked<chess::Move>(b, move)); },
                "move"_a)
            .def("is_insufficient_material", [](const B& b) { return position(b).is_dead(); });
    bind_engine<chess::Move>(m, face);
    bind_ladder<chess::Move>(m, face);
    bind_epd(m);
    m.def(
        "start960",
        [](int number) {
            check_count("number", number, 0, 959);
            return Chess::fen({chess::start960(number)});
        },
        "number"_a, "The FEN of a Chess960 start position, 0 to 959 in Scharnagl's order; 518 is the usual one.");
}

}  // namespace damier
