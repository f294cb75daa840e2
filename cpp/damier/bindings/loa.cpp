// Lines of Action for Python.

#include "damier/engine/loa.h"

#include "damier/bindings/engine.h"
#include "damier/bindings/evaluation.h"
#include "damier/bindings/ladder.h"
#include "damier/bindings/move.h"

namespace damier {

namespace loa {

static std::string to_repr(Move move) { return "Move('" + to_text(move) + "')"; }

static Move from_text(std::string_view text) {
    if (text == "pass") return Move::pass();
    const auto ends = read_ends(text, 8);
    if (!ends || text.size() != 5)
        throw MoveError(shown(text) + " is no LOA move, expected one such as b1-b3 or b1xb3");
    return Move(ends->from, ends->to, text[2] != '-');
}

static std::pair<int, int> ends(const Board<Move>&, Move move) { return {move.from(), move.to()}; }

}  // namespace loa

namespace {

loa::Rules rules_of(std::string_view name, std::optional<std::string> simultaneous, std::optional<std::string> no_move,
                    std::optional<int> repetition) {
    auto rules = loa::rules_named(name);
    if (!rules)
        throw Error(shown(name) +
                    " names no LOA rules, expected loa, loa5..loa7, loa:olympiad, loa:openspiel or loa:bing");
    const auto choose = [](const char* what, const std::string& given, const char* first, const char* second) {
        if (given != first && given != second)
            throw Error(std::string(what) + " is " + shown(given) + ", expected " + first + " or " + second);
        return given == second;
    };
    if (simultaneous)
        rules->simultaneous = choose("simultaneous", *simultaneous, "mover wins", "draws")
                                  ? loa::Simultaneous::Draws
                                  : loa::Simultaneous::MoverWins;
    if (no_move)
        rules->no_move = choose("no_move", *no_move, "loses", "passes") ? loa::NoMove::Passes : loa::NoMove::Loses;
    if (repetition) {
        check_count("repetition", *repetition, 2, 3);
        rules->repetition = static_cast<std::uint8_t>(*repetition);
    }
    return *rules;
}

}  // namespace

void bind_loa(nb::module_& parent) {
    auto m = parent.def_submodule("loa", "Lines of Action.");
    bind_move<loa::Move>(
        m, "A move of Lines of Action, such as `Move('b1-b3')`.",
        [](loa::Move move) { return std::tuple(to_text(move)); },
        [](const std::tuple<std::string>& state) { return loa::from_text(std::get<0>(state)); })
        .def(
            "__init__", [](loa::Move* self, std::string_view text) { new (self) loa::Move(loa::from_text(text)); },
            "text"_a)
        .def_prop_ro("captures", &loa::Move::captures)
        .def_prop_ro("is_pass", &loa::Move::is_pass);
    auto face =
        bind_board<loa::Move>(m, "A game of Lines of Action.")
            .def(
                "__init__",
                [](PyBoard<loa::Move>* self, std::optional<std::string> fen, std::string rules,
                   std::optional<std::string> simultaneous, std::optional<std::string> no_move,
                   std::optional<int> repetition) {
                    const auto book = rules_of(rules, simultaneous, no_move, repetition);
                    auto board =
                        fen ? std::make_unique<GameBoard<Loa>>(book, *fen) : std::make_unique<GameBoard<Loa>>(book);
                    new (self) PyBoard<loa::Move>(std::move(board), std::move(rules));
                },
                "fen"_a = nb::none(), nb::kw_only(), "rules"_a = "loa", "simultaneous"_a = nb::none(),
                "no_move"_a = nb::none(), "repetition"_a = nb::none())
            .def_prop_ro(
                "rules",
                [](const PyBoard<loa::Move>& b) {
                    const auto& rules = static_cast<const GameBoard<Loa>&>(*b.door).position().rules();
                    nb::dict articles;
                    articles["simultaneous"] = rules.simultaneous == loa::Simultaneous::Draws ? "draws" : "mover wins";
                    articles["no_move"] = rules.no_move == loa::NoMove::Passes ? "passes" : "loses";
                    articles["repetition"] = static_cast<int>(rules.repetition);
                    return articles;
                },
                nb::sig("def rules(self) -> dict[str, typing.Any]"),
                "The disputed articles, as the constructor takes them.");
    bind_engine<loa::Move>(m, face);
    bind_ladder<loa::Move>(m, face);
}

}  // namespace damier
