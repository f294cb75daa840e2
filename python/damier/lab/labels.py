"""Deep Checker's two labels, and one more: what moves and boards of stored games were worth, without any evaluation.

The report looks at only one of the two players, player 1. Here that is the side that moves first; with `both_sides`
each side in turn is player 1. Boards are seen by the side to move, so that what is learnt serves either side.

- `moves`: a move is the board before it and the board after it. It scores v / sqrt(d), where d is how many plies the
  game still lasts, the move included, and v is 1 if player 1 won, -1 if it lost and 0 after a draw.
- `boards`: a board that a move of player 1 led to. It scores the number of pieces that player 1 takes from there on
  if it won, else 0.
- `results`, ours: the same boards, each scoring the result, 1 if player 1 won, 0.5 after a draw and 0 if it lost.

A move or board that occurs in several games has the mean of its scores.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DamierError, DataError, results
from damier.lab.blocks import Block, Blocks, Where
from damier.scorers import LABELS, Rows

__all__ = ["SPLITS", "Labelled", "Occurrences", "label_games"]

SPLITS = ("games", "rows")
Column = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Labelled:
    """Boards or moves, each once: packed squares, the mean label, and the mean result (1, 0.5, 0) for player 1."""

    rows: Rows
    values: Column
    shares: Column

    def __len__(self) -> int:
        return len(self.values)

    def some(self, numbers: npt.NDArray[np.int64]) -> Labelled:
        """The rows with these numbers."""
        return Labelled(self.rows[numbers], self.values[numbers], self.shares[numbers])


@dataclass(frozen=True)
class Occurrences:
    """Boards or moves with their labels, once for every game in which they occur, and the number of that game."""

    label: str
    rows: Rows
    values: Column
    shares: Column
    games: npt.NDArray[np.int64]

    def averaged(self, chosen: npt.NDArray[np.bool_] | slice = slice(None)) -> Labelled:
        """Each board or move once, sorted, with the means over the chosen rows."""
        rows, values, shares = self.rows[chosen], self.values[chosen], self.shares[chosen]
        if not len(rows):
            return Labelled(rows, values, shares)
        order = np.lexsort(rows.T)
        rows = rows[order]
        first = np.concatenate([[True], (rows[1:] != rows[:-1]).any(axis=1)]).nonzero()[0]
        times = np.diff(first, append=len(rows))
        means = [np.add.reduceat(column[order].astype(np.float64), first) / times for column in (values, shares)]
        return Labelled(rows[first], *(mean.astype(np.float32) for mean in means))

    def split(self, test_share: float, *, by: str = "games", seed: int = 0) -> tuple[Labelled, Labelled]:
        """What to learn from, and what to test with.

        By games, some pairs of games are held out, as both games of an opening are similar. By rows, all games are
        averaged first, and some of their boards are held out: such a test is too optimistic, since boards of one game
        share its result.
        """
        if by not in SPLITS:
            raise DamierError(f"{by!r} is not a way to split, expected one of {', '.join(SPLITS)}")
        rng = np.random.default_rng([seed, 2**33])
        pairs = np.unique(self.games // 2)
        whole = self.averaged() if by == "rows" else None
        count = len(pairs) if whole is None else len(whole)
        if count < 2:
            raise DataError("there are too few games, expected at least 3: some to learn from and some to test with")
        order = rng.permutation(count)
        test, learnt = np.split(order, [min(max(1, round(test_share * count)), count - 1)])
        if whole is not None:
            return whole.some(np.sort(learnt)), whole.some(np.sort(test))
        is_test = np.isin(self.games // 2, pairs[test])
        return self.averaged(~is_test), self.averaged(is_test)

    def digest(self) -> str:
        """A hash of everything."""
        parts = (self.rows, self.values, self.games)
        return hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()


def label_games(
    game: str, sources: Where | Iterable[Where] | Blocks, label: str, *, both_sides: bool = False
) -> Occurrences:
    """Label the moves or boards in the games of run folders, PGN, PDN or SGF files and databases.

    >>> import tempfile
    >>> from damier.lab import simulate
    >>> with tempfile.TemporaryDirectory() as run:
    ...     plies = simulate("rennes", games=10, seed=1, out=run).plies
    ...     moves = label_games("rennes", [run], "moves", both_sides=True)
    >>> len(moves.values) == plies, float(abs(moves.values).max())  # the last move of a game has d = 1
    (True, 1.0)
    """
    if label not in LABELS:
        raise DamierError(f"{label!r} is not a label, expected one of {', '.join(LABELS)}")
    board, blocks = games.board(game), Blocks.of(game, sources)
    found = [_labelled(board, block, label, both_sides=both_sides) for block in blocks]
    if not sum(len(part.values) for part in found):
        raise DataError("there are no finished games to learn from")
    columns = ("rows", "values", "shares", "games")
    return Occurrences(label, *(np.concatenate([getattr(part, name) for part in found]) for name in columns))


def _labelled(board: games.Board, block: Block, label: str, *, both_sides: bool) -> Occurrences:
    fens, starts, columns = block.read()
    try:
        held = board.position_rows(fens, starts, columns["codes"], columns["ends"])
    except DataError as error:
        raise DataError(f"{block.name}: {error}") from None
    squares, turns, ends = held["squares"], held["turns"].astype(np.int64), held["ends"]
    begins = np.concatenate([[0], ends[:-1]])
    game = np.repeat(np.arange(len(ends)), ends - begins)
    is_move = np.ones(len(turns), bool)
    is_move[ends - 1] = False  # nothing is played where a game ends
    if not both_sides:
        is_move &= turns == turns[begins][game]
    at = is_move.nonzero()[0]
    game, mover = game[at], turns[at]
    points = _points(columns["results"])[game, mover]
    after = squares[at + 1]
    if label == "moves":
        rows = np.concatenate([squares[at], after], axis=1)
        values = (2 * points - 1) / np.sqrt(ends[game] - 1 - at)
    elif label == "results":
        rows, values = after, points
    else:
        taken = np.stack([np.cumsum(held["captures"] * (turns == side), dtype=np.int64) for side in (0, 1)], axis=1)
        rows = after
        values = (taken[ends[game] - 1, mover] - taken[at, mover]) * (points == 1)
    return Occurrences(label, rows, values.astype(np.float32), points.astype(np.float32), game + block.first)


def _points(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """What each game gave White and Black."""
    white = np.array([{"1-0": 1.0, "0-1": 0.0}.get(result, 0.5) for result in results()])[codes]
    return np.stack([white, 1 - white], axis=1)
