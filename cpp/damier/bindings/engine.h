// Python's face of an engine and of a search under way, written once for every game.

#pragma once

#include <nanobind/stl/array.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "damier/bindings/board.h"
#include "damier/engine/selfplay.h"

namespace damier {

using MoveLimit = std::tuple<int, std::uint64_t, double, double>;  // depth, nodes, seconds, overhead

constexpr long long MostKibibytes = 1LL << 32;  // four tebibytes: beyond any machine we know

// The engine of one game; one search at a time.
template <class M>
struct PyEngine {
    std::shared_ptr<Engine<M>> door;
    std::shared_ptr<std::atomic<bool>> busy = std::make_shared<std::atomic<bool>>(false);

    Engine<M>& idle() const {
        if (*busy) throw Error("the engine is searching: stop it first");
        return *door;
    }
};

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

// A search on a thread of its own. What it tells waits in a queue; it never calls Python.
template <class M>
class PySearch : public Listener<M> {
  public:
    PySearch(const PyEngine<M>& engine, const PyBoard<M>& board, const Limit& limit, bool infinite, int lines,
             std::vector<M> only)
        : engine_(engine.door),
          busy_(engine.busy),
          alone_(*busy_),
          board_(board),
          waits_(infinite),
          pondering_(limit.pondering) {
        engine_->arm(limit);
        thread_ = std::thread([this, limit, lines, only = std::move(only)] { search(limit, lines, only); });
    }
    ~PySearch() override {
        stop();
        const nb::gil_scoped_release release;
        thread_.join();
    }

    void heard(const Info<M>& info) override {
        const std::lock_guard lock(mutex_);
        queue_.push_back(info);
        changed_.notify_all();
    }
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

    // The next info, or nothing once the search has ended.
    std::optional<Info<M>> next() {
        wait([this] { return !queue_.empty() || done_; });
        const std::lock_guard lock(mutex_);
        if (queue_.empty()) return std::nullopt;
        Info<M> info = std::move(queue_.front());
        queue_.pop_front();
        return info;
    }
    Found<M> result() {
        wait([this] { return done_; });
        if (failure_) std::rethrow_exception(failure_);
        return *found_;
    }
    const PyBoard<M>& board() const { return board_; }

