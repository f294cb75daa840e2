"""What the arena costs besides the players: bench/arena.py [--games N] [--rounds N] [--write FILE].

Games per second of an in-process match, the share of its time outside search, and what a move of an external engine
costs over its own time, all through `Match`. Other work on the machine only makes it worse: the best of some
rounds counts.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from time import perf_counter, perf_counter_ns, process_time
from typing import Any

import damier
from damier.arena.match import Match
from damier.protocols.uci.text import format_move, parse_move
from damier.storage.pairs import Pair
from page import print_page

GAMES = ("loa", "chess", "international")
Nodes = 500  # per move
ABOUT = """\
By `bench/arena.py`, best of {rounds} rounds. In process the engine plays itself at {nodes} nodes per move: games per
second of CPU time, so that other load does not count, and the share of the wall time spent outside the search, openings
included. A move of an external engine is timed as its clock would be. The measured engine reports its own time, which
is subtracted; Stockfish at one node per move does not, and the whole move is shown.

"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="of an in-process match, an even number")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--engine", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.engine:
        MeasuredEngine().serve(asked.engine)
        return
    print_page(rows(asked.games, asked.rounds), asked.write)


def rows(games: int, rounds: int) -> Iterator[str]:
    yield "# The arena beside its players"
    yield ""
    yield from ABOUT.format(rounds=rounds, nodes=Nodes).splitlines()
    yield "| game | games | plies per game | games/s per core | outside search |"
    yield "|---|---|---|---|---|"
    for played in GAMES:
        yield in_process(played, games, rounds)
    yield ""
    yield "| engine | game | moves | median | 90 % | 99 % |"
    yield "|---" * 6 + "|"
    for played in GAMES:
        yield external(played, rounds)
    if stockfish := shutil.which("stockfish", path="/usr/games:/usr/local/bin:/usr/bin"):
        yield whole_move(stockfish, rounds)


class Watched(Match):
    """A match that shows its games."""

    def forget(self) -> None:
        super().forget()
        self.pairs: list[Pair] = []

    def count(self, key: int, pair: Pair) -> None:
        super().count(key, pair)
        self.pairs.append(pair)


# In process


def in_process(game: str, games: int, rounds: int) -> str:
    """Speed by the time of the core; what search takes and what all takes by the clock, of the same run."""
    spec = f"engine:nodes={Nodes}"
    core, shares = [], []
    for _ in range(rounds):
        match = Watched(game, spec, spec, games=games)
        start, clock = process_time(), perf_counter()
        match.run()
        core.append(process_time() - start)
        whole = perf_counter() - clock
        seconds = [seconds or 0 for pair in match.pairs for played in pair for seconds in played.seconds]
        shares.append(1 - sum(seconds) / whole)
    return f"| {game} | {games} | {len(seconds) / games:.0f} | {games / min(core):.0f} | {min(shares):.1%} |"


# External engines


def external(game: str, rounds: int) -> str:
    """The seconds of each move less those of the engine itself, of the best round."""
    costs = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            diary = Path(folder, "own")
            command = shlex.join([sys.executable, str(Path(__file__).resolve()), "--engine", str(diary)])
            seconds = move_seconds(game, f"uci:{command},name=measured")
            own = json.loads(diary.read_text(encoding="utf-8"))
        assert len(own) == len(seconds), "not the moves of the engine"
        costs.append([whole - part for whole, part in zip(seconds, own, strict=True)])
    return cost_row("measured, over its own time", game, costs)


def whole_move(stockfish: str, rounds: int) -> str:
    costs = [move_seconds("chess", f"uci:{stockfish},nodes=1") for _ in range(rounds)]
    return cost_row("Stockfish, the whole move", "chess", costs)


def move_seconds(game: str, spec: str) -> list[float]:
    """The seconds of every move of the first player against one that plays at random."""
    match = Watched(game, spec, "random", games=4)
    match.run()
    seconds = []
    for played in (played for pair in match.pairs for played in pair):
        white_begins = (damier.board(game, played.fen).turn == damier.Side.WHITE) == (played.opening_plies % 2 == 0)
        ours = white_begins == (played.half == 1)
        seconds += [each or 0 for each in played.seconds[0 if ours else 1 :: 2]]
    return seconds


def cost_row(name: str, game: str, costs: list[list[float]]) -> str:
    best = min(costs, key=lambda cost: quantiles(cost, n=100)[89])
    cuts = quantiles(best, n=100)
    shown = " | ".join(f"{1000 * cuts[at]:.2f} ms" for at in (49, 89, 98))
    return f"| {name} | {game} | {len(best)} | {shown} |"


class MeasuredEngine:
    """A UCI engine that plays any move and keeps account of the time it has something to do."""

    def __init__(self) -> None:
        self._game, self._moves = "chess", 0
        self._board: Any = None
        self._busy_ns = 0
        self._own: list[float] = []  # seconds of each move: all lines since the last one, `go` included

    def serve(self, diary: Path) -> None:
        for line in iter(sys.stdin.readline, ""):
            start = perf_counter_ns()
            if line == "quit\n":
                break
            answer = self._answer(line.split())
            self._busy_ns += perf_counter_ns() - start
            if line.startswith("go"):
                self._own.append(self._busy_ns / 1e9)
                self._busy_ns = 0
            if answer:
                print(answer, flush=True)
        diary.write_text(json.dumps(self._own), encoding="utf-8")

    def _answer(self, words: list[str]) -> str:
        match words:
            case ["uci"]:
                known = " ".join(f"var {name}" for name in damier.GAMES)
                return f"id name measured\noption name UCI_Variant type combo default chess {known}\nuciok"
            case ["isready"]:
                return "readyok"
            case ["ucinewgame"]:
                self._board, self._busy_ns = None, 0
            case ["setoption", "name", "UCI_Variant", "value", game]:
                self._game = game
            case ["position", *rest]:
                self._set_up(rest)
            case ["go", *_]:
                return f"bestmove {format_move(self._board, next(iter(self._board.legal_moves)))}"
        return ""

    def _set_up(self, words: list[str]) -> None:
        """Follow the game; only moves that are new are played."""
        at = words.index("moves") if "moves" in words else len(words)
        moves = words[at + 1 :]
        if self._board is None or len(moves) < self._moves:
            fen = None if words[0] == "startpos" else " ".join(words[1:at])
            self._board, self._moves = damier.board(self._game, fen), 0
        for word in moves[self._moves :]:
            self._board.push(parse_move(self._board, word))
        self._moves = len(moves)


if __name__ == "__main__":
    main()
