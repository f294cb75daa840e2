// Python's face of an engine and of a search under way.

#include <nanobind/stl/array.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <variant>

#include "damier/bindings/bindings.h"
#include "damier/play/duel.h"
#include "damier/play/selfplay.h"

namespace damier {

namespace {

constexpr long long MostKibibytes = 1LL << 32;  // four tebibytes: beyond any machine we know
constexpr int ThreadsPerCore = 8;               // more only stand in each other's way

// The engine of one game; one search at a time.
struct PyEngine {
    std::shared_ptr<Engine> door;
    std::shared_ptr<std::atomic<bool>> busy = std::make_shared<std::atomic<bool>>(false);
    nb::object evaluator{};  // the one that was set, for the collector to see
    std::shared_ptr<Callable> probe{}, book{};

    Engine& idle() const {
        if (*busy) throw Error("the engine is searching: stop it first");
        return *door;
    }
};

int traverse_engine(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    const PyEngine& engine = *nb::inst_ptr<PyEngine>(self);
    Py_VISIT(engine.evaluator.ptr());
    for (const auto& callable : {engine.probe, engine.book})
        if (const int stop = callable ? callable->visit(visit, arg) : 0) return stop;
    return 0;
}
int clear_engine(PyObject* self) {
    PyEngine& engine = *nb::inst_ptr<PyEngine>(self);
    engine.evaluator.reset();
    for (const auto& callable : {engine.probe, engine.book})
        if (callable) callable->clear();
    return 0;
}
PyType_Slot EngineSlots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_engine)},
                             {Py_tp_clear, reinterpret_cast<void*>(clear_engine)},
                             {0, nullptr}};

// Holds an engine for one search.
class Alone {
  public:
    explicit Alone(std::atomic<bool>& busy) : busy_(busy) {
        if (busy_.exchange(true)) throw Error("the engine is searching: stop it first");
    }
    ~Alone() { busy_ = false; }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;

  private:
    std::atomic<bool>& busy_;
};

struct CurrentMove {
    Move move;
    int number;
};
using Event = std::variant<SearchResult, CurrentMove>;

// A search on a thread of its own. What it reports waits in a queue: only an evaluation, a probe or a book given from
// Python is called from it.
class PySearch : public Listener {
  public:
    PySearch(const PyEngine& engine, const PyBoard& board, const SearchRequest& request, bool ponder)
        : engine_(engine.door),
          busy_(engine.busy),
          alone_(*busy_),
          board_(board.door->copy()),
          waits_(!request.limit.ends_for(board_->turn())),
          pondering_(ponder),
          background_([this] {
              stop();
              const std::lock_guard lock(mutex_);
              return done_;
          }) {
        engine_->arm(ponder);
        try {
            thread_ = std::thread([this, request] { search(request); });
        } catch (const std::system_error&) {
            throw Error("the system has no thread left to search on");
        }
    }
    ~PySearch() override {
        stop();
        const nb::gil_scoped_release release;
        thread_.join();
    }

    void on_info(const SearchResult& result) override { post(result); }
    void on_currmove(const Move& move, int number) override { post(CurrentMove{move, number}); }

    // Once this search is done, the engine may be searching for another, which is none of our business.
    void stop() {
        const std::lock_guard lock(mutex_);
        if (done_) return;
        engine_->stop();
        waits_ = pondering_ = false;
        changed_.notify_all();
    }
    void ponder_hit() {
        const std::lock_guard lock(mutex_);
        if (done_) return;
        engine_->ponder_hit();
        pondering_ = false;
        changed_.notify_all();
    }

    // What it reported next, or nothing once the search has ended.
    std::optional<Event> next() {
        wait([this] { return !queue_.empty() || done_; });
        const std::lock_guard lock(mutex_);
        if (queue_.empty()) return std::nullopt;
        Event event = std::move(queue_.front());
        queue_.pop_front();
        return event;
    }
    SearchResult result() {
        wait([this] { return done_; });
        if (failure_) {
            try {
                std::rethrow_exception(failure_);
            } catch (const nb::python_error& error) {
                throw nb::python_error(error);  // a copy: Python empties what it is given, and we may be asked again
            }
        }
        return *result_;
    }

