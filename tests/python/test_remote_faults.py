"""Engines that misbehave: each fault is named, in bounded time, and no process is left."""

from __future__ import annotations

import os
import resource
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from engine_bench import ENGINES, OTHER, PATIENT, Bench

import damier
from damier import DamierError, Limit, chess
from damier._core import StopFlag
from damier.arena.match import Match
from damier.engine import PlayerError
from damier.players import player
from damier.protocols import UciEngine, XboardEngine, process
from damier.protocols.xboard import client as xboard

BRIEF = 0.5  # seconds: how long the tests wait for what never comes


AT_START = {
    "crash at start": ("crash", "exit code 3, last output: cannot find my book"),
    "closed stdout": ("crash", "closed its output"),
    "closed stdin": ("stall", "no uciok within 0.5 s"),
    "no greeting": ("stall", "no uciok within 0.5 s"),
    "only flood": ("stall", "no uciok within 0.5 s"),
}


def _patience(kind: str) -> float:
    return BRIEF if kind == "stall" else PATIENT


@pytest.mark.parametrize("mode", AT_START)
def test_faults_at_the_start(bench: Bench, mode: str) -> None:
    kind, words = AT_START[mode]
    with pytest.raises(PlayerError) as error:
        bench.uci(mode, patience=_patience(kind))
    assert error.value.kind == kind
    assert words in error.value.message


class Hurried(UciEngine):
    """PATIENT with a greeting, not with what comes after."""

    def _wait_until_ready(self, timeout: float) -> None:
        super()._wait_until_ready(BRIEF)


def test_an_engine_that_is_never_ready(bench: Bench) -> None:
    with pytest.raises(PlayerError, match="stall: no readyok within"):
        Hurried("chess", bench.command("never ready"))


IN_SEARCH = {
    "crash in search": ("crash", "killed by SIGSEGV"),
    "hang in search": ("stall", "within"),
    "immortal": ("stall", "within"),
    "illegal move": ("illegal move", "'e2e5'"),
    "no move": ("garbage", "'nothing'"),
    "nonsense": ("garbage", "$$!"),
}
LIMITS = [Limit(time=0.1), Limit(white_clock=0.1, black_clock=50), Limit(depth=4)]


@pytest.mark.parametrize("mode", IN_SEARCH)
def test_faults_in_a_search(bench: Bench, mode: str) -> None:
    for limit in LIMITS if mode == "hang in search" else LIMITS[:1]:
        engine = bench.uci(mode)
        engine.new_game(chess.Board())
        kind, words = IN_SEARCH[mode]
        with pytest.raises(PlayerError) as error:
            engine.play(chess.Board(), limit, margin=_patience(kind))
        assert error.value.kind == kind
        assert words in error.value.message
        assert engine.pid is None
        with pytest.raises(DamierError, match="is closed"):
            engine.play(chess.Board(), limit)


@pytest.mark.usefixtures("slow_greeting")
@pytest.mark.parametrize("protocol", ENGINES)
def test_a_hang_before_a_search_costs_the_time_of_the_move(bench: Bench, protocol: str) -> None:
    make, game, _ = ENGINES[protocol]
    engine = make(game, bench.command("ready once", protocol))
    with pytest.raises(PlayerError, match=r"stall: no .* within 0\.6 s"):
        engine.play(damier.board(game), Limit(time=0.1), margin=BRIEF)


@pytest.mark.usefixtures("slow_greeting")
@pytest.mark.parametrize("protocol", ENGINES)
def test_a_stop_does_not_wait_for_an_engine_to_get_ready(bench: Bench, protocol: str) -> None:
    make, game, _ = ENGINES[protocol]
    engine = make(game, bench.command("ready once", protocol))
    with pytest.raises(PlayerError, match=r"stall: no .* after the stop"):
        engine.new_game(damier.board(game), stop=flag_that_is_set())


def test_a_stop_does_not_wait_for_an_engine_to_start(bench: Bench) -> None:
    partner = player(f"uci:{bench.command('no greeting')}")
    with pytest.raises(PlayerError, match="stall: no uciok after the stop"):
        partner.new_game(chess.Board(), stop=flag_that_is_set())


