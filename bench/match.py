"""Matches between players of one game, by player specs: bench/match.py GAME A B [--games N] [--threads T].

Openings are random moves, each played twice with colours exchanged. Prints points and Elo with a 95 % interval.
"""

from __future__ import annotations

import argparse
import math
import random
from dataclasses import dataclass, field
from typing import Any

import damier
from damier import jobs
from damier.players import Player, player

LONGEST = 400  # plies; a game still going is a draw


@dataclass
class Tally:
    """Results for A, pair by pair: what counts is the sum of two games with colours exchanged."""

    pairs: list[float] = field(default_factory=list)
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, points: tuple[float, float]) -> None:
        self.pairs.append(sum(points) / 2)
        for point in points:
            self.wins += point == 1
            self.draws += point == 0.5
            self.losses += point == 0

    @property
    def share(self) -> float:
        return sum(self.pairs) / len(self.pairs)

    @property
    def error(self) -> float:
        """Half the 95 % interval of the share."""
        n = len(self.pairs)
        spread = sum((pair - self.share) ** 2 for pair in self.pairs) / max(1, n - 1)
        return 1.96 * math.sqrt(spread / n)

    def elo(self) -> tuple[float, float]:
        """Elo of A over B and half its 95 % interval."""

        def of(share: float) -> float:
            share = min(max(share, 0.5 / len(self.pairs)), 1 - 0.5 / len(self.pairs))
            return -400 * math.log10(1 / share - 1)

        return of(self.share), (of(self.share + self.error) - of(self.share - self.error)) / 2

    def __str__(self) -> str:
        elo, error = self.elo()
        return (
            f"{self.share:.1%} ± {self.error:.1%} of {2 * len(self.pairs)} games "
            f"(+{self.wins} ={self.draws} -{self.losses}), Elo {elo:+.0f} ± {error:.0f}"
        )


def opening(game: str, seed: int, plies: int) -> Any:
    """Random first moves, as codes, after which nobody has won."""
    dice = random.Random(f"{game} {seed}")
    while True:
        board = damier.board(game)
        for _ in range(plies + seed % 2):
            if board.outcome():
                break
            board.push(dice.choice(list(board.legal_moves)))
        if not board.outcome():
            return board.codes()


def game_result(game: str, codes: Any, white: Player, black: Player) -> float:
    """Points for White."""
    board = damier.board(game)
    board.replay(codes)
    while (outcome := board.outcome(claim_draw=True)) is None and board.ply < LONGEST:
        mover = white if board.turn == damier.Side.WHITE else black
        board.push(mover.choose(board))
    if outcome is None or outcome.winner is None:
        return 0.5
    return 1.0 if outcome.winner == damier.Side.WHITE else 0.0


def match(game: str, a: str, b: str, *, pairs: int, threads: int = 1, plies: int = 6, seed: int = 0) -> Tally:
    """Play `pairs` openings twice each."""

    def pair(number: int, _: object) -> tuple[float, float]:
        codes = opening(game, seed + number, plies)
        return (
            game_result(game, codes, player(a), player(b)),
            1 - game_result(game, codes, player(b), player(a)),
        )

    tally = Tally()
    for points in jobs.run(pair, range(pairs), threads=threads):
        tally.add(points)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--plies", type=int, default=6, help="random plies of each opening")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    tally = match(
        chosen.game,
        chosen.a,
        chosen.b,
        pairs=max(1, chosen.games // 2),
        threads=chosen.threads,
        plies=chosen.plies,
        seed=chosen.seed,
    )
    print(f"{chosen.game}: {chosen.a} against {chosen.b}: {tally}")


if __name__ == "__main__":
    main()