  private:
    void post(Event event) {
        const std::lock_guard lock(mutex_);
        queue_.push_back(std::move(event));
        changed_.notify_all();
    }

    void search(const SearchRequest& request) {
        std::optional<SearchResult> result;
        std::exception_ptr failure;
        try {
            result = engine_->run(*board_, request, this, nullptr);
        } catch (...) {
            failure = std::current_exception();
        }
        std::unique_lock lock(mutex_);  // an endless search that has nothing left to do still answers only when asked
        changed_.wait(lock, [&] { return failure || !(waits_ || pondering_); });
        result_ = std::move(result);
        failure_ = failure;
        done_ = true;
        alone_.reset();
        changed_.notify_all();
    }

    // Waits without the GIL, waking now and then to hear Ctrl-C: then the search is over before the error leaves.
    template <class Condition>
    void wait(Condition condition) {
        while (!holds_soon(condition)) {
            if (PyErr_CheckSignals() == 0) continue;
            stop();
            while (!holds_soon([this] { return done_; })) {
            }
            throw nb::python_error();
        }
    }
    template <class Condition>
    bool holds_soon(Condition condition) {
        const nb::gil_scoped_release release;
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::milliseconds(50), condition);
    }

    std::shared_ptr<Engine> engine_;
    std::shared_ptr<std::atomic<bool>> busy_;
    std::optional<Alone> alone_;
    std::unique_ptr<Board> board_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Event> queue_;
    bool waits_, pondering_, done_ = false;
    BackgroundWork background_;
    std::optional<SearchResult> result_;
    std::exception_ptr failure_;
    std::thread thread_;
};

// The last report of each line, for a search that is not watched.
struct LastLines : Listener {
    std::vector<SearchResult> lines;
    void on_info(const SearchResult& result) override {
        const auto place = static_cast<std::size_t>(result.multipv);
        if (lines.size() < place) lines.resize(place);
        lines[place - 1] = result;
    }
};

constexpr const char* BoundNames[] = {"none", "upper", "lower", "exact"};

// The fields of damier.engine.SearchResult in their order, the score as a number.
nb::tuple as_tuple(const SearchResult& result) {
    return nb::make_tuple(nb::cast(result.move()), result.score, result.depth, result.nodes, result.seconds,
                          nb::tuple(move_list(result.pv)), nb::cast(result.ponder), result.multipv, result.seldepth,
                          BoundNames[static_cast<int>(result.bound)], result.hashfull);
}

SearchRequest make_request(const PyBoard& board, const Limit& limit, long long multipv,
                           const std::optional<std::vector<Move>>& searchmoves, double overhead) {
    check_count("multipv", multipv, 1, 500);
    SearchRequest request{.limit = limit, .multipv = static_cast<int>(multipv), .overhead = overhead};
    if (searchmoves) {
        if (searchmoves->empty()) throw Error("searchmoves holds no move");
        for (const Move& move : *searchmoves)
            if (std::ranges::find(request.searchmoves, checked(board, move)) == request.searchmoves.end())
                request.searchmoves.push_back(move);
    }
    if (board.door->count_legal_moves() == 0)
        throw MoveError("there is no legal move to choose from in " + board.door->fen());
    return request;
}

