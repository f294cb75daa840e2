// Python's face of a move: an immutable value that can be shown, compared, hashed and pickled.

#pragma once

#include "damier/bindings/board.h"

namespace damier {

// A game offers to_text(move) and to_repr(move) beside its move type; `to_state` and `from_state` turn moves into
// std::tuples and back.
template <class P, class ToState, class FromState>
nb::class_<P> bind_move(nb::module_& m, const char* doc, ToState to_state, FromState from_state) {
    using State = std::invoke_result_t<ToState, const P&>;
    return nb::class_<P>(m, "Move", doc)
        .def("__str__", [](const P& move) { return to_text(move); })
        .def("__repr__", [](const P& move) { return to_repr(move); })
        .def("__hash__", [](const P& move) { return std::hash<std::string>()(to_text(move)); })
        .def(
            "__eq__", [](const P& move, const P& other) { return move == other; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def(
            "__lt__", [](const P& move, const P& other) { return move < other; }, nb::is_operator())
        .def("__getstate__", [to_state](const P& move) { return to_state(move); })
        .def("__setstate__", [from_state](P& self, const State& state) { new (&self) P(from_state(state)); });
}

}  // namespace damier
