// The draughts family for Python: one Board class for every variant.

#include "damier/engine/draughts.h"

#include "damier/bindings/engine.h"
#include "damier/bindings/evaluation.h"
#include "damier/bindings/ladder.h"
#include "damier/bindings/move.h"

namespace damier {

namespace draughts {

// Squares are numbered differently by each variant, so a move that stands alone knows which one it belongs to.
struct NamedMove {
    Move move;
    std::shared_ptr<const VariantInfo> variant;

    bool operator==(const NamedMove& other) const { return move == other.move && variant->name == other.variant->name; }
    bool operator<(const NamedMove& other) const { return move < other.move; }
};

// From and to, then the captured squares: with them a capture is told apart without the position (as Hub writes it).
static std::string to_text(const NamedMove& named) {
    const auto name = [&](int sq) { return named.variant->square_name(sq); };
    const Move& move = named.move;
    std::string text = name(move.from) + (move.captured ? "x" : "-") + name(move.to);
    for (const int sq : squares(move.captured)) text += "x" + name(sq);
    return text;
}

static std::string to_repr(const NamedMove& named) { return "<Move " + to_text(named) + ">"; }

static std::pair<int, int> ends(const Door&, Move move) { return {move.from, move.to}; }

}  // namespace draughts

template <>
struct PyMove<draughts::Move> {
    using Type = draughts::NamedMove;
    static Type wrap(const PyBoard<draughts::Move>& board, draughts::Move move) { return {move, board.variant}; }
    static draughts::Move unwrap(const Type& named) { return named.move; }
    static bool belongs(const PyBoard<draughts::Move>& board, const Type& named) {
        return board.variant == named.variant || board.variant->name == named.variant->name;
    }
};

namespace {

using B = PyBoard<draughts::Move>;
using draughts::NamedMove;
using draughts::Variant;
using draughts::variants;

const Variant& variant_named(std::string_view name) {
    for (const auto& variant : variants())
        if (variant.name == name) return variant;
    std::string known;
    for (const auto& variant : variants()) known += (known.empty() ? "" : ", ") + std::string(variant.name);
    throw Error(shown(name) + " is no draughts variant, expected one of " + known);
}

void bind_named_move(nb::module_& m) {
    using State = std::tuple<std::string, int, int, bool, Bits>;
    bind_move<NamedMove>(
        m, "A draughts move, its whole chain of captures included.",
        [](const NamedMove& named) {
            const auto& move = named.move;
            return State(named.variant->name, move.from, move.to, move.crowned, move.captured);
        },
        [](const State& state) {
            const auto& [name, from, to, crowned, captured] = state;
            check_count("from", from, 0, 63);
            check_count("to", to, 0, 63);
            const auto squares = variant_named(name).make(std::nullopt)->squares();
            return NamedMove{{static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to), crowned, captured},
                             std::make_shared<const VariantInfo>(VariantInfo{name, squares})};
        })
        .def_prop_ro("crowned", [](const NamedMove& named) { return named.move.crowned; })
        .def_prop_ro(
            "captured",
            [](const NamedMove& named) {
                std::vector<std::string> names;
                for (const int sq : squares(named.move.captured)) names.push_back(named.variant->square_name(sq));
                return names;
            },
            "The squares of the captured pieces.");
}

}  // namespace

void bind_draughts(nb::module_& parent) {
    auto m = parent.def_submodule("draughts", "Draughts in all its variants.");
    bind_named_move(m);
    auto face = bind_board<draughts::Move>(m, "A game of draughts.")
                    .def(
                        "__init__",
                        [](B* self, std::string variant, std::optional<std::string> fen) {
                            auto board = variant_named(variant).make(fen);
                            new (self) B(std::move(board), std::move(variant));
                        },
                        "variant"_a = "english", "fen"_a = nb::none())
                    .def(
                        "path",
                        [](const B& b, const NamedMove& named) {
                            std::vector<std::string> names;
                            const auto move = checked<draughts::Move>(b, named);
                            for (const int sq : variant_named(b.variant->name).path(*b.door, move))
                                names.push_back(b.variant->square_name(sq));
                            return names;
                        },
                        "move"_a, "The squares of one route of a legal move, its start and end included.");
    bind_engine<draughts::Move>(m, face);
    bind_ladder<draughts::Move>(m, face);

    m.def(
        "variants",
        [] {
            std::vector<std::tuple<std::string, std::string, int, bool>> all;
            for (const auto& variant : variants())
                all.emplace_back(variant.name, variant.title, variant.game_type, variant.two_point_win);
            return all;
        },
        "Every variant: name, title, PDN GameType (0 for none), whether a win is written 2-0.");
}

}  // namespace damier
