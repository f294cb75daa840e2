// When a search must end, for Python: python-chess's Limit, checked as it is made.

#include <cmath>

#include "damier/base/text.h"
#include "damier/bindings/bindings.h"

namespace damier {

namespace {

std::string shown_value(nb::handle value) { return nb::repr(value).c_str(); }

// A whole number from 1 on, no larger than `most`; 0 for None.
template <class T>
T whole(const char* name, nb::handle value, T most) {
    if (value.is_none()) return 0;
    std::int64_t number = 0;
    if (!PyLong_Check(value.ptr()) || !nb::try_cast(value, number) || number < 1)
        throw Error(std::string(name) + " is " + shown_value(value) + ", expected a whole number of at least 1");
    return static_cast<T>(std::min<std::int64_t>(number, static_cast<std::int64_t>(most)));
}

std::optional<double> seconds(const char* name, nb::handle value) {
    if (value.is_none()) return std::nullopt;
    double number = 0;
    if (PyUnicode_Check(value.ptr()) || !nb::try_cast(value, number) || !std::isfinite(number))
        throw Error(std::string(name) + " is " + shown_value(value) + ", expected a number of seconds");
    return number;
}

double increment(const char* name, nb::handle value) {
    const double number = seconds(name, value).value_or(0);
    if (number < 0) throw Error(std::string(name) + " is " + shown_value(value) + ", expected 0 seconds or more");
    return number;
}

Limit make(nb::handle time, nb::handle depth, nb::handle nodes, nb::handle mate, nb::handle white_clock,
           nb::handle black_clock, nb::handle white_inc, nb::handle black_inc, nb::handle moves_to_go, bool infinite) {
    constexpr int Most = 1'000'000;  // more plies or moves than any game has
    const Limit limit{.time = seconds("time", time),
                      .depth = whole("depth", depth, Most),
                      .nodes = whole<std::uint64_t>("nodes", nodes, INT64_MAX),
                      .mate = whole("mate", mate, 1000),
                      .white_clock = seconds("white_clock", white_clock),
                      .black_clock = seconds("black_clock", black_clock),
                      .white_inc = increment("white_inc", white_inc),
                      .black_inc = increment("black_inc", black_inc),
                      .moves_to_go = whole("moves_to_go", moves_to_go, Most),
                      .infinite = infinite};
    if (limit.time && *limit.time <= 0) throw Error("time is " + shown_value(time) + ", expected more than 0 seconds");
    return limit;
}

template <class T>
nb::object unless_zero(T value) {
    return value ? nb::cast(value) : nb::none();
}

// The fields that are set, by name.
nb::dict fields(const Limit& limit) {
    nb::dict fields;
    const auto put = [&](const char* name, nb::object value) {
        if (!value.is_none()) fields[name] = value;
    };
    put("time", nb::cast(limit.time));
    put("depth", unless_zero(limit.depth));
    put("nodes", unless_zero(limit.nodes));
    put("mate", unless_zero(limit.mate));
    put("white_clock", nb::cast(limit.white_clock));
    put("black_clock", nb::cast(limit.black_clock));
    put("white_inc", limit.white_inc != 0 ? nb::cast(limit.white_inc) : nb::none());
    put("black_inc", limit.black_inc != 0 ? nb::cast(limit.black_inc) : nb::none());
    put("moves_to_go", unless_zero(limit.moves_to_go));
    put("infinite", limit.infinite ? nb::cast(true) : nb::none());
    return fields;
}

nb::object made_of(nb::handle type, const nb::dict& fields) { return type(**nb::borrow<nb::kwargs>(fields)); }

}  // namespace

void bind_limit(nb::module_& m) {
    nb::class_<Limit>(m, "Limit",
                      "When to stop searching. Whatever is set counts, and the first limit reached ends the search; "
                      "times are in seconds.\n\n>>> Limit(nodes=500)\nLimit(nodes=500)\n"
                      ">>> Limit(white_clock=60, black_clock=60, white_inc=1, black_inc=1).depth is None\nTrue")
        .def(
            "__init__",
            [](Limit* self, nb::object time, nb::object depth, nb::object nodes, nb::object mate,
               nb::object white_clock, nb::object black_clock, nb::object white_inc, nb::object black_inc,
               nb::object moves_to_go, bool infinite) {
                new (self) Limit(make(time, depth, nodes, mate, white_clock, black_clock, white_inc, black_inc,
                                      moves_to_go, infinite));
            },
            "time"_a = nb::none(), nb::kw_only(), "depth"_a = nb::none(), "nodes"_a = nb::none(), "mate"_a = nb::none(),
            "white_clock"_a = nb::none(), "black_clock"_a = nb::none(), "white_inc"_a = 0.0, "black_inc"_a = 0.0,
            "moves_to_go"_a = nb::none(), "infinite"_a = false,
            nb::sig("def __init__(self, time: float | None = None, *, depth: int | None = None, nodes: int | None = "
                    "None, mate: int | None = None, white_clock: float | None = None, black_clock: float | None = "
                    "None, white_inc: float = 0.0, black_inc: float = 0.0, moves_to_go: int | None = None, infinite: "
                    "bool = False) -> None"))
        .def_prop_ro(
            "time", [](const Limit& l) { return l.time; }, "For this move.")
        .def_prop_ro(
            "depth", [](const Limit& l) { return unless_zero(l.depth); }, nb::sig("def depth(self) -> int | None"),
            "In plies.")
        .def_prop_ro(
            "nodes", [](const Limit& l) { return unless_zero(l.nodes); }, nb::sig("def nodes(self) -> int | None"))
        .def_prop_ro(
            "mate", [](const Limit& l) { return unless_zero(l.mate); }, nb::sig("def mate(self) -> int | None"),
            "Look for a win in this many moves, and for nothing else.")
        .def_prop_ro("white_clock", [](const Limit& l) { return l.white_clock; })
        .def_prop_ro("black_clock", [](const Limit& l) { return l.black_clock; })
        .def_prop_ro("white_inc", [](const Limit& l) { return l.white_inc; })
        .def_prop_ro("black_inc", [](const Limit& l) { return l.black_inc; })
        .def_prop_ro(
            "moves_to_go", [](const Limit& l) { return unless_zero(l.moves_to_go); },
            nb::sig("def moves_to_go(self) -> int | None"), "Until the next time control.")
        .def_prop_ro(
            "infinite", [](const Limit& l) { return l.infinite; }, "Until it is stopped.")
        .def_prop_ro(
            "has_clock", [](const Limit& l) { return l.white_clock || l.black_clock; }, "Whether either side has one.")
        .def("clock_of", &Limit::clock_of, "side"_a, "What is left on the clock of a side.")
        .def("increment_of", &Limit::increment_of, "side"_a, "What a side gets for each move.")
        .def("ends_for", &Limit::ends_for, "side"_a,
             "Whether a search for this side to move ends by itself; the clock of the other one does not count.")
        .def(
            "replace",
            [](nb::handle self, const nb::kwargs& changes) {
                nb::dict all = fields(nb::cast<const Limit&>(self));
                for (const auto& [name, value] : changes) all[name] = value;
                return made_of(self.type(), all);
            },
            nb::sig("def replace(self, **changes: typing.Any) -> Limit"), "The same limit with some fields changed.")
        .def(
            "__eq__", [](const Limit& l, const Limit& other) { return l == other; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const Limit& l) { return nb::hash(nb::repr(fields(l))); })
        .def("__repr__",
             [](const Limit& l) {
                 std::string text;
                 for (const auto& [name, value] : fields(l))
                     text += (text.empty() ? "" : ", ") + std::string(nb::str(name).c_str()) + "=" + shown_value(value);
                 return "Limit(" + text + ")";
             })
        .def(
            "__getstate__", [](const Limit& l) { return fields(l); },
            nb::sig("def __getstate__(self) -> dict[str, typing.Any]"))
        .def(
            "__setstate__",
            [](Limit& self, const nb::dict& state) {
                new (&self) Limit(nb::cast<const Limit&>(made_of(nb::type<Limit>(), state)));
            },
            nb::sig("def __setstate__(self, state: dict[str, typing.Any], /) -> None"));
}

}  // namespace damier
