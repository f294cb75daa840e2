"""Speed of the rules against named peers, measured in the same run: rules.py [--json] [--write FILE] [--only WORD].

One thread. Ours and the peer's runs alternate and the best of each counts, since machines are noisy; read the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import damier
from damier._core import level

ROOT = Path(__file__).resolve().parents[1]
PY_DRAUGHTS = ROOT / ".venv" / "peers" / "py-draughts"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@dataclass
class Row:
    """One line of the table: speeds in the unit named, and what the ratio should be at least."""

    work: str
    peer: str
    unit: str
    ours: float
    theirs: float
    target: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def best(ours: Callable[[], float], theirs: Callable[[], float], rounds: int = 5) -> tuple[float, float]:
    """The best speed of each side over alternating rounds."""
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)


def perft_speed(game: str, depth: int, fen: str | None = None) -> float:
    board = damier.board(game, fen)
    nodes = 0

    def count() -> None:
        nonlocal nodes
        nodes = board.perft(depth)

    took = seconds(count)
    return nodes / took


def stockfish_rows() -> Iterator[Row]:
    program = shutil.which("stockfish", path=f"{os.environ['PATH']}:/usr/games")
    if program is None:
        print("no stockfish (Debian package stockfish): its rows are left out", file=sys.stderr)
        return

    def their_speed(fen: str, depth: int) -> float:
        engine = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert engine.stdin
        assert engine.stdout
        engine.stdin.write(f"position fen {fen}\nisready\n")
        engine.stdin.flush()
        while engine.stdout.readline().strip() != "readyok":
            pass
        began = time.perf_counter()
        engine.stdin.write(f"go perft {depth}\n")
        engine.stdin.flush()
        while not (line := engine.stdout.readline()).startswith("Nodes searched"):
            pass
        took = time.perf_counter() - began
        engine.communicate("quit\n")
        return int(line.split()[-1]) / took

    for name, fen, depth in (("start", damier.chess.Board().fen(), 6), ("Kiwipete", KIWIPETE, 5)):
        ours, theirs = best(lambda f=fen, d=depth: perft_speed("chess", d, f), lambda f=fen, d=depth: their_speed(f, d))
        yield Row(f"chess perft, {name} depth {depth}", "Stockfish 15.1", "nodes/s", ours, theirs, 1.0)


def open_spiel_rows() -> Iterator[Row]:
    import pyspiel  # noqa: PLC0415

    game = pyspiel.load_game("lines_of_action")

    def their_perft(state: object, depth: int) -> int:
        actions = state.legal_actions()
        if depth == 1:
            return len(actions)
        return sum(their_perft(state.child(action), depth - 1) for action in actions)

    def their_speed() -> float:
        nodes = 0

        def count() -> None:
            nonlocal nodes
            nodes = their_perft(game.new_initial_state(), 4)

        took = seconds(count)
        return nodes / took

    ours, theirs = best(lambda: perft_speed("loa", 5), their_speed, rounds=3)
    yield Row("LOA perft depth 5", "OpenSpiel (depth 4, bulk counting)", "nodes/s", ours, theirs, 10.0)

    import random  # noqa: PLC0415

    dice = random.Random(1)

    def their_games() -> float:
        games = 200  # enough that their lengths even out

        def play() -> None:
            for _ in range(games):
                state = game.new_initial_state()
                while not state.is_terminal():
                    state.apply_action(dice.choice(state.legal_actions()))

        return games / seconds(play)

    def our_games() -> float:
        return damier.simulate("loa:openspiel", games=20_000, seed=1).games_per_second

    ours, theirs = best(our_games, their_games, rounds=3)
    yield Row("LOA random playouts", "OpenSpiel from Python", "games/s", ours, theirs, 50.0)


PY_DRAUGHTS_PERFT = """
import sys, time
import draughts
board = {"international": draughts.StandardBoard, "english": draughts.AmericanBoard}[sys.argv[1]]()
def perft(depth):
    moves = list(board.legal_moves)
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        board.push(move)
        nodes += perft(depth - 1)
        board.pop()
    return nodes
