"""Whole games through UCI: python-chess leads them and judges every move, Stockfish and GNU Chess play against us."""

from __future__ import annotations

import logging
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import chess
import chess.engine
import pytest

OURS = [sys.executable, "-m", "damier", "uci"]
OVERHEAD = 0.05  # seconds
LONGEST_GAME = 160  # plies; what is not decided then need not be
OPENINGS = ["", "e2e4 e7e5 g1f3 b8c6", "d2d4 d7d5 c2c4 e7e6", "e2e4 c7c5 g1f3 d7d6", "c2c4 g8f6 b1c3 g7g6"]


@dataclass(frozen=True)
class Rival:
    """Somebody else's engine: its command, its options and its limit per move."""

    name: str
    command: list[str]
    options: dict[str, Any]
    limit: chess.engine.Limit


RIVALS = {
    "stockfish": Rival("stockfish", [], {"Threads": 1, "Hash": 16}, chess.engine.Limit(nodes=2000)),
    "weak stockfish": Rival("stockfish", [], {"Threads": 1, "Skill Level": 0}, chess.engine.Limit(nodes=200)),
    "gnuchess": Rival("gnuchess", ["--uci"], {"OwnBook": False}, chess.engine.Limit(time=0.01)),
}


class Clock:
    """Our clock: what is left, and the limit a GUI sends. It counts the time we compute, not that spent waiting for a
    processor which is busy with other things.
    """

    def __init__(self, seconds: float, increment: float) -> None:
        self.left = {True: seconds, False: seconds}
        self.increment = increment

    def limit(self) -> chess.engine.Limit:
        return chess.engine.Limit(
            white_clock=self.left[True],
            black_clock=self.left[False],
            white_inc=self.increment,
            black_inc=self.increment,
        )


def started(rival: Rival) -> chess.engine.SimpleEngine:
    path = shutil.which(rival.name) or shutil.which(rival.name, path="/usr/games")
    if path is None:
        pytest.skip(f"{rival.name} is not installed")
    return chess.engine.SimpleEngine.popen_uci([path, *rival.command], timeout=20)


@pytest.fixture
def ours(caplog: pytest.LogCaptureFixture) -> Iterator[chess.engine.SimpleEngine]:
    """Our engine; python-chess logs every line it cannot make sense of, and of ours there may be none."""
    engine = chess.engine.SimpleEngine.popen_uci(OURS, timeout=20)
    engine.configure({"Hash": 16, "Move Overhead": round(1000 * OVERHEAD)})
    yield engine
    engine.quit()
    logged = [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.WARNING]
    assert [line for line in logged if "pid=" not in line or f"pid={engine.transport.get_pid()}" in line] == []


def play(
    ours: chess.engine.SimpleEngine, rival: Rival, board: chess.Board, we: bool, pace: Clock | None
) -> chess.Board:
    """Play on until the game ends or the rival breaks down, which is his own affair; every mistake of ours raises."""
    theirs = started(rival)
    game = object()
    try:
        theirs.configure(rival.options)
        while not board.is_game_over(claim_draw=True) and board.ply() < LONGEST_GAME:
            if board.turn == we:
                board.push(our_move(ours, board, game, pace))
                continue
            try:
                move = theirs.play(board, rival.limit, game=game).move
            except (chess.engine.EngineError, TimeoutError):
                return board
            if move is None:
                return board
            board.push(move)
    finally:
        theirs.close()
    return board


def our_move(ours: chess.engine.SimpleEngine, board: chess.Board, game: object, pace: Clock | None) -> chess.Move:
    start = computed(ours)
    limit = pace.limit() if pace else chess.engine.Limit(time=0.01)
    played = ours.play(board, limit, game=game, info=chess.engine.INFO_ALL)
    assert played.move is not None
    assert played.info["pv"][0] == played.move
    if pace:
        pace.left[board.turn] += pace.increment - (computed(ours) - start)
        assert pace.left[board.turn] >= 0, "lost on time"
    return played.move


def computed(engine: chess.engine.SimpleEngine) -> float:
    """The seconds that the process of an engine has computed."""
    return time.clock_gettime(~engine.transport.get_pid() << 3 | 2)  # Linux's number of that process's clock


def opening(number: int) -> chess.Board:
    board = chess.Board()
    for word in OPENINGS[number % len(OPENINGS)].split():
        board.push_uci(word)
    return board


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("rival", RIVALS)
def test_games_at_a_fixed_pace(ours: chess.engine.SimpleEngine, rival: str, number: int) -> None:
    play(ours, RIVALS[rival], opening(number), bool(number % 2), None)


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("rival", ["weak stockfish", "gnuchess"])
def test_games_on_the_clock(ours: chess.engine.SimpleEngine, rival: str, number: int) -> None:
    """One second and a hundredth per move: time is never lost."""
    play(ours, RIVALS[rival], opening(number), bool(number % 2), Clock(1.0, 0.01))


def test_chess960(ours: chess.engine.SimpleEngine) -> None:
    board = chess.Board.from_chess960_pos(77)
    play(ours, RIVALS["weak stockfish"], board, True, None)


def test_pondering_through_a_game(ours: chess.engine.SimpleEngine) -> None:
    """We think on their time: half the guesses are wrong and are stopped."""
    board, game = opening(1), object()
    theirs = started(RIVALS["weak stockfish"])
    try:
        theirs.configure(RIVALS["weak stockfish"].options)
        while not board.is_game_over(claim_draw=True) and board.ply() < 60:
            played = ours.play(board, chess.engine.Limit(time=0.02), game=game, ponder=True)
            assert played.move
            board.push(played.move)
            if board.is_game_over(claim_draw=True):
                break
            reply = theirs.play(board, chess.engine.Limit(nodes=200), game=game).move
            assert reply
            board.push(reply)
    finally:
        theirs.close()


def test_analysis_by_python_chess(ours: chess.engine.SimpleEngine) -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    lines = ours.analyse(board, chess.engine.Limit(depth=5), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert lines[0]["score"].relative == chess.engine.Mate(1)
    with ours.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 6:
                break
    assert analysis.wait().move in chess.Board().legal_moves
