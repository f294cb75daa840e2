"""Games as rows of features in the order they were played, for methods that learn from one position to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DataError, Side, results
from damier.board import Board, Move
from damier.eval import Layer, Network, resolve
from damier.lab.blocks import Blocks, Where
from damier.lab.dense import Mirror
from damier.storage.shards import NOT_SEARCHED

__all__ = ["Line", "Sequences", "is_seen_by_white", "lines_of_games", "mirror_of"]

Array = npt.NDArray[np.float64]
WORTH = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}


@dataclass(frozen=True)
class Line:
    """A finished game: the moves from a start, the ply from which they were chosen, and its value for White."""

    fen: str | None
    codes: npt.NDArray[np.uint16]
    first: int
    result: float


@dataclass(frozen=True)
class Sequences:
    """Positions of games one after the other, a row each; game g has the rows from ends[g - 1] to ends[g].

    `signs` turn an output for these features into one for White. Where `known` is a number, it is the value, whatever
    an evaluation says: the position is decided.
    """

    features: Array
    signs: Array
    known: Array
    ends: npt.NDArray[np.int64]
    results: Array

    def __len__(self) -> int:
        return len(self.ends)

    @classmethod
    def of_games(cls, game: str, lines: Iterable[Line], features: str) -> Sequences:
        """The positions of games as they were played.

        >>> line = Line(None, np.zeros(0, np.uint16), 0, 1.0)
        >>> Sequences.of_games("loa", [line], "bing").features.shape
        (1, 14)
        """
        by_white = is_seen_by_white(game, features)
        rows, signs, ends, worths = [], [], [], []
        for line in lines:
            for board in positions_of(game, line):
                rows.append(board.features(features))
                signs.append(1.0 if by_white or board.turn == Side.WHITE else -1.0)
            ends.append(len(rows))
            worths.append(line.result)
        if not rows:
            raise DataError("there is no position to learn from in these games")
        known = np.full(len(rows), np.nan)
        return cls(np.array(rows, np.float64), np.array(signs), known, np.array(ends), np.array(worths))


def positions_of(game: str, line: Line) -> Iterator[Board]:
    """The positions in which moves were chosen, on one board that goes through them and must not be changed."""
    board = games.board(game, line.fen)
    moves: list[Move] = list(_moves(game, line))
    for ply, move in enumerate(moves):
        if ply >= line.first:
            yield board
        board.push(move)
    if not moves:
        yield board


def _moves(game: str, line: Line) -> Iterable[Move]:
    board = games.board(game, line.fen)
    board.replay(line.codes)
    return board.moves


def lines_of_games(game: str, sources: Where | Iterable[Where] | Blocks) -> list[Line]:
    """The finished games of run folders, PGN, PDN or SGF files and databases, in their order.

    Moves at the start of a game that were not searched, like the random ones of self-play, are not learnt from.
    """
    names, found = results(), []
    blocks = Blocks.of(game, sources)
    for block in blocks:
        fens, of, columns = block.read()
        played = np.split(np.asarray(columns["codes"], np.uint16), columns["ends"][:-1])
        scored = np.split(columns["scores"], columns["score_ends"][:-1])  # a capture may have two codes, and one score
        for number, codes in enumerate(played):
            searched = scored[number] != NOT_SEARCHED if len(scored) == len(played) else np.zeros(0, np.bool_)
            first = int(searched.argmax()) if searched.any() else 0
            if len(codes):
                found.append(Line(fens[of[number]], codes, first, WORTH[names[columns["results"][number]]]))
    if not found:
        raise DataError(f"{blocks}: there are no moves to learn from in these games")
    return found


def mirror_of(game: str, features: str) -> Mirror | None:
    """How a feature set seen from White's side looks to Black, judging by its names; None if they do not tell.

    >>> mirror_of("loa", "bing").places.tolist()
    [6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 12, 13]
    """
    names = games.board(game).feature_names(features)
    other = {"white": "black", "black": "white"}
    images = [" ".join(other.get(word, word) for word in name.split()) for name in names]
    if not is_seen_by_white(game, features) or images == names or not set(images) <= set(names):
        return None
    signs = np.array([-1.0 if name == "turn" else 1.0 for name in names])
    return Mirror(np.array([names.index(image) for image in images]), signs)


def is_seen_by_white(game: str, features: str) -> bool:
    """Whether a feature set is seen from White's side, whoever is to move.

    >>> is_seen_by_white("loa", "bing"), is_seen_by_white("english", "paris")
    (True, False)
    """
    board = games.board(game)
    if board.turn == Side.WHITE:
        board.push(next(iter(board.legal_moves)))
    inputs = len(board.feature_names(features))
    one = Network(features, [Layer(np.zeros((1, inputs)), [1.0])])
    return board.evaluate(resolve(board, one)) < 0
