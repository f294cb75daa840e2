// Python's face of a board, the same for every game.

#include "damier/base/random.h"
#include "damier/bindings/bindings.h"
#include "damier/play/opening.h"

namespace damier {

const Move& move_of(nb::handle given) {
    const Move* move = nullptr;
    if (nb::try_cast(given, move) && move != nullptr) return *move;
    const auto what = given.is_none() ? "None" : "a value of type " + std::string(Py_TYPE(given.ptr())->tp_name);
    throw nb::type_error((what + " is not a move, expected one of board.legal_moves").c_str());
}

const Move& checked(const PyBoard& board, const Move& move) {
    if (!is_legal(board, move))
        throw MoveError(registry().at(move.variant).text(move) + " is illegal in " + board.door->fen());
    return move;
}

Articles articles_of(const nb::dict& given) {
    Articles articles;
    for (const auto& [name, value] : given) articles[nb::cast<std::string>(name)] = nb::str(value).c_str();
    return articles;
}

nb::dict as_columns(Playouts&& played) {
    nb::dict columns;
    columns["codes"] = as_numpy(std::move(played.codes));
    columns["ends"] = as_numpy(std::move(played.ends));
    columns["plies"] = as_numpy(std::move(played.plies));
    columns["results"] = as_numpy(as_bytes(played.results));
    columns["reasons"] = as_numpy(as_bytes(played.reasons));
    return columns;
}

namespace {

using B = PyBoard;

// A view of the legal moves that keeps its board alive and always shows the present position.
struct LegalMoves {
    nb::object owner;
    const PyBoard* board;
};

void bind_legal_moves(nb::module_& m) {
    nb::class_<LegalMoves>(m, "LegalMoves",
                           "The legal moves of a board: iterate, count, or ask `move in board.legal_moves`.")
        .def("__len__", [](const LegalMoves& view) { return view.board->door->count_legal_moves(); })
        .def("__bool__", [](const LegalMoves& view) { return view.board->door->count_legal_moves() > 0; })
        .def(
            "__contains__",
            [](const LegalMoves& view, nb::handle item) {
                Move move;
                return nb::try_cast(item, move) && is_legal(*view.board, move);
            },
            nb::arg().none(), nb::sig("def __contains__(self, item: object, /) -> bool"))
        .def(
            "__iter__", [](const LegalMoves& view) { return nb::iter(move_list(view.board->door->legal_moves())); },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[Move]"))
        .def("__repr__", [](const LegalMoves& view) {
            std::string text = "<LegalMoves";
            for (const Move& move : view.board->door->legal_moves()) text += " " + view.board->door->text(move);
            return text + ">";
        });
}

// A board of the same Python class as another.
nb::object board_like(const nb::object& other, std::unique_ptr<Board> door) {
    nb::object made = nb::inst_alloc(other.type());
    new (nb::inst_ptr<B>(made)) B(std::move(door));
    nb::inst_mark_ready(made);
    return made;
}

// Where the game stands.
void bind_state(nb::class_<B>& board) {
    board
        .def(
            "__init__",
            [](B* self, std::optional<nb::str> fen, std::string_view variant, const nb::dict& articles) {
                const auto rules = registry().find(variant)->with(articles_of(articles));
                new (self) B(rules->board(fen ? std::optional(text_of(*fen)) : std::nullopt));
            },
            "fen"_a = nb::none(), nb::kw_only(), "variant"_a, "articles"_a = nb::dict(),
            nb::sig("def __init__(self, fen: str | None = None, *, variant: str, articles: dict[str, typing.Any] = "
                    "{}) -> None"))
        .def_prop_ro(
            "variant", [](const B& b) { return b.variant().name(); }, "The name of the game, as in `damier games`.")
        .def_prop_ro(
            "articles", [](const B& b) { return nb::cast(b.variant().articles()); },
            nb::sig("def articles(self) -> dict[str, str]"), "The disputed articles of its rules, where there are any.")
        .def_prop_ro(
            "turn", [](const B& b) { return b.door->turn(); }, "The side to move.")
        .def_prop_ro(
            "key", [](const B& b) { return b.door->key(); }, "The 64-bit hash of the position.")
        .def(
            "fresh_key", [](const B& b) { return b.door->fresh_key(); }, "The hash computed from scratch.")
        .def_prop_ro(
            "ply", [](const B& b) { return b.door->ply(); }, "How many moves were pushed.")
        .def_prop_ro(
            "move_number", [](const B& b) { return b.door->move_number(); },
            "The number of the current move, as on a score sheet.")
        .def_prop_ro(
            "quiet_plies", [](const B& b) { return b.door->past().quiet_plies; },
            "Plies since the last move that cannot be undone by play.")
        .def_prop_ro(
            "occurrences", [](const B& b) { return b.door->past().occurrences; },
            "How many times the position has occurred, this time included.")
        .def(
            "outcome", [](const B& b, bool claim_draw) { return b.door->outcome(claim_draw); }, nb::kw_only(),
            "claim_draw"_a = false,
            "How the game ended, or None. Draws that need a claim count when `claim_draw` is set.")
        .def(
            "is_over", [](const B& b, bool claim_draw) { return b.door->outcome(claim_draw).has_value(); },
            nb::kw_only(), "claim_draw"_a = false)
        .def(
            "fen", [](const B& b) { return b.door->fen(); }, "The position as one line of text.")
        .def(
            "start_fen", [](const B& b) { return b.door->start_fen(); }, "The position before the first move.")
        .def(
            "copy",
            [](B& b) {
                const nb::object self = nb::find(b);
                nb::object twin = nb::inst_alloc(self.type());  // of the same Python class
                nb::inst_copy(twin, self);
                return twin;
            },
            nb::sig("def copy(self) -> typing.Self"), "A board of its own with the same history.")
        .def(
            "__eq__", [](const B& b, const B& other) { return b.door->same_position(*other.door); }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"),
            "Whether two boards show the same position of the same game, whatever their history.");
}

Move play(B& board, const nb::str& text) {
    const Move move = board.door->read_move(text_of(text));
    board.door->push(move);
    return move;
}

// Moves: asking, reading, playing, taking back.
void bind_playing(nb::class_<B>& board) {
    board
        .def_prop_ro(
            "moves",
            [](const B& b) {
                nb::list moves;
                for (std::size_t ply = 0; ply < b.door->ply(); ++ply) moves.append(nb::cast(b.door->move_at(ply)));
                return moves;
            },
            nb::sig("def moves(self) -> list[Move]"), "The moves pushed so far.")
        .def_prop_ro(
            "legal_moves", [](B& b) { return LegalMoves{nb::find(b), &b}; },
            nb::sig("def legal_moves(self) -> LegalMoves"), "A view of the legal moves.")
        .def(
            "is_legal", [](const B& b, nb::handle move) { return is_legal(b, move_of(move)); }, "move"_a.none(),
            nb::sig("def is_legal(self, move: Move) -> bool"))
        .def("push", &play, "move"_a, "Plays the move a text stands for and returns it.")
        .def(
            "push", [](B& b, nb::handle move) { b.door->push(checked(b, move)); }, "move"_a.none(),
            nb::sig("def push(self, move: Move) -> None"), "Plays a move; an illegal one raises MoveError.")
        .def("play", &play, "text"_a, "Plays the move a text stands for and returns it.")
        .def(
            "pop",
            [](B& b) {
                if (b.door->ply() == 0) throw MoveError("there is no move to take back");
                return b.door->pop();
            },
            "Takes the last move back and returns it.")
        .def(
            "peek",
            [](const B& b) {
                if (b.door->ply() == 0) throw MoveError("no move has been played");
                return b.door->move_at(b.door->ply() - 1);
            },
            "The last move.")
        .def(
            "parse", [](const B& b, const nb::str& text) { return b.door->read_move(text_of(text)); }, "text"_a,
            "The legal move a text stands for; raises MoveError.")
        .def(
            "text", [](const B& b, nb::handle move) { return b.door->text(checked(b, move)); }, "move"_a.none(),
            nb::sig("def text(self, move: Move) -> str"), "A legal move in the notation players of this game use.")
        .def(
            "is_irreversible", [](const B& b, nb::handle move) { return b.door->is_irreversible(checked(b, move)); },
            "move"_a.none(), nb::sig("def is_irreversible(self, move: Move) -> bool"),
            "Whether no earlier position can come back after this move.");
}

// What a drawing or a network looks at.
void bind_picture(nb::class_<B>& board) {
    board
        .def_prop_ro(
            "squares",
            [](const B& b) {
                std::vector<std::tuple<std::string, int, int>> all;
                for (const auto& info : b.variant().squares()) all.emplace_back(info.name, info.file, info.rank);
                return all;
            },
            "The playing squares as (name, file, rank), file 0 and rank 0 at the bottom left seen by White.")
        .def(
            "piece",
            [](const B& b, std::string_view name) -> std::optional<std::string> {
                const char letter = b.door->piece(b.variant().square(name));
                return letter ? std::optional(std::string(1, letter)) : std::nullopt;
            },
            "square"_a, "The letter of the piece on a square, or None.")
        .def(
            "pieces",
            [](const B& b) {
                nb::dict all;
                for (const auto& info : b.variant().squares())
                    if (const char letter = b.door->piece(info.index))
                        all[nb::cast(info.name)] = nb::cast(std::string(1, letter));
                return all;
            },
            nb::sig("def pieces(self) -> dict[str, str]"), "Every piece: square name to letter.")
        .def(
            "planes", [](const B& b) { return as_numpy(b.door->planes()); },
            nb::sig("def planes(self) -> numpy.typing.NDArray[numpy.uint64]"),
            "The position as sets of squares, one 64-bit word per kind of piece and side.")
        .def(
            "images",
            [](B& b) {
                nb::list all;
                for (auto& image : b.door->images()) all.append(board_like(nb::find(b), std::move(image)));
                return all;
            },
            nb::sig("def images(self) -> list[typing.Self]"),
            "The position turned and mirrored in every way that leaves it as good for the side to move, itself first.")
        .def(
            "states", [](const B& b) { return as_numpy(b.door->states(), b.door->planes().size()); },
            nb::sig("def states(self) -> numpy.typing.NDArray[numpy.uint64]"),
            "The planes of every position of the game, the first included, one row per position.")
        .def(
            "path",
            [](const B& b, nb::handle move) {
                std::vector<std::string> names;
                for (const int sq : b.door->path(checked(b, move))) names.push_back(b.variant().square_name(sq));
                return names;
            },
            "move"_a.none(), nb::sig("def path(self, move: Move) -> list[str]"),
            "The squares of one route of a legal move, its start and end included.")
        .def(
            "ends",
            [](const B& b, nb::handle given) {
                const Move& move = move_of(given);
                if (move.variant != b.variant().squares_of()) throw MoveError("the move is one of another game");
                const auto path = b.door->path(move);
                return std::pair(b.variant().square_name(path.front()), b.variant().square_name(path.back()));
            },
            "move"_a.none(), nb::sig("def ends(self, move: Move) -> tuple[str, str]"),
            "The squares a move leaves and reaches, as they are drawn: castling by the king's two.");
}

// Work on a copy: while it runs without the GIL, other Python threads may play on the board itself.
Board::Counts divided(const B& board, long long depth, long long threads) {
    check_count("threads", threads, 1, 1024);
    const auto door = board.door->copy();
    return interruptible([&](const std::atomic<bool>& stop) {
        return door->divide(static_cast<int>(depth), static_cast<int>(threads), stop);
    });
}

// Work for which Python crosses the border once.
void bind_work(nb::class_<B>& board) {
    board
        .def(
            "codes", [](const B& b) { return as_numpy(b.door->codes()); },
            nb::sig("def codes(self) -> numpy.typing.NDArray[numpy.uint16]"), "The moves as stored in data files.")
        .def(
            "replay",
            [](B& b, InputArray<std::uint16_t, nb::ndim<1>> codes) { b.door->replay({codes.data(), codes.size()}); },
            "codes"_a.noconvert(), nb::sig("def replay(self, codes: numpy.typing.NDArray[numpy.uint16]) -> None"),
            "Plays moves stored by `codes`; raises DataError where they stop making sense.")
        .def(
            "divide",
            [](const B& b, long long depth, long long threads) {
                check_count("depth", depth, 1, MaxDepth);
                return divided(b, depth, threads);
            },
            "depth"_a, nb::kw_only(), "threads"_a = 1, "The perft count below each legal move.")
        .def(
            "perft",
            [](const B& b, long long depth, long long threads) -> std::uint64_t {
                check_count("depth", depth, 0, MaxDepth);
                if (depth == 0) return 1;
                if (depth == 1) return static_cast<std::uint64_t>(b.door->count_legal_moves());
                std::uint64_t nodes = 0;
                for (const auto& [move, below] : divided(b, depth, threads)) nodes += below;
                return nodes;
            },
            "depth"_a, nb::kw_only(), "threads"_a = 1, "The number of move sequences of exactly `depth` plies.")
        .def(
            "play_games",
            [](const B& b, long long games, std::uint64_t seed, std::uint64_t first_game, bool keep_moves,
               StopFlag* flag) {
                check_count("games", games, 0, MaxGames);
                StopFlag own;
                const auto door = b.door->copy();
                auto played = interruptible(
                    [&](const std::atomic<bool>& stop) {
                        return door->play_games(seed, first_game, static_cast<int>(games), keep_moves, stop);
                    },
                    flag ? flag->raised : own.raised);
                return as_columns(std::move(played));
            },
            "games"_a, nb::kw_only(), "seed"_a = 0, "first_game"_a = 0, "keep_moves"_a = true, "stop"_a = nb::none(),
            nb::sig("def play_games(self, games: int, *, seed: int = 0, first_game: int = 0, keep_moves: bool = True, "
                    "stop: StopFlag | None = None) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
            "Plays random games from here, without the GIL, and returns them as columns; fewer once `stop` is set.")
        .def(
            "play_at_random",
            [](B& b, long long plies, std::uint64_t seed) {
                check_count("plies", plies, 0, 10'000);
                Random random(seed);
                b.door = random_opening(*b.door, static_cast<int>(plies), random);
            },
            "plies"_a, nb::kw_only(), "seed"_a = 0,
            "Plays `plies` random moves that do not end the game; fewer where a hundred tries all ended it.");
}

}  // namespace

void bind_board(nb::module_& m) {
    bind_legal_moves(m);
    nb::class_<B> board(m, "Board", "A game of any variant: where it started and what was played.");
    board.attr("__hash__") = nb::none();  // boards are equal by position, and positions change
    bind_state(board);
    bind_playing(board);
    bind_picture(board);
    bind_work(board);
}

}  // namespace damier