def flag_that_is_set() -> StopFlag:
    flag = StopFlag()
    flag.set()
    return flag


@pytest.mark.parametrize("mode", ["crash in search", "hang in search", "illegal move", "no move", "nonsense"])
@pytest.mark.parametrize("protocol", OTHER)
def test_faults_in_other_protocols(bench: Bench, protocol: str, mode: str) -> None:
    make, game, illegal = OTHER[protocol]
    kind, words = IN_SEARCH[mode]
    if (protocol, mode) == ("xboard", "no move"):
        kind, words = "resignation", "resign"
    board = damier.board(game)
    with make(game, bench.command(mode, protocol)) as engine:
        engine.new_game(board)
        with pytest.raises(PlayerError) as error:
            engine.play(board, Limit(time=0.1), margin=_patience(kind))
    assert error.value.kind == kind
    assert words.replace("e2e5", illegal) in error.value.message


@pytest.mark.parametrize("mode", ["good", "twice", "crlf", "garbage", "flood", "long line"])
@pytest.mark.parametrize("protocol", OTHER)
def test_oddities_in_other_protocols(bench: Bench, protocol: str, mode: str) -> None:
    make, game, _ = OTHER[protocol]
    board = damier.board(game)
    with make(game, bench.command(mode, protocol)) as engine:
        assert engine.name in ("bad engine", "bad 1")
        for _ in range(2):
            board.push(engine.play(board, Limit(time=2), margin=PATIENT).move)
            board.push(list(board.legal_moves)[-1])


@pytest.mark.parametrize("mode", ["talks", "sleeps at start"])
def test_words_in_xboard_that_nothing_follows_from(bench: Bench, mode: str) -> None:
    with XboardEngine("chess", bench.command(mode, "xboard")) as engine:
        assert engine.name == "bad engine"
        assert str(engine.play(chess.Board(), Limit(time=0.1), margin=PATIENT).move) == "e2e4"


def test_a_draw_claimed_instead_of_a_move_is_a_stall(bench: Bench) -> None:
    engine = XboardEngine("chess", bench.command("only talks", "xboard"))
    with pytest.raises(PlayerError, match=r"stall: .*, last output: 1/2-1/2 \{Draw by repetition\}"):
        engine.play(chess.Board(), Limit(time=1), margin=BRIEF)


@pytest.mark.usefixtures("slow_greeting")
def test_wrong_answers_to_ping_are_no_reason_to_wait_for_ever(bench: Bench) -> None:
    with pytest.raises(PlayerError, match="stall: no pong 1 within"):
        XboardEngine("chess", bench.command("wrong pong", "xboard"), patience=BRIEF)


@pytest.mark.parametrize("mode", ["no move", "white resigns"])
def test_an_engine_that_resigns_keeps_running(bench: Bench, mode: str) -> None:
    with XboardEngine("chess", bench.command(mode, "xboard")) as engine:
        pid = engine.pid
        for _ in range(2):
            engine.new_game(chess.Board())
            with pytest.raises(PlayerError, match=r"resignation: .*resign"):
                engine.play(chess.Board(), Limit(time=0.1), margin=PATIENT)
        assert engine.pid == pid


def test_a_match_ends_by_resignation(bench: Bench) -> None:
    spec = f"xboard:{bench.command('no move', 'xboard')},name=coward"
    tally = Match("chess", "random", spec, games=4).run()
    assert (tally.wins, tally.endings) == (4, {"resignation": 4})


@pytest.mark.parametrize("mode", ["no greeting", "never ready", "crash at start"])
@pytest.mark.parametrize("protocol", OTHER)
def test_bad_starts_in_other_protocols(bench: Bench, monkeypatch: pytest.MonkeyPatch, protocol: str, mode: str) -> None:
    make, game, _ = OTHER[protocol]
    if mode != "no greeting":
        monkeypatch.setattr(xboard, "FEATURE_TIMEOUT", PATIENT)
    kind = "crash" if "crash" in mode else "stall"
    with (
        pytest.raises(PlayerError) as error,
        make(game, bench.command(mode, protocol), patience=_patience(kind)) as engine,
    ):
        engine.play(damier.board(game), Limit(time=0.1), margin=_patience(kind))  # xboard need not greet
    assert error.value.kind == kind


