// Sides, outcomes, exceptions, and the registry of games.

#include <dlfcn.h>

#include "damier/bindings/bindings.h"
#include "damier/play/adjudicator.h"

namespace damier {

namespace {

// Loads a library of games made elsewhere by DAMIER_GAMES (engine/game_variant.h).
void load_games(const std::string& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw Error(std::string("the games could not be loaded: ") + dlerror());
    auto* add = reinterpret_cast<void (*)(Registry&)>(dlsym(library, "damier_add_games"));
    auto* layout = reinterpret_cast<std::uint64_t (*)()>(dlsym(library, "damier_header_layout"));
    const auto refuse = [&](const std::string& why) {
        dlclose(library);
        throw Error(path + why);
    };
    if (!add || !layout) refuse(" holds no games, expected a library made by DAMIER_GAMES");
    if (layout() != header_layout()) refuse(" was made for another version of damier: compile it again");
    add(registry());
}

void bind_outcome(nb::module_& m) {
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
                 check_count("reason", state.second, 0, static_cast<int>(LastReason));
                 new (&o) Outcome{static_cast<Result>(state.first), static_cast<Reason>(state.second)};
             })
        .def("__repr__", [](const Outcome& o) {
            return "<Outcome " + std::string(score_of(o.result)) + " by " + std::string(name(o.reason)) + ">";
        });
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
            for (int i = 0; i <= static_cast<int>(LastReason); ++i) names.emplace_back(name(static_cast<Reason>(i)));
            return names;
        },
        "The reasons by their number in stored games.");
}

void bind_registry(nb::module_& m) {
    nb::class_<VariantInfo>(m, "VariantInfo", "A game or variant: its names, and how its games are written.")
        .def_ro("name", &VariantInfo::name, "What commands take.")
        .def_ro("title", &VariantInfo::title)
        .def_ro("family", &VariantInfo::family, "Whose rules it shares.")
        .def_ro("listed", &VariantInfo::listed, "Whether it is one of `damier games`.")
        .def_ro("record_format", &VariantInfo::record_format, "The format of its game records: pgn, pdn or sgf.")
        .def_ro("game_type", &VariantInfo::game_type, "Of PDN, 0 when it has none.")
        .def_ro("two_point_win", &VariantInfo::two_point_win, "Whether results are written 2-0, 1-1, 0-2.")
        .def("__repr__", [](const VariantInfo& info) { return "<VariantInfo " + info.name + ">"; });
    m.def(
        "variants",
        [] {
            std::vector<VariantInfo> all;
            for (const Variant* variant : registry().all()) all.push_back(variant->info());
            return all;
        },
        "Every game and variant there is.");
    m.def(
        "variant", [](const nb::str& name) { return registry().find(text_of(name))->info(); }, "name"_a,
        "The game or variant of that name; raises DamierError.");
    m.def("load_games", &load_games, "path"_a, "Adds the games of a shared library; see CONTRIBUTING.md.");
}

}  // namespace

void bind_common(nb::module_& m) {
    const nb::object base = nb::exception<Error>(m, "DamierError", PyExc_ValueError);
    nb::exception<FenError>(m, "FenError", base.ptr());
    nb::exception<MoveError>(m, "MoveError", base.ptr());
    nb::exception<DataError>(m, "DataError", base.ptr());
    bind_outcome(m);
    bind_registry(m);

    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&BackgroundWork::end_all));
    nb::class_<StopFlag>(m, "StopFlag", "Ends native work early when another thread sets it.")
        .def(nb::init<>())
        .def("set", [](StopFlag& flag) { flag.raised = true; })
        .def("is_set", [](const StopFlag& flag) { return flag.raised.load(); });

    constexpr Adjudication usual{};
    nb::class_<Adjudicator>(m, "Adjudicator", "Ends a game once both players have long agreed on its result.")
        .def(
            "__init__",
            [](Adjudicator* self, std::optional<Score> resign, int resign_moves, std::optional<Score> draw,
               int draw_moves,
               int draw_from) { new (self) Adjudicator({resign, resign_moves, draw, draw_moves, draw_from}); },
            nb::kw_only(), "resign"_a = nb::none(), "resign_moves"_a = usual.resign_moves, "draw"_a = nb::none(),
            "draw_moves"_a = usual.draw_moves, "draw_from"_a = usual.draw_from)
        .def(
            "after",
            [](Adjudicator& a, Side side, std::optional<Score> score, std::size_t ply) -> std::optional<std::string> {
                const auto agreed = a.after(side, score, ply);
                return agreed ? std::optional<std::string>(score_of(*agreed)) : std::nullopt;
            },
            "side"_a, "score"_a.none(), "ply"_a,
            "The result both agree on after a move of `side`, which gave it this score, `ply` plies into the game.");
}

}  // namespace damier