  private:
    void search(const Limit& limit, int lines, const std::vector<M>& only) {
        std::optional<Found<M>> found;
        std::exception_ptr failure;
        try {
            found = engine_->run(*board_.door, limit, lines, only, this);
        } catch (...) {
            failure = std::current_exception();
        }
        std::unique_lock lock(mutex_);  // an endless search that has nothing left to do still answers only when told
        changed_.wait(lock, [&] { return failure || !(waits_ || pondering_); });
        found_ = std::move(found);
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

    std::shared_ptr<Engine<M>> engine_;
    std::shared_ptr<std::atomic<bool>> busy_;
    std::optional<Alone> alone_;
    PyBoard<M> board_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Info<M>> queue_;
    bool waits_, pondering_, done_ = false;
    std::optional<Found<M>> found_;
    std::exception_ptr failure_;
    std::thread thread_;
};

inline Limit make_limit(int depth, std::uint64_t nodes, int win = 0, double time = 0,
                        std::optional<double> clock = std::nullopt, double increment = 0, int moves_to_go = 0,
                        double overhead = 0, bool ponder = false) {
    const auto ms = [](double seconds) { return static_cast<std::int64_t>(std::clamp(1000 * seconds, -1e12, 1e12)); };
    Limit limit;
    limit.depth = depth;
    limit.nodes = nodes;
    limit.win = win;
    limit.time_ms = time > 0 ? std::max<std::int64_t>(1, ms(time)) : 0;
    if (clock) limit.clock = Clock{std::max<std::int64_t>(0, ms(*clock)), ms(increment), moves_to_go};
    limit.overhead_ms = ms(overhead);
    limit.pondering = ponder;
    return limit;
}

template <class M>
void bind_search(nb::module_& m) {
    using S = PySearch<M>;
    nb::class_<S>(m, "Search", "A search under way.")
        .def("stop", &S::stop, "Ends the search; its result comes at once.")
        .def("ponderhit", &S::ponder_hit, "Tells that the expected move was played: time counts from now on.")
        .def(
            "next",
            [](S& search) -> nb::object {
                const auto info = search.next();
                if (!info) return nb::none();
                return nb::make_tuple(info->depth, info->seldepth, info->rank, info->score,
                                      static_cast<int>(info->bound), info->nodes, info->seconds, info->hashfull,
                                      move_list(search.board(), info->pv));
            },
            nb::sig("def next(self) -> tuple[typing.Any, ...] | None"),
            "What it told next: depth, seldepth, rank, score, bound, nodes, seconds, hashfull, moves; None at the end.")
        .def(
            "result",
            [](S& search) {
                const auto found = search.result();
                const auto& board = search.board();
                return nb::make_tuple(PyMove<M>::wrap(board, found.move),
                                      found.ponder ? nb::cast(PyMove<M>::wrap(board, *found.ponder)) : nb::none(),
                                      found.score, static_cast<int>(found.bound), found.depth, found.nodes,
                                      found.seconds);
            },
            nb::sig("def result(self) -> tuple[Move, Move | None, int, int, int, int, float]"),
            "Waits for the end: the move, the reply expected, score, bound, depth, nodes and seconds.");
}

template <class M>
void bind_engine(nb::module_& m, nb::class_<PyBoard<M>>& board) {
    using E = PyEngine<M>;
    using B = PyBoard<M>;
    using P = typename PyMove<M>::Type;
    bind_search<M>(m);
    nb::class_<E>(m, "Engine", "The search behind damier.Engine, which is the one to use.")
        .def(
            "set_threads",
            [](E& e, long long threads) {
                check_count("threads", threads, 1, MaxThreads);
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
            "set_evaluator", [](E& e, std::shared_ptr<AnyEvaluator> to) { e.idle().set_evaluator(std::move(to)); },
            "evaluator"_a)
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
        .def("forget", [](E& e) { e.idle().forget(); })
        .def(
            "start",
            [](const E& e, const B& b, int depth, std::uint64_t nodes, int win, double time,
               std::optional<double> clock, double increment, int moves_to_go, double overhead, bool infinite,
               bool ponder, int lines, const std::vector<P>& only) {
                check_count("multipv", lines, 1, 500);
                std::vector<M> moves;
                for (const P& given : only) {
                    const M move = checked<M>(b, given);
                    if (std::ranges::find(moves, move) == moves.end()) moves.push_back(move);
                }
                const Limit limit =
                    make_limit(depth, nodes, win, time, clock, increment, moves_to_go, overhead, ponder);
                if (b.door->count_legal_moves() == 0)
                    throw MoveError("there is no legal move to choose from in " + b.door->fen());
                return new PySearch<M>(e, b, limit, infinite, lines, std::move(moves));
            },
            nb::rv_policy::take_ownership, "board"_a, nb::kw_only(), "depth"_a = 0, "nodes"_a = 0, "win"_a = 0,
            "time"_a = 0.0, "clock"_a = nb::none(), "increment"_a = 0.0, "moves_to_go"_a = 0, "overhead"_a = 0.01,
            "infinite"_a = false, "ponder"_a = false, "lines"_a = 1, "only"_a = std::vector<P>{},
            "Starts a search and returns at once.")
        .def(
            "think",
            [](const E& e, const B& b, int depth, std::uint64_t nodes, double time, std::optional<double> clock,
               double increment, int moves_to_go, double overhead, StopFlag* flag) {
                const Limit limit = make_limit(depth, nodes, 0, time, clock, increment, moves_to_go, overhead, false);
                const Alone alone(*e.busy);
                const auto door = b.door->copy();
                StopFlag own;
                const auto found = interruptible(
                    [&](const std::atomic<bool>& stop) {
                        e.door->arm(limit);
                        return e.door->run(*door, limit, 1, {}, nullptr, &stop);
                    },
                    flag ? flag->raised : own.raised);
                return nb::make_tuple(PyMove<M>::wrap(b, found.move), found.score, found.depth, found.nodes);
            },
            "board"_a, nb::kw_only(), "depth"_a = 0, "nodes"_a = 0, "time"_a = 0.0, "clock"_a = nb::none(),
            "increment"_a = 0.0, "moves_to_go"_a = 0, "overhead"_a = 0.01, "stop"_a = nb::none(),
            nb::sig("def think(self, board: Board, *, depth: int = 0, nodes: int = 0, time: float = 0.0, clock: float "
                    "| None = None, increment: float = 0.0, moves_to_go: int = 0, overhead: float = 0.01, "
                    "stop: damier._core.StopFlag | None = None) -> tuple[Move, int, int, int]"),
            "Searches on this thread, telling nothing on the way: the move, score, depth and nodes.")
        .def(
            "play_on",
            [](const E& e, B& b, const E& rival, const std::array<MoveLimit, 2>& limits, long long longest,
               const Adjudicator& adjudicator, StopFlag& flag) {
                check_count("longest", longest, 0, 1'000'000);
                const Alone alone(*e.busy);
                const Alone rival_alone(*rival.busy);  // which tells that a rival must be another engine
                const auto seat = [](const E& engine, const MoveLimit& limit) {
                    const auto& [depth, nodes, time, overhead] = limit;
                    return Seat<M>{engine.door.get(), make_limit(depth, nodes, 0, time, std::nullopt, 0, 0, overhead)};
                };
                const std::array<Seat<M>, 2> by_turn{seat(e, limits[0]), seat(rival, limits[1])};
                const bool white_first = b.door->turn() == Side::White;
                const std::array<Seat<M>, 2> seats{by_turn[white_first ? 0 : 1], by_turn[white_first ? 1 : 0]};
                const auto door = b.door->copy();
                Turns turns;
                const auto agreed = interruptible(
                    [&](const std::atomic<bool>& stop) {
                        return play_on(*door, seats, static_cast<std::size_t>(longest), adjudicator, turns, stop);
                    },
                    flag.raised);
                for (std::size_t ply = b.door->moves().size(); ply < door->moves().size(); ++ply)
                    b.door->push(door->moves()[ply]);
                return std::tuple(score_of(agreed), turns.scores, turns.depths, turns.nodes, turns.seconds);
            },
            "board"_a, "rival"_a, nb::kw_only(), "limits"_a, "longest"_a, "adjudicator"_a, "stop"_a,
            "Plays the game to its end against another engine, this one to move. A limit is depth, nodes, seconds and "
            "overhead. Returns the result if the adjudicator gave one, then scores, depths, nodes and seconds a move.")
        .def(
            "play_games",
            [](const E& e, const B& b, long long games, std::uint64_t seed, std::uint64_t first_game,
               long long random_plies, std::uint64_t nodes, int depth, StopFlag* flag) {
                check_count("games", games, 0, MaxGames);
                check_count("random_plies", random_plies, 0, 60);
                const SelfPlay settings{seed, first_game, static_cast<int>(games), static_cast<int>(random_plies),
                                        make_limit(depth, nodes)};
                StopFlag own;
                const auto door = b.door->copy();
                if (nodes == 0 && depth <= 0) throw Error("self-play needs a limit of nodes or depth a move");
                const Alone alone(*e.busy);
                auto& engine = *e.door;
                auto played = interruptible(
                    [&](const std::atomic<bool>& stop) { return play_against_itself(engine, *door, settings, stop); },
                    flag ? flag->raised : own.raised);
                nb::dict columns = as_columns(std::move(played));
                columns["scores"] = as_numpy(std::move(played.scores));
                columns["score_ends"] = as_numpy(std::move(played.score_ends));
                return columns;
            },
            "board"_a, "games"_a, nb::kw_only(), "seed"_a = 0, "first_game"_a = 0, "random_plies"_a = 8,
            "nodes"_a = 1000, "depth"_a = 0, "stop"_a = nb::none(),
            nb::sig("def play_games(self, board: Board, games: int, *, seed: int = 0, first_game: int = 0, "
                    "random_plies: int = 8, nodes: int = 1000, depth: int = 0, stop: damier._core.StopFlag | None = "
                    "None) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
            "Plays games against itself without the GIL and returns them as columns, with a score a ply.");
    board.def("engine", [](const B& b) { return E{b.door->engine()}; }, "A search for this game, see damier.Engine.");
}

}  // namespace damier
