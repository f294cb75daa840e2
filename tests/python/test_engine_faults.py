"""What goes wrong around a search must not go wrong with it: errors, odd limits and other threads."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from common import out, refusal

import damier
from damier import Engine, Limit, chess, draughts, jobs, loa
from damier._core import MAX_THREADS
from damier.engine import Score
from damier.eval import Layer, Linear, Network

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/4k3/8/8/8/K6R w - - 0 1",
        "8/8/8/3k4/8/8/8/QK6 w - - 0 1",
        "8/8/8/4k3/8/8/8/KBB5 w - - 0 1",
        "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",
    ],
)
def test_a_lone_king_is_mated(fen: str) -> None:
    board, engine = chess.Board(fen), Engine("chess")
    while not board.outcome(claim_draw=True):
        board.push(engine.play(board, Limit(nodes=30_000)).move)
    assert str(board.outcome(claim_draw=True)) == str(chess.Board("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1").outcome())


def test_the_clock_of_the_other_side_is_no_limit() -> None:
    engine = Engine("chess", hash=1)
    for board, limit in ((chess.Board(AFTER_E4), Limit(white_clock=1)), (chess.Board(), Limit(black_clock=1))):
        with pytest.raises(damier.DamierError, match="sets no end"):
            engine.play(board, limit)
        with pytest.raises(damier.DamierError, match="sets no end"):
            engine.analyse(board, limit)


def test_an_error_inside_an_analysis_leaves_the_engine_free() -> None:
    engine = Engine("chess", hash=1)
    for _ in range(10):
        with pytest.raises(ZeroDivisionError), engine.analysis(chess.Board()):
            _ = 1 / 0
        assert engine.play(chess.Board(), Limit(nodes=100)).move


def test_a_function_that_fails_ends_the_search_at_once() -> None:
    def fails(board: chess.Board) -> float:
        raise ValueError("no idea")

    engine = Engine("chess", hash=1, eval=fails)
    start = time.monotonic()
    with pytest.raises(ValueError, match="no idea"):
        engine.play(chess.Board(), Limit(time=20))
    assert time.monotonic() - start < 10
    engine.eval = "classic"
    assert engine.play(chess.Board(), Limit(nodes=500)).move


def test_a_slow_function_keeps_the_time() -> None:
    def slow(board: chess.Board) -> float:
        time.sleep(0.005)
        return 0.0

    start = time.monotonic()
    Engine("chess", hash=1, eval=slow).play(chess.Board(), Limit(time=0.1))
    assert time.monotonic() - start < 4  # a look at the clock every 1,024 evaluations would take five seconds


def test_an_engine_takes_every_evaluation() -> None:
    board = damier.draughts.Board(variant="paris")
    for eval in (Linear("paris", [1, 2, 3, 4]), lambda _: 5.0, "paris"):
        assert Engine("paris", hash=1, eval=eval).play(board, Limit(nodes=200)).move in board.legal_moves


@pytest.mark.parametrize("nodes", [1, 2, 30])
def test_the_least_of_searches_has_a_line(nodes: int) -> None:
    lines = Engine("chess", hash=1).analyse(chess.Board(), Limit(nodes=nodes), multipv=2)
    assert lines
    assert lines[0].pv[0] in chess.Board().legal_moves
    assert lines[0].nodes >= 1


def test_a_move_asked_for_twice_is_searched_once() -> None:
    board = chess.Board()
    moves = [board.parse(text) for text in ("a3", "a3", "h3")]
    lines = Engine("chess", hash=1).analyse(board, Limit(depth=3), multipv=5, searchmoves=moves)
    assert sorted(board.text(line.pv[0]) for line in lines) == ["a3", "h3"]
    with pytest.raises(damier.DamierError, match="no move"):
        Engine("chess", hash=1).play(board, Limit(depth=3), searchmoves=[])


@pytest.mark.parametrize("nodes", [300, 900, 2000, 5000])
def test_lines_of_a_search_cut_off_are_in_order_and_distinct(nodes: int) -> None:
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
    engine = Engine("chess", hash=1)
    while not board.outcome() and board.ply < 24:
        lines = engine.analyse(board, Limit(nodes=nodes), multipv=3)
        assert len({line.pv[0] for line in lines}) == len(lines)
        scores = [line.score for line in lines]
        assert scores == sorted(scores, reverse=True)
        board.push(lines[0].pv[0])


def test_settings_wait_for_games_to_end() -> None:
    board = loa.Board()
    core = damier._core.Engine(board.variant)
    stop = damier._core.StopFlag()
    games = threading.Thread(target=lambda: core.play_games(board, 10_000, nodes=1000, stop=stop))
    games.start()
    try:
        time.sleep(0.05)
        for change in (lambda: core.set_hash(2048), lambda: core.set_threads(2), core.clear):
            with pytest.raises(damier.DamierError, match="searching"):
                change()
    finally:
        stop.set()
        games.join()


def test_self_play_stops_within_a_move() -> None:
    board = loa.Board()
    stop = damier._core.StopFlag()
    threading.Timer(0.1, stop.set).start()
    start = time.monotonic()
    assert len(damier._core.Engine(board.variant).play_games(board, 1, nodes=10**12, stop=stop)["results"]) == 0
    assert time.monotonic() - start < 5


def test_an_evaluation_may_be_used_by_several_threads() -> None:
    net = Network("bing", [Layer(np.ones((50, 14)), activation="tanh"), Layer(np.ones((1, 50)))])
    board = loa.Board()
    evaluator = net.evaluator(board)
    wanted = board.evaluate(evaluator)
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            assert board.evaluate(evaluator) == wanted

    looking = threading.Thread(target=look)
    looking.start()
    try:
        for _ in range(20):
            damier.textbook.search(board, "alphabeta", depth=2, eval=evaluator)
    finally:
        stop.set()
        looking.join()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Engine("chess", level=3, elo=2000), "not both"),
        (lambda: Engine("chess", hash=10**20), "hash is"),
        (lambda: Engine("chess", threads=10**20), "threads is"),
        (lambda: Engine("chess", options={"null_move": 10**30}), "null_move is"),
        (lambda: Limit(depth=2.5), "whole number"),  # type: ignore[arg-type]
        (lambda: Limit(time="1"), "number of seconds"),  # type: ignore[arg-type]
        (lambda: Limit(white_inc=-1), "white_inc is -1, expected 0 seconds or more"),
        (lambda: Linear("bing", [0.0] * 14, calibration=(0, 0)).evaluator(loa.Board()), "calibration"),
        (lambda: Linear("bing", [0.0] * 14, calibration=(float("nan"), 5)).evaluator(loa.Board()), "calibration"),
        (lambda: damier.textbook.search(loa.Board(), "mcts", seed=-1), "seed is -1"),
        (lambda: damier.textbook.search(loa.Board(), "mcts", simulations=10**30), "simulations is"),
    ],
)
def test_what_cannot_be_is_refused(make: Any, words: str) -> None:
    with pytest.raises(damier.DamierError, match=words):
        make()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Engine("loa").analyse(loa.Board(), 5), "limit is 5, expected a Limit"),  # type: ignore[call-overload]
        (lambda: Engine("loa").analysis(loa.Board(), 5), "limit is 5, expected a Limit"),  # type: ignore[arg-type]
        (lambda: Engine("loa", elo="x"), "elo is 'x', expected a number"),  # type: ignore[arg-type]
        (lambda: Engine("loa", level=[]), r"level is \[\], expected 1 to 10"),  # type: ignore[arg-type]
        (lambda: Engine([]), r"game is \[\], expected a name"),  # type: ignore[arg-type]
        (lambda: draughts.Board(variant=""), "'' is not a variant of draughts"),
        (lambda: draughts.Board(variant=[]), r"variant is \[\], expected a name"),  # type: ignore[arg-type]
        (lambda: Engine("loa").play(loa.Board(), Limit(depth=1), searchmoves=["b1-b9"]), "'b1-b9'"),
        (
            lambda: Engine("loa").play(loa.Board(), Limit(depth=1), searchmoves=[5]),  # type: ignore[list-item]
            "searchmoves has 5, expected moves or their texts",
        ),
        (lambda: damier.players.player(f"engine:elo={10**20}"), "expected a whole number of at most 18 digits"),
    ],
)
def test_arguments_of_another_type_are_refused_in_a_line(make: Any, words: str) -> None:
    with pytest.raises(damier.DamierError, match=words) as raised:
        make()
    assert "\n" not in str(raised.value)


def test_moves_to_search_may_be_texts() -> None:
    board = loa.Board()
    found = Engine("loa").analyse(board, Limit(depth=2), searchmoves=["b1-b3", board.parse("c1-c3")])
    assert str(found.move) in ("b1-b3", "c1-c3")


def test_a_score_is_compared_with_scores_only() -> None:
    with pytest.raises(TypeError):
        _ = Score(3) < 5  # type: ignore[operator]


@pytest.mark.parametrize("cut", [0.0, 0.3, 0.9])
def test_a_damaged_network_is_refused(tmp_path: Path, cut: float) -> None:
    net = Network("bing", [Layer(np.ones((1, 14)))])
    net.save(tmp_path / "net", "loa")
    assert Network.load(tmp_path / "net").features == "bing"
    data = (tmp_path / "net").read_bytes()
    (tmp_path / "net").write_bytes(data[: int(cut * len(data))])
    with pytest.raises(damier.DamierError, match=r"net: (not a safetensors file|ends inside|.* ends beyond)"):
        Network.load(tmp_path / "net")


def test_what_was_finished_beside_an_error_is_kept() -> None:
    """The piece that fails ends last, together with others that are still waiting to be reported."""
    arrived = threading.Event()

    def work(piece: int, _: Any) -> int:
        if piece == 0:
            return 0
        arrived.wait(10)
        if piece == 3:
            raise ValueError(piece)
        return piece

    running = jobs.run(work, range(4), threads=4)
    finished = [next(running)]
    arrived.set()
    time.sleep(0.2)  # all three are done before anybody looks
    with pytest.raises(ValueError, match="3"):
        finished.extend(running)
    assert finished in ([0, 1, 2], [0, 2, 1])


def test_an_iterator_of_pieces_that_fails_stops_those_under_way() -> None:
    def pieces() -> Any:
        yield 1
        raise RuntimeError("no more")

    def work(_: int, stop: Any) -> None:
        start = time.monotonic()
        while not stop.is_set() and time.monotonic() - start < 20:
            time.sleep(0.01)

    start = time.monotonic()
    with pytest.raises(RuntimeError, match="no more"):
        list(jobs.run(work, pieces(), threads=4))
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("operation", ["dm;", "dm ²;", "dm 1 2;", "dm 0;"])
def test_a_bad_distance_in_a_suite_is_reported_with_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, operation: str
) -> None:
    file = tmp_path / "suite.epd"
    file.write_text(f"6k1/5ppp/8/8/8/8/8/R3K3 w - - {operation}\n", encoding="utf-8")
    assert "line 1: dm is" in refusal(capsys, "suite", str(file))


def test_a_suite_may_begin_with_a_mark_of_its_encoding(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "suite.epd"
    file.write_text("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\n", encoding="utf-8-sig")
    assert out(capsys, "suite", str(file), "--depth", "3").endswith("1/1\n")
    file.write_bytes(b"\xff\xfe6k1")
    assert str(file) in refusal(capsys, "suite", str(file))


class Bot:
    """Somebody who owns an engine that asks them: a cycle the collector must see."""

    def __init__(self) -> None:
        self.engine = Engine("loa5", eval=self.judge, hash=1)

    def judge(self, board: damier.Board) -> float:
        return float(len(board.legal_moves))


def test_an_engine_that_asks_its_owner_is_collected() -> None:
    bot = Bot()
    assert bot.engine.play(loa.Board(variant="loa5"), Limit(depth=2)).move
    gone = weakref.ref(bot), weakref.ref(bot.engine)
    del bot
    gc.collect()
    assert [each() for each in gone] == [None, None]


def test_an_evaluation_outlives_its_name_as_long_as_its_engine_does() -> None:
    engine = Bot().engine
    gc.collect()
    assert engine.play(loa.Board(variant="loa5"), Limit(depth=2)).move
    analysis = Bot().engine.analysis(loa.Board(variant="loa5"), Limit(depth=3))
    gc.collect()
    assert analysis.result().move


@pytest.mark.parametrize("threads", [1, 2])
def test_closing_an_engine_ends_its_analysis(threads: int) -> None:
    engine = Engine("chess", threads=threads)
    analysis = engine.analysis(chess.Board())
    engine.close()
    assert analysis.result().move in chess.Board().legal_moves
    with Engine("chess", threads=threads) as engine:
        analysis = engine.analysis(chess.Board(), ponder=True)
    assert analysis.result().move in chess.Board().legal_moves
    with pytest.raises(damier.DamierError, match="closed"):
        engine.analysis(chess.Board())


def test_an_engine_says_what_it_is() -> None:
    engine = Engine("english", level=3, hash=2)
    assert repr(engine) == "<Engine english, nnue, 1 thread, 2 MiB, level 3>"
    engine.close()
    assert repr(engine) == "<Engine english, closed>"


def test_what_is_not_a_number_is_no_evaluation() -> None:
    with pytest.raises(damier.DamierError, match="must return a finite number, got NaN"):
        Engine("loa", eval=lambda _: float("nan")).play(loa.Board(), Limit(depth=2))
    with pytest.raises(damier.DamierError, match="must return a number, got <class 'str'>"):
        Engine("loa", eval=lambda _: "good").play(loa.Board(), Limit(depth=2))  # type: ignore[arg-type, return-value]


def test_threads_and_tables_beyond_the_machine_are_refused_at_once() -> None:
    with pytest.raises(damier.DamierError, match=r"threads is 100000, expected at most \d+ on this machine"):
        Engine("chess", threads=100_000)
    engine = Engine("chess", hash=1)
    with pytest.raises(damier.DamierError, match=r"a table of 3000000 MiB does not fit into the \d+ MiB"):
        engine.hash = 3_000_000
    assert engine.hash == 1
    assert engine.play(chess.Board(), Limit(depth=1)).move


def test_a_failed_analysis_may_be_asked_again() -> None:
    def fail(_: damier.Board) -> float:
        raise RuntimeError("no idea")

    engine = Engine("loa5", eval=fail)
    analysis = engine.analysis(loa.Board(variant="loa5"), Limit(depth=2))
    for _ in range(3):
        with pytest.raises(RuntimeError, match="no idea"):
            analysis.result()
    with pytest.raises(RuntimeError, match="no idea"), engine.analysis(loa.Board(variant="loa5"), Limit(depth=2)) as it:
        it.result()


def test_an_engine_plays_any_board_of_its_game() -> None:
    class MyBoard(chess.Board):
        """Somebody's own."""

    engine = Engine("chess", hash=1)
    for board in (damier.Board(variant="chess"), MyBoard()):
        assert engine.play(board, Limit(depth=1)).move in board.legal_moves
    with pytest.raises(damier.DamierError, match="this engine plays chess, not loa"):
        engine.play(loa.Board(), Limit(depth=1))
    with pytest.raises(damier.DamierError, match="another game"):
        Engine("english").play(damier.board("russian"), Limit(depth=1))


