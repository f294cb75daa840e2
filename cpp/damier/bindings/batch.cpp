// Many boards for Python: arrays that numpy sees in place, and work without the GIL.

#include "damier/bindings/batch.h"

namespace damier {

namespace {

constexpr int MaxBoards = 1 << 20;

// A column as numpy sees it in place; the array keeps the batch alive and cannot be written to.
template <class T, class... Shape>
auto view(PyBatch& batch, const std::vector<T>& column, Shape... shape) {
    return nb::ndarray<nb::numpy, const T, nb::ndim<1 + sizeof...(Shape)>>(
        column.data(), {batch.door->size(), static_cast<std::size_t>(shape)...}, nb::find(batch));
}

template <class T>
nb::object planes(PyBatch& batch, std::vector<T>& buffer, std::optional<Side> side) {
    const auto shape = batch.door->shape();
    alone(batch, [&] {
        buffer.resize(batch.door->size() * shape.size());
        batch.door->write_planes(side, std::span<T>(buffer));
    });
    return nb::cast(view(batch, buffer, shape.planes, shape.rows, shape.columns));
}

auto as_table(const std::vector<std::vector<std::int64_t>>& rows) {
    std::vector<std::int64_t> all;
    for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
    return as_numpy(std::move(all), rows.front().size());
}

Seen seen_by(const std::string& view) {
    if (view == "mover") return Seen::ByMover;
    if (view == "white") return Seen::ByWhite;
    throw Error("view is '" + view + "', expected mover or white");
}

void bind_columns(nb::class_<PyBatch>& batch) {
    batch
        .def(
            "outcomes", [](PyBatch& b) { return view(b, b.door->columns().outcomes); },
            nb::sig("def outcomes(self) -> numpy.typing.NDArray[numpy.uint8]"),
            "0 while a game goes on, then 1 where White won, 2 where Black won and 3 for a draw; seen in place.")
        .def(
            "reasons", [](PyBatch& b) { return view(b, b.door->columns().reasons); },
            nb::sig("def reasons(self) -> numpy.typing.NDArray[numpy.int8]"),
            "Why each game ended, by number in `damier._core.reasons()`, -1 while it goes on; seen in place.")
        .def(
            "turns", [](PyBatch& b) { return view(b, b.door->columns().turns); },
            nb::sig("def turns(self) -> numpy.typing.NDArray[numpy.uint8]"),
            "The side to move on each board, 0 for White and 1 for Black; seen in place.")
        .def(
            "plies", [](PyBatch& b) { return view(b, b.door->columns().plies); },
            nb::sig("def plies(self) -> numpy.typing.NDArray[numpy.int32]"),
            "How many moves were played on each board; seen in place.")
        .def(
            "legal_mask",
            [](PyBatch& b) {
                const auto& mask = *alone(b, [&] { return &b.door->legal_mask(); });
                const auto actions = static_cast<std::size_t>(b.door->action_count());
                return nb::ndarray<nb::numpy, const bool, nb::ndim<2>>(mask.data(), {b.door->size(), actions},
                                                                       nb::find(b));
            },
            nb::sig("def legal_mask(self) -> numpy.typing.NDArray[numpy.bool_]"),
            "Which actions are legal, a row per board, none where the game is over. Seen in place: once it was asked "
            "for, every step refreshes it.")
        .def(
            "legal_actions",
            [](PyBatch& b) {
                auto all = alone(b, [&] { return b.door->legal_actions(); });
                return std::pair(as_numpy(std::move(all.actions)), as_numpy(std::move(all.ends)));
            },
            nb::sig("def legal_actions(self) -> tuple[numpy.typing.NDArray[numpy.uint16], "
                    "numpy.typing.NDArray[numpy.int64]]"),
            "The legal actions of all boards laid end to end, and where those of each board end.")
        .def(
            "planes",
            [](PyBatch& b, std::optional<Side> side, const std::string& dtype) {
                if (dtype == "uint8") return planes(b, b.bytes, side);
                if (dtype == "float32") return planes(b, b.floats, side);
                throw Error("dtype is '" + dtype + "', expected float32 or uint8");
            },
            nb::kw_only(), "side"_a = nb::none(), "dtype"_a = "float32",
            nb::sig("def planes(self, *, side: Side | None = None, dtype: typing.Literal['float32', 'uint8'] = "
                    "'float32') -> numpy.typing.NDArray[typing.Any]"),
            "The boards as planes of 0 and 1 (board, plane, rank, file), as the batch or a given side sees them: the "
            "own pieces, the other's, what else the position holds; then planes of one value: whether Black is to "
            "move, how often the position stood before, and plies since the last irreversible move (hundredths as "
            "float32, at most 255 as uint8). The array is written anew by the next call.");
}

void bind_steps(nb::class_<PyBatch>& batch) {
    batch
        .def(
            "reset",
            [](PyBatch& b, std::uint64_t seed, long long opening_plies) {
                check_count("opening_plies", opening_plies, 0, 10'000);
                alone(b, [&] { b.door->reset(seed, static_cast<int>(opening_plies)); });
            },
            "seed"_a = 0, "opening_plies"_a = 0,
            "Begins every game anew, now and whenever one is over, after so many random moves that do not end it.")
        .def(
            "play",
            [](PyBatch& b, const Numbers& actions) {
                const auto given = numbers_of("actions", actions, b);
                alone(b, [&] { b.door->play(given); });
            },
            "actions"_a, nb::sig("def play(self, actions: numpy.typing.NDArray[numpy.integer[typing.Any]]) -> None"),
            "Plays an action on every board. A finished board begins anew instead, whatever its action; -1 leaves a "
            "board as it is. An illegal action raises MoveError and changes no board.")
        .def(
            "random_actions",
            [](PyBatch& b, std::optional<std::uint64_t> seed) {
                std::vector<std::int64_t> actions(b.door->size());
                alone(b, [&] { b.door->random_actions(seed, actions); });
                return as_numpy(std::move(actions));
            },
            "seed"_a = nb::none(),
            nb::sig("def random_actions(self, seed: int | None = None) -> numpy.typing.NDArray[numpy.int64]"),
            "A legal action for every board, each equally likely, 0 where the game is over. Without a seed the random "
            "numbers go on where the last ones ended, from the seed of `reset`.")
        .def(
            "take",
            [](PyBatch& b, const PyBatch& source, const Numbers& indices) {
                const auto given = numbers_of("indices", indices, b);
                for (const auto i : given)
                    if (i != BoardBatch::Leave) source.index(i);
                const nb::gil_scoped_release release;
                if (&b == &source) {
                    const std::lock_guard lock(b.mutex);
                    b.door->take(*b.door, given);
                } else {
                    const std::scoped_lock lock(b.mutex, source.mutex);
                    b.door->take(*source.door, given);
                }
            },
            "source"_a, "indices"_a,
            nb::sig("def take(self, source: BoardBatch, indices: numpy.typing.NDArray[numpy.integer[typing.Any]]) -> "
                    "None"),
            "Makes board i a copy of board indices[i] of another batch of the same game; -1 leaves it.")
        .def(
            "symmetries",
            [](const PyBatch& b) {
                auto all = alone(b, [&] { return b.door->symmetries(); });
                return std::pair(as_table(all.cells), as_table(all.actions));
            },
            nb::sig("def symmetries(self) -> tuple[numpy.typing.NDArray[numpy.int64], "
                    "numpy.typing.NDArray[numpy.int64]]"),
            "The symmetries of the board that keep the rules in all positions, one row each, the identity first: "
            "which square of a plane each becomes, counted row by row, and which action each becomes.");
}

// One board of them.
void bind_single(nb::class_<PyBatch>& batch) {
    batch
        .def(
            "outcome",
            [](const PyBatch& b, long long i) -> std::optional<Outcome> {
                const auto at = b.index(i);
                const auto& columns = b.door->columns();
                if (columns.outcomes[at] == 0) return std::nullopt;
                return Outcome{static_cast<Result>(columns.outcomes[at] - 1), static_cast<Reason>(columns.reasons[at])};
            },
            "i"_a, "How the game of a board ended, or None.")
        .def(
            "board_as",
            [](const PyBatch& b, long long i, const nb::type_object& cls) {
                const auto at = b.index(i);
                auto door = alone(b, [&] { return b.door->board(at); });
                nb::object board = nb::inst_alloc(cls);
                new (nb::inst_ptr<PyBoard>(board)) PyBoard(std::move(door));
                nb::inst_mark_ready(board);
                return board;
            },
            "i"_a, "cls"_a, nb::sig("def board_as(self, i: int, cls: type[Board]) -> typing.Any"),
            "A copy of board `i` with its moves, as an instance of a class of boards.")
        .def(
            "put",
            [](PyBatch& b, long long i, const PyBoard& board) {
                const auto at = b.index(i);
                const auto given = board.door->copy();
                alone(b, [&] { b.door->put(at, *given); });
            },
            "i"_a, "board"_a, "Sets a board of the batch to a copy of a board, its moves included.")
        .def(
            "move",
            [](const PyBatch& b, long long i, long long action) {
                const auto at = b.index(i);
                return alone(b, [&] { return b.door->move(at, action); });
            },
            "i"_a, "action"_a, "The legal move that an action stands for on a board; raises MoveError.")
        .def(
            "action",
            [](const PyBatch& b, long long i, nb::handle given) {
                const auto at = b.index(i);
                const Move& move = move_of(given);
                return alone(b, [&] { return b.door->action(at, move); });
            },
            "i"_a, "move"_a.none(), nb::sig("def action(self, i: int, move: Move) -> int"),
            "The action that stands for a legal move on a board; raises MoveError.");
}

}  // namespace

void bind_batch(nb::module_& m) {
    nb::class_<PyBatch> batch(m, "BoardBatch", "Many boards of one game, stepped together.");
    batch
        .def(
            "__init__",
            [](PyBatch* self, std::string_view variant, long long n, const std::string& view,
               const nb::dict& articles) {
                check_count("n", n, 1, MaxBoards);
                const auto rules = registry().find(variant)->with(articles_of(articles));
                new (self) PyBatch(rules->batch(static_cast<std::size_t>(n), seen_by(view)));
            },
            "variant"_a, "n"_a, nb::kw_only(), "view"_a = "mover", "articles"_a = nb::dict(),
            nb::sig("def __init__(self, variant: str, n: int, *, view: str = 'mover', articles: dict[str, typing.Any] "
                    "= {}) -> None"))
        .def_prop_ro(
            "variant", [](const PyBatch& b) { return b.door->variant()->name(); }, "The name of the game.")
        .def_prop_ro(
            "action_count", [](const PyBatch& b) { return b.door->action_count(); },
            "How many actions the game has; each of its moves is one of them.")
        .def("__len__", [](const PyBatch& b) { return b.door->size(); });
    bind_columns(batch);
    bind_steps(batch);
    bind_single(batch);
}

}  // namespace damier