@pytest.mark.parametrize("mode", ["twice", "crlf", "garbage", "flood", "flood of errors", "long line"])
def test_oddities_that_cost_nothing(bench: Bench, mode: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with bench.uci(mode) as engine:
        board = chess.Board()
        engine.new_game(board)
        for expected in ("e2e4", "g1f3"):
            assert str(engine.play(board, Limit(time=2), margin=PATIENT).move) == expected
            board.play(expected)
            board.push(next(iter(board.legal_moves)))
            time.sleep(0.05)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # KiB


def test_an_engine_comes_back_after_a_fault(bench: Bench) -> None:
    engine = bench.uci("crash in search")
    with pytest.raises(PlayerError):
        engine.play(chess.Board(), Limit(time=0.1), margin=PATIENT)
    engine.command = bench.command("good")
    engine.restart()
    assert str(engine.play(chess.Board(), Limit(time=0.1), margin=PATIENT).move) == "e2e4"
    engine.close()


def test_an_unread_input_does_not_block(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "SEND_TIMEOUT", 0.3)
    engine = bench.uci("unread")
    with pytest.raises(PlayerError, match="stall: did not read its input"):
        engine._send(1_000_000 * "x")
    engine.close()


def test_stop_ends_a_search_that_would_not_end() -> None:
    with UciEngine("chess", f"{sys.executable} -m damier uci") as engine, in_its_search(engine, engine.stop):
        assert engine.play(chess.Board(), Limit(infinite=True)).move in chess.Board().legal_moves


@contextmanager
def in_its_search(engine: UciEngine, act: Callable[[], None]) -> Iterator[None]:
    """Does something from another thread once the engine searches."""

    def wait() -> None:
        while not engine._searching and not over.wait(0.02):
            pass
        act()

    over, waiting = threading.Event(), threading.Thread(target=wait)
    waiting.start()
    try:
        yield
    finally:
        over.set()
        waiting.join()


def test_an_engine_that_ignores_stop_stalls(bench: Bench) -> None:
    engine = bench.uci("hang in search")
    stalled = pytest.raises(PlayerError, match="stall: no move after the stop")
    with in_its_search(engine, engine.stop), stalled:
        engine.play(chess.Board(), Limit(infinite=True), margin=0.2)


def test_closing_from_another_thread_ends_the_search(bench: Bench) -> None:
    engine = bench.uci("hang in search")
    with in_its_search(engine, engine.close), pytest.raises(PlayerError, match="crash"):
        engine.play(chess.Board(), Limit(infinite=True))


def test_an_engine_is_of_our_session_and_of_its_own_process_group(bench: Bench) -> None:
    """Linux shares out time by session, so that one of its own would starve us; Ctrl-C goes to our group only."""
    with bench.uci("good") as engine:
        assert engine.pid
        assert os.getsid(engine.pid) == os.getsid(0)
        assert os.getpgid(engine.pid) == engine.pid != os.getpgid(0)


def test_no_engine_outlives_us(bench: Bench) -> None:
    script = f"""
from damier.protocols import UciEngine
engine = UciEngine("chess", {bench.command("immortal")!r})
forgotten = UciEngine("chess", {bench.command("immortal")!r})
del forgotten
raise SystemExit(7)
"""
    assert subprocess.run([sys.executable, "-c", script], timeout=20, check=False).returncode == 7


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_no_engine_outlives_a_command_that_is_ended(bench: Bench, number: int, code: int) -> None:
    asked = ["match", "chess", "random", f"uci:{bench.command('hang in search')}", "--movetime", "600", "--games", "2"]
    kept = Path(bench.token, "kept")
    process = subprocess.Popen(
        [sys.executable, "-m", "damier", *asked, "--out", str(kept)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not bench.searches() and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    again = shlex.join(["damier", *asked, "--out", str(kept), "--resume"])
    assert (process.returncode, said) == (code, f"interrupted; resume with `{again}`\n")
    assert bench.left() == []