void bind_search(nb::module_& m) {
    nb::class_<PySearch>(m, "Search", "A search under way.")
        .def("stop", &PySearch::stop, "Ends the search; its result comes at once.")
        .def("ponderhit", &PySearch::ponder_hit, "The expected move was played: time counts from now on.")
        .def(
            "next",
            [](PySearch& search) -> nb::object {
                const auto event = search.next();
                if (!event) return nb::none();
                if (const auto* current = std::get_if<CurrentMove>(&*event))
                    return nb::make_tuple(current->move, current->number);
                return as_tuple(std::get<SearchResult>(*event));
            },
            nb::sig("def next(self) -> tuple[typing.Any, ...] | None"),
            "What it reported next: the fields of a SearchResult, or a move that is now being searched and its number; "
            "None "
            "at the end.")
        .def(
            "result", [](PySearch& search) { return as_tuple(search.result()); },
            nb::sig("def result(self) -> tuple[typing.Any, ...]"),
            "Waits for the end: the fields of a SearchResult, the score as a number.");
}

using E = PyEngine;
using B = PyBoard;

std::shared_ptr<const AnyOpeningBook> function_book(const PyBoard& board, std::shared_ptr<Callable> callable) {
    return board.variant().book(*board.door, [callable](std::unique_ptr<Board> door) {
        return ask(*callable, std::move(door),
                   [](const nb::object& answer) { return nb::cast<std::vector<std::pair<Move, double>>>(answer); });
    });
}

int cores() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }
int most_threads() { return ThreadsPerCore * cores(); }

void bind_settings(nb::class_<E>& engine) {
    engine
        .def(
            "__init__", [](E* self, std::string_view variant) { new (self) E{registry().find(variant)->engine()}; },
            "variant"_a)
        .def(
            "set_threads",
            [](E& e, long long threads) {
                if (threads > most_threads())
                    throw Error("threads is " + std::to_string(threads) + ", expected at most " +
                                std::to_string(most_threads()) + " on this machine of " + std::to_string(cores()) +
                                " cores");
                check_count("threads", threads, 1, most_threads());
                e.idle().set_threads(static_cast<int>(threads));
            },
            "threads"_a)
        .def(
            "set_hash",
            [](E& e, long long kibibytes) {
                check_count("hash", kibibytes, 1, MostKibibytes);
                e.idle().set_hash(static_cast<std::size_t>(kibibytes));
            },
            "kibibytes"_a)
        .def(
            "set_evaluator",
            [](E& e, nb::handle to) {
                e.idle().set_evaluator(nb::cast<PyEvaluator&>(to).evaluator);
                e.evaluator = nb::borrow(to);
            },
            "evaluator"_a, nb::sig("def set_evaluator(self, evaluator: Evaluator) -> None"))
        .def(
            "set_probe",
            [](E& e, PyBoard& board, std::optional<nb::callable> function) {
                const auto callable = function ? callable_of(board, *function) : nullptr;
                e.idle().set_probe(callable ? function_probe(board, callable) : nullptr);
                e.probe = callable;
            },
            "board"_a, "function"_a.none(),
            nb::sig("def set_probe(self, board: Board, function: collections.abc.Callable[[typing.Any], tuple[int, int "
                    "| None] | None] | None) -> None"))
        .def(
            "set_book",
            [](E& e, PyBoard& board, std::optional<nb::callable> function, std::uint64_t seed) {
                const auto callable = function ? callable_of(board, *function) : nullptr;
                e.idle().set_book(callable ? function_book(board, callable) : nullptr, seed);
                e.book = callable;
            },
            "board"_a, "function"_a.none(), "seed"_a,
            nb::sig(
                "def set_book(self, board: Board, function: collections.abc.Callable[[typing.Any], list[tuple[Move, "
                "float]]] | None, seed: int) -> None"))
        .def_prop_ro("calibration",
                     [](const E& e) {
                         const Calibration c = e.door->evaluator().calibration();
                         return std::pair(c.margin, c.spread);
                     })
        .def_prop_ro("eval", [](const E& e) { return e.door->evaluator().name(); })
        .def(
            "set", [](E& e, std::string_view name, long long value) { e.idle().set(name, value); }, "name"_a, "value"_a)
        .def(
            "tunables",
            [](const E& e) {
                std::vector<std::tuple<std::string, int, int, int, std::string>> all;
                for (const auto& info : e.door->tunables())
                    all.emplace_back(info.name, info.value, info.least, info.most, info.about);
                return all;
            },
            "Every switch and margin: name, value, least, most, what it is.")
        .def("clear", [](E& e) { e.idle().clear(); });
}