def test_rules_do_not_share_what_was_searched() -> None:
    """The second repetition draws in one and the third in the other: scores of one are not those of the other."""
    board, fresh = damier.board("loa5"), Engine("loa5", hash=1)
    board.play_at_random(8, seed=3)
    wanted = fresh.analyse(board, Limit(depth=6))
    mixed = Engine("loa5", hash=1)
    mixed.analyse(damier.board("loa5:bing", board.fen()), Limit(depth=6))
    found = mixed.analyse(board, Limit(depth=6))
    assert (found.score, found.nodes) == (wanted.score, wanted.nodes)


def test_weights_of_another_variant_are_refused() -> None:
    small, large = damier.board("english"), damier.board("international")
    classic = small.evaluator("classic")
    for use in (large.weights, large.weight_groups, large.evaluate):
        with pytest.raises(damier.DamierError, match="belongs to another game"):
            use(classic)


@pytest.mark.parametrize(
    "work",
    [
        "run(lambda: damier.Engine(eval=judge).play(board, damier.Limit(time=99)))",
        "run(lambda: [damier.Engine(eval=judge).play(board, damier.Limit(nodes=50)) for _ in iter(int, 1)])",
        "run(lambda: damier.Engine(threads=2).play(board, damier.Limit(time=99)))",
        "run(lambda: damier.textbook.search(board, 'pvs', depth=30, eval=judge))",
        "analysis = damier.Engine(eval=judge).analysis(board)",
    ],
)
def test_a_program_ends_in_the_middle_of_a_search(work: str) -> None:
    program = f"""
import threading, damier
board, asked = damier.board("chess"), threading.Event()
judge = lambda board: asked.set() or 0.0
run = lambda act: threading.Thread(target=act, daemon=True).start()
{work}
asked.wait({"5" if "judge" in work else "0.2"})
"""
    ended = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_limit_of_nodes_is_spent_by_as_many_threads_as_there_may_be() -> None:
    engine = Engine("chess", threads=MAX_THREADS)
    for nodes in (1000, 20_000):
        looked_at = engine.play(chess.Board(), Limit(nodes=nodes)).nodes
        assert 0.9 * nodes <= looked_at <= nodes + MAX_THREADS
