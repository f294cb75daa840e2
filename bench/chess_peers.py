"""Chess against other engines: bench/chess_peers.py PEER [--games N] [--time S] [--threads T] [--openings FILE.pgn].

PEER is gnuchess, phalanx, stockfish or a UCI command. Every opening is played with both colours, both sides have the
same time a move and one thread. A game that the peer breaks (GNU Chess aborts now and then) is played again.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn

import damier
from damier import Engine, Limit, jobs
from match import Tally

PEERS: dict[str, tuple[str, list[str], dict[str, Any]]] = {
    "gnuchess": ("uci", ["gnuchess", "--uci"], {"OwnBook": False}),
    "phalanx": ("xboard", ["phalanx", "-b-", "-l-", "-t64000", "-p-"], {}),
    "stockfish": ("uci", ["stockfish"], {}),
}


def open_peer(name: str) -> chess.engine.SimpleEngine:
    protocol, command, options = PEERS.get(name, ("uci", name.split(), {}))
    path = shutil.which(command[0], path=f"/usr/games:{Path.cwd()}:" + "/usr/bin:/bin:/usr/local/bin") or command[0]
    make = chess.engine.SimpleEngine.popen_xboard if protocol == "xboard" else chess.engine.SimpleEngine.popen_uci
    engine = make([path, *command[1:]], timeout=20)
    engine.configure({key: value for key, value in options.items() if key in engine.options})
    return engine


def play_one(peer: chess.engine.SimpleEngine, start: list[str], ours_white: bool, seconds: float) -> tuple[float, str]:
    """One game; our points, and how it ended."""
    board, theirs = damier.board("chess"), chess.Board()
    for move in start:
        board.play(move)
        theirs.push_uci(move)
    with Engine("chess", hash=32, overhead=0.005) as engine:
        game = object()
        while (outcome := board.outcome(claim_draw=True)) is None:
            if (board.turn == damier.Side.WHITE) == ours_white:
                move = board.uci(engine.play(board, Limit(time=seconds)).move)
            else:
                played = peer.play(theirs, chess.engine.Limit(time=seconds), game=game)
                if played.resigned or played.move is None:
                    return 1.0, "resigned"
                move = played.move.uci()
            board.play(move)
            theirs.push_uci(move)
    if outcome.winner is None:
        return 0.5, outcome.reason
    return float((outcome.winner == damier.Side.WHITE) == ours_white), outcome.reason


def play_pair(name: str, start: list[str], seconds: float) -> tuple[float, float]:
    points = []
    for ours_white in (True, False):
        for _ in range(5):
            try:
                peer = open_peer(name)
                try:
                    points.append(play_one(peer, start, ours_white, seconds)[0])
                finally:
                    peer.close()
                break
            except chess.engine.EngineError as error:
                print(f"{name} broke a game ({error}); playing it again", file=sys.stderr)
        else:
            raise SystemExit(f"{name} breaks every game")
    return points[0], points[1]


def openings(file: str | None, count: int, seed: int) -> list[list[str]]:
    """Starts of games as UCI moves: from a PGN file, else eight random plies that leave nobody a pawn ahead."""
    dice = random.Random(seed)
    if file:
        starts = []
        with Path(file).open() as text:
            while len(starts) < 20_000 and (game := chess.pgn.read_game(text)):
                starts.append([move.uci() for move in game.mainline_moves()])
        return dice.sample(starts, count)
    starts = []
    with Engine("chess") as engine:
        while len(starts) < count:
            board = damier.board("chess")
            for _ in range(8):
                board.push(dice.choice(list(board.legal_moves)))
            if not board.outcome() and abs(engine.analyse(board, Limit(depth=8)).score.value) < 60:
                starts.append(_uci(board))
    return starts


def _uci(board: Any) -> list[str]:
    replay, texts = damier.board("chess"), []
    for move in board.moves:
        texts.append(replay.uci(move))
        replay.push(move)
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--time", type=float, default=0.2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--openings")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    starts = openings(chosen.openings, chosen.games // 2, chosen.seed)
    tally = Tally()
    begun = time.time()
    for points in jobs.run(lambda start, _: play_pair(chosen.peer, start, chosen.time), starts, threads=chosen.threads):
        tally.add(points)
        print(f"{time.time() - begun:6.0f} s  {tally}", flush=True)
    print(f"chess, {chosen.time} s a move, against {chosen.peer}: {tally}")


if __name__ == "__main__":
    main()