void bind_searching(nb::class_<E>& engine) {
    constexpr double Overhead = SearchRequest{}.overhead;
    engine
        .def(
            "start",
            [](const E& e, const B& b, const Limit& limit, long long multipv,
               const std::optional<std::vector<Move>>& searchmoves, double overhead, bool ponder, bool book) {
                auto request = make_request(b, limit, multipv, searchmoves, overhead);
                request.book = book;
                return new PySearch(e, b, request, ponder);
            },
            nb::rv_policy::take_ownership, "board"_a, "limit"_a, nb::kw_only(), "multipv"_a = 1,
            "searchmoves"_a = nb::none(), "overhead"_a = Overhead, "ponder"_a = false, "book"_a = true,
            "Starts a search and returns at once.")
        .def(
            "play",
            [](const E& e, const B& b, const Limit& limit, long long multipv,
               const std::optional<std::vector<Move>>& searchmoves, double overhead, StopFlag* flag) {
                const auto request = make_request(b, limit, multipv, searchmoves, overhead);
                const Alone alone(*e.busy);
                const auto door = b.door->copy();
                StopFlag own;
                LastLines last;
                const auto result = interruptible(
                    [&](const std::atomic<bool>& stop) {
                        e.door->arm(false);
                        return e.door->run(*door, request, multipv > 1 ? &last : nullptr, &stop);
                    },
                    flag ? flag->raised : own.raised);
                nb::list lines;
                if (last.lines.empty() || last.lines.front().move() != result.move()) {
                    lines.append(as_tuple(result));
                    last.lines.erase(last.lines.begin(), last.lines.begin() + (last.lines.empty() ? 0 : 1));
                }
                for (const auto& line : last.lines) lines.append(as_tuple(line));
                return lines;
            },
            "board"_a, "limit"_a, nb::kw_only(), "multipv"_a = 1, "searchmoves"_a = nb::none(), "overhead"_a = Overhead,
            "stop"_a = nb::none(),
            nb::sig("def play(self, board: Board, limit: Limit, *, multipv: int = 1, searchmoves: "
                    "collections.abc.Sequence[Move] | None = None, overhead: float = 0.01, stop: StopFlag | None = "
                    "None) -> list[tuple[typing.Any, ...]]"),
            "Searches on this thread, without reports on the way: the lines found, the best first, each the fields of "
            "a SearchResult.")
        .def(
            "play_on",
            [](const E& e, B& b, const E& rival, const Limit& limit, const Limit& rival_limit, long long max_plies,
               const Adjudicator& adjudicator, StopFlag& flag) {
                check_count("max_plies", max_plies, 0, 1'000'000);
                const Alone alone(*e.busy);
                const Alone rival_alone(*rival.busy);  // which fails where the rival is the same engine
                std::array<DuelPlayer, 2> players{DuelPlayer{e.door.get(), {.limit = limit}},
                                                  DuelPlayer{rival.door.get(), {.limit = rival_limit}}};
                if (b.door->turn() == Side::Black) std::swap(players[0], players[1]);
                auto door = b.door->copy();
                MoveScores scores;
                const auto agreed = interruptible(
                    [&](const std::atomic<bool>& stop) {
                        return play_on(*door, players, static_cast<std::size_t>(max_plies), adjudicator, scores, stop);
                    },
                    flag.raised);
                b.door = std::move(door);
                return std::tuple(agreed ? std::optional<std::string>(score_of(*agreed)) : std::nullopt, scores.scores,
                                  scores.depths, scores.nodes, scores.seconds);
            },
            "board"_a, "rival"_a, nb::kw_only(), "limit"_a, "rival_limit"_a, "max_plies"_a, "adjudicator"_a, "stop"_a,
            "Plays the game to its end against another engine, this one to move. Returns the result if the adjudicator "
            "gave one, then scores, depths, nodes and seconds per move.");
}

