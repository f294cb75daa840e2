// A move for Python: an immutable value of any game that can be shown, compared, hashed and pickled.

#include "damier/base/random.h"
#include "damier/bindings/bindings.h"

namespace damier {

namespace {

const Variant& variant_of(const Move& move) { return registry().at(move.variant); }

std::string text(const Move& move) { return variant_of(move).text(move); }

// The name of its variant, then every field.
using State = std::tuple<std::string, Bits, int, int, int, int, int>;

State state_of(const Move& move) {
    return {variant_of(move).name(),    move.captured, move.code, move.from, move.to, move.promotion,
            static_cast<int>(move.kind)};
}

Move from_state(const State& state) {
    const auto& [variant, captured, code, from, to, promotion, kind] = state;
    check_count("code", code, 0, UINT16_MAX);
    check_count("from", from, 0, 63);
    check_count("to", to, 0, 63);
    check_count("promotion", promotion, 0, 127);
    check_count("kind", kind, 0, static_cast<int>(Move::Kind::Pass));
    return {.captured = captured,
            .variant = registry().find(variant)->squares_of(),
            .code = static_cast<std::uint16_t>(code),
            .from = static_cast<std::uint8_t>(from),
            .to = static_cast<std::uint8_t>(to),
            .promotion = static_cast<char>(promotion),
            .kind = static_cast<Move::Kind>(kind)};
}

std::uint64_t hash_of(const Move& move) {
    std::uint64_t state = move.captured ^ static_cast<std::uint64_t>(move.code) << 32;
    state ^= static_cast<std::uint64_t>(move.variant) << 48 | static_cast<std::uint64_t>(move.promotion) << 16;
    return splitmix(state) >> 1;
}

}  // namespace

void bind_moves(nb::module_& m) {
    nb::class_<Move>(m, "Move",
                     "A move of any game; boards make them. `str(move)` is the form that needs no position: UCI in "
                     "chess (castling as the king taking its rook), b1-b3 or 32x23x28 elsewhere.")
        .def_prop_ro(
            "from_square", [](const Move& move) { return variant_of(move).square_name(move.from); },
            "The name of the square it leaves.")
        .def_prop_ro(
            "to_square", [](const Move& move) { return variant_of(move).square_name(move.to); },
            "The name of the square it reaches; when castling, that of the rook.")
        .def_prop_ro(
            "promotion",
            [](const Move& move) {
                return move.promotion ? std::optional(std::string(1, move.promotion)) : std::nullopt;
            },
            "The letter of what the piece becomes, such as 'q', or 'k' for a man that is crowned; else None.")
        .def_prop_ro(
            "captured",
            [](const Move& move) {
                nb::list names;
                for (const int sq : squares(move.captured)) names.append(variant_of(move).square_name(sq));
                return nb::tuple(names);
            },
            nb::sig("def captured(self) -> tuple[str, ...]"), "The squares of the pieces it takes.")
        .def_prop_ro("is_castling", [](const Move& move) { return move.kind == Move::Kind::Castling; })
        .def_prop_ro("is_en_passant", [](const Move& move) { return move.kind == Move::Kind::EnPassant; })
        .def_prop_ro("is_pass", [](const Move& move) { return move.kind == Move::Kind::Pass; })
        .def("__str__", &text)
        .def("__repr__", [](const Move& move) { return "<Move " + text(move) + ">"; })
        .def("__hash__", &hash_of)
        .def(
            "__eq__", [](const Move& move, const Move& other) { return move == other; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def(
            "__lt__", [](const Move& move, const Move& other) { return move < other; }, nb::is_operator())
        .def("__getstate__", &state_of)
        .def("__setstate__", [](Move& self, const State& state) { new (&self) Move(from_state(state)); });
}

}  // namespace damier