began = time.perf_counter()
nodes = perft(int(sys.argv[2]))
print(nodes / (time.perf_counter() - began))
"""


def draughts_rows() -> Iterator[Row]:
    if not PY_DRAUGHTS.exists():
        print("no py-draughts in .venv/peers (make bench installs it): its rows are left out", file=sys.stderr)
        return

    def their_speed(variant: str, depth: int) -> float:
        run = subprocess.run(
            [sys.executable, "-c", PY_DRAUGHTS_PERFT, variant, str(depth)],
            env={**os.environ, "PYTHONPATH": str(PY_DRAUGHTS)},
            capture_output=True,
            text=True,
            check=True,
        )
        return float(run.stdout.split()[-1])

    for variant, depth, their_depth in (("international", 8, 5), ("english", 10, 6)):
        ours, theirs = best(
            lambda v=variant, d=depth: perft_speed(v, d), lambda v=variant, d=their_depth: their_speed(v, d), rounds=3
        )
        yield Row(
            f"{variant} perft depth {depth}", f"py-draughts (depth {their_depth})", "nodes/s", ours, theirs, 100.0
        )


def python_chess_rows() -> Iterator[Row]:
    import chess as peer  # noqa: PLC0415

    calls = 2000
    for name, fen in (("start", peer.STARTING_FEN), ("Kiwipete", KIWIPETE)):
        board, theirs_board = damier.chess.Board(fen), peer.Board(fen)
        move, their_move = next(iter(board.legal_moves)), next(iter(theirs_board.legal_moves))

        def our_lists(b: damier.chess.Board = board) -> None:
            for _ in range(calls):
                list(b.legal_moves)

        def their_lists(b: peer.Board = theirs_board) -> None:
            for _ in range(calls):
                list(b.legal_moves)

        def our_push(b: damier.chess.Board = board, m: damier.chess.Move = move) -> None:
            for _ in range(calls):
                b.push(m)
                b.pop()

        def their_push(b: peer.Board = theirs_board, m: peer.Move = their_move) -> None:
            for _ in range(calls):
                assert b.is_legal(m)
                b.push(m)
                b.pop()

        for work, mine, other, target in (
            ("list(board.legal_moves)", our_lists, their_lists, 5.0),
            ("checked push and pop", our_push, their_push, 3.0),
        ):
            ours, theirs = best(lambda f=mine: calls / seconds(f), lambda f=other: calls / seconds(f), rounds=7)
            yield Row(f"{work}, chess {name}", "python-chess", "calls/s", ours, theirs, target)


def simulate_rows() -> Iterator[Row]:
    games = 1_000_000

    def kept() -> float:
        with tempfile.TemporaryDirectory() as folder:
            return damier.simulate("rennes", games=games, seed=1, out=folder).games_per_second

    def unkept() -> float:
        return damier.simulate("rennes", games=games, seed=1).games_per_second

    with_writing, without = best(kept, unkept, rounds=3)
    yield Row("simulate rennes, writing", "100,000 games/s", "games/s", with_writing, 100_000.0, 1.0)
    yield Row("simulate rennes, writing", "the same without writing", "games/s", with_writing, without, 1 / 1.5)


GROUPS = {
    "stockfish": stockfish_rows,
    "openspiel": open_spiel_rows,
    "draughts": draughts_rows,
    "python-chess": python_chess_rows,
    "simulate": simulate_rows,
}


def markdown(rows: list[Row]) -> str:
    lines = ["| work | peer | ours | peer's | ratio | target |", "|---|---|---|---|---|---|"]
    for row in rows:
        lines.append(
            f"| {row.work} | {row.peer} | {row.ours:,.0f} {row.unit} | {row.theirs:,.0f} {row.unit} "
            f"| {row.ratio:.2f}x | {row.target:.2f}x |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, help="also write the table to this Markdown file")
    parser.add_argument("--only", choices=sorted(GROUPS))
    arguments = parser.parse_args()
    rows = []
    for name, group in GROUPS.items():
        if arguments.only in (None, name):
            for row in group():
                rows.append(row)
                print(f"{row.work}: {row.ratio:.2f}x {row.peer}", file=sys.stderr, flush=True)
    if arguments.json:
        print(json.dumps([{**asdict(row), "ratio": row.ratio} for row in rows], indent=2))
    else:
        print(markdown(rows))
    if arguments.write:
        about = (
            f"Measured by `make bench` on {platform.machine()}, {os.cpu_count()} cores, CPU level {level}, one thread."
        )
        arguments.write.write_text(f"# Speed of the rules\n\n{about}\n\n{markdown(rows)}\n")


if __name__ == "__main__":
    main()