void bind_selfplay(nb::class_<E>& engine) {
    const SelfPlay usual;
    engine.def(
        "play_games",
        [](const E& e, const B& b, long long games, std::uint64_t seed, std::uint64_t first_game,
           long long random_plies, std::uint64_t nodes, int depth, const Adjudicator* adjudicator, StopFlag* flag) {
            check_count("games", games, 0, MaxGames);
            check_count("random_plies", random_plies, 0, 60);
            if (nodes == 0 && depth <= 0) throw Error("self-play needs a limit of nodes or depth per move");
            const SelfPlay settings{.seed = seed,
                                    .first_game = first_game,
                                    .games = static_cast<int>(games),
                                    .random_plies = static_cast<int>(random_plies),
                                    .request = {.limit = {.depth = depth, .nodes = nodes}},
                                    .adjudicator = adjudicator ? *adjudicator : Adjudicator({})};
            StopFlag own;
            const auto door = b.door->copy();
            const Alone alone(*e.busy);
            auto& engine = *e.door;
            auto played = interruptible(
                [&](const std::atomic<bool>& stop) { return play_against_itself(engine, *door, settings, stop); },
                flag ? flag->raised : own.raised);
            auto scores = std::move(played.scores);
            auto score_ends = std::move(played.score_ends);
            auto ended_by = as_bytes(played.ended_by);
            nb::dict columns = as_columns(std::move(played));
            columns["scores"] = as_numpy(std::move(scores));
            columns["score_ends"] = as_numpy(std::move(score_ends));
            columns["ended_by"] = as_numpy(std::move(ended_by));
            return columns;
        },
        "board"_a, "games"_a, nb::kw_only(), "seed"_a = usual.seed, "first_game"_a = usual.first_game,
        "random_plies"_a = usual.random_plies, "nodes"_a = usual.request.limit.nodes, "depth"_a = 0,
        "adjudicator"_a = nb::none(), "stop"_a = nb::none(),
        nb::sig("def play_games(self, board: Board, games: int, *, seed: int = ..., first_game: int = ..., "
                "random_plies: int = ..., nodes: int = ..., depth: int = ..., adjudicator: Adjudicator | None = None, "
                "stop: StopFlag | None = None) -> "
                "dict[str, numpy.typing.NDArray[typing.Any]]"),
        "Plays games against itself without the GIL and returns them as columns, with a score per ply.");
}

}  // namespace

std::shared_ptr<Callable> callable_of(PyBoard& board, nb::callable function) {
    const auto forget = [](Callable* old) {
        const nb::gil_scoped_acquire gil;
        delete old;
    };
    return {new Callable{nb::object(std::move(function)), nb::borrow(nb::find(board).type())}, forget};
}

std::shared_ptr<const AnyEndgameProbe> function_probe(const PyBoard& board, std::shared_ptr<Callable> callable) {
    return board.variant().probe(*board.door, [callable](std::unique_ptr<Board> door) {
        return ask(*callable, std::move(door), [](const nb::object& answer) -> std::optional<ProbeResult> {
            if (answer.is_none()) return std::nullopt;
            const auto [wdl, plies] = nb::cast<std::pair<int, std::optional<int>>>(answer);
            return ProbeResult{static_cast<Wdl>(wdl), plies};
        });
    });
}

void bind_engine(nb::module_& m) {
    m.attr("WIN") = Win;
    m.attr("SURE_WIN") = SureWin;
    m.attr("INFINITE") = Infinite;
    m.attr("MAX_THREADS") = most_threads();
    bind_search(m);
    nb::class_<E> engine(m, "Engine", nb::type_slots(EngineSlots),
                         "The search behind damier.Engine, which is the one to use.");
    bind_settings(engine);
    bind_searching(engine);
    bind_selfplay(engine);
}

}  // namespace damier
