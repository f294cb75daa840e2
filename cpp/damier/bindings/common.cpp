// What every game's binding shares: sides, outcomes and exceptions.

#include <nanobind/stl/optional.h>

#include "damier/bindings/board.h"
#include "damier/engine/adjudicator.h"

namespace damier {

void bind_common(nb::module_& m) {
    nb::enum_<Side>(m, "Side", "The two players.").value("WHITE", Side::White).value("BLACK", Side::Black);

    nb::class_<Outcome>(m, "Outcome", "How a game ended.")
        .def_prop_ro(
            "winner", [](const Outcome& o) { return winner(o.result); }, "The side that won, None for a draw.")
        .def_prop_ro(
            "result", [](const Outcome& o) { return score_of(o.result); }, "1-0, 0-1 or 1/2-1/2, White first.")
        .def_prop_ro(
            "reason", [](const Outcome& o) { return std::string(name(o.reason)); }, "Why, in a few words.")
        .def(
            "__eq__", [](const Outcome& o, const Outcome& other) { return o == other; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const Outcome& o) { return 16 * static_cast<int>(o.result) + static_cast<int>(o.reason); })
        .def("__getstate__",
             [](const Outcome& o) { return std::pair(static_cast<int>(o.result), static_cast<int>(o.reason)); })
        .def("__setstate__",
             [](Outcome& o, std::pair<int, int> state) {
                 check_count("result", state.first, 0, static_cast<int>(Result::Draw));
                 check_count("reason", state.second, 0, static_cast<int>(Reason::Endgame));
                 new (&o) Outcome{static_cast<Result>(state.first), static_cast<Reason>(state.second)};
             })
        .def("__repr__", [](const Outcome& o) {
            return "<Outcome " + std::string(score_of(o.result)) + " by " + std::string(name(o.reason)) + ">";
        });

    nb::class_<StopFlag>(m, "StopFlag", "Ends native work early when another thread sets it.")
        .def(nb::init<>())
        .def("set", [](StopFlag& flag) { flag.raised = true; })
        .def("is_set", [](const StopFlag& flag) { return flag.raised.load(); });

    nb::class_<Adjudicator>(m, "Adjudicator", "Ends a game once both players have long agreed on its result.")
        .def(
            "__init__",
            [](Adjudicator* self, std::optional<Score> resign, int resign_moves, std::optional<Score> draw,
               int draw_moves,
               int draw_from) { new (self) Adjudicator({resign, resign_moves, draw, draw_moves, draw_from}); },
            nb::kw_only(), "resign"_a = nb::none(), "resign_moves"_a = 4, "draw"_a = nb::none(), "draw_moves"_a = 8,
            "draw_from"_a = 40)
        .def(
            "after",
            [](Adjudicator& a, Side side, std::optional<Score> score, std::size_t ply) {
                return score_of(a.after(side, score, ply));
            },
            "side"_a, "score"_a.none(), "ply"_a,
            "The result both agree on after a move of `side`, which gave it this score, `ply` plies into the game.");

    nb::class_<AnyEvaluator>(m, "Evaluator", "An evaluation of one game; `board.evaluator(name)` makes one.")
        .def_prop_ro("name", &AnyEvaluator::name)
        .def_prop_ro(
            "calibration",
            [](const AnyEvaluator& evaluator) {
                const Calibration c = evaluator.calibration();
                return std::pair(c.margin, c.spread);
            },
            "How scores become chances: (margin, spread) of 1 / (1 + exp((margin - score) / spread)), the share of "
            "wins.");

    m.def(
        "results",
        [] {
            std::vector<std::string> names;
            for (const Result result : {Result::WhiteWins, Result::BlackWins, Result::Draw})
                names.push_back(score_of(result));
            return names;
        },
        "The results by their number in stored games.");
    m.def(
        "reasons",
        [] {
            std::vector<std::string> names;
            for (int i = 0; i <= static_cast<int>(Reason::Endgame); ++i)
                names.emplace_back(name(static_cast<Reason>(i)));
            return names;
        },
        "The reasons by their number in stored games.");
    m.def(
        "ladder_names",
        [] {
            nb::dict names;
            const auto list = [&](const char* what, const auto& all) {
                names[what] = nb::cast(std::vector<std::string>(all.begin(), all.end()));
            };
            list("algorithm", ladder::AlgorithmNames);
            list("ordering", ladder::OrderingNames);
            list("leaves", ladder::LeavesNames);
            list("why", ladder::WhyNames);
            list("role", ladder::RoleNames);
            return names;
        },
        nb::sig("def ladder_names() -> dict[str, list[str]]"),
        "The words of the ladder: what may be chosen, and what the numbers of a recorded tree mean.");

    const nb::object base = nb::exception<Error>(m, "DamierError", PyExc_ValueError);
    nb::exception<FenError>(m, "FenError", base.ptr());
    nb::exception<MoveError>(m, "MoveError", base.ptr());
    nb::exception<DataError>(m, "DataError", base.ptr());
}

}  // namespace damier
