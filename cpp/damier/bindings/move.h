// Python's face of a move: an immutable value with a text of its own.

#pragma once

#include "damier/bindings/board.h"

namespace damier {

// A game offers to_text(move) and ends(board, move) beside its move type, and from_text here.
template <class M, class FromText>
nb::class_<M> bind_move(nb::module_& m, const char* doc, FromText from_text) {
    return nb::class_<M>(m, "Move", doc)
        .def("__init__", [from_text](M* self, std::string_view text) { new (self) M(from_text(text)); }, "text"_a)
        .def("__str__", [](const M& move) { return to_text(move); })
        .def("__repr__", [](const M& move) { return "Move('" + to_text(move) + "')"; })
        .def("__hash__", [](const M& move) { return std::hash<std::string>()(to_text(move)); })
        .def("__eq__", [](const M& move, const M& other) { return move == other; }, nb::is_operator(),
             nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__lt__", [](const M& move, const M& other) { return move < other; }, nb::is_operator())
        .def("__getstate__", [](const M& move) { return std::make_tuple(to_text(move)); })
        .def("__setstate__", [from_text](M& self, const std::tuple<std::string>& state) {
            new (&self) M(from_text(std::get<0>(state)));
        });
}

}  // namespace damier
