"""Everything a page offers to choose from: games, levels, algorithms, evaluations and learnt players."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Literal, cast

from damier import games
from damier.drawing.pieces import SETS, pieces_of
from damier.engine.elo import elo_range, elo_table
from damier.textbook import ALGORITHMS
from damier.web.algorithms import algorithm_of
from damier.web.config import Config
from damier.web.learnt import Learnt
from damier.web.position import side_of
from damier.web.state import (
    Bounds,
    Catalogue,
    Family,
    Geometry,
    Level,
    OwnLimits,
    PieceKind,
    Side,
    SquarePlace,
    Variant,
)

__all__ = ["catalogue", "families", "limits", "our_version"]


def catalogue(config: Config, learnt: Learnt) -> Catalogue:
    """The catalogue of a server.

    >>> from pathlib import Path
    >>> found = catalogue(Config(database="sqlite://"), Learnt(Path("/nowhere")))
    >>> [family.name for family in found.families], found.families[0].variants[0].first
    (['loa', 'chess', 'draughts'], 'black')
    """
    return Catalogue(
        version=our_version(),
        families=list(families()),
        algorithms=[algorithm_of(name) for name in ALGORITHMS],
        learnt=learnt.players(),
        limits=limits(config),
    )


def limits(config: Config) -> OwnLimits:
    """The limits of a server: one thread is reserved for moves."""
    return OwnLimits(threads=max(1, config.threads - 1), hash=config.hash, multipv=10)


@cache
def our_version() -> str:
    try:
        return version("damier")
    except PackageNotFoundError:
        return "0"


@cache
def families() -> tuple[Family, ...]:
    """Every game with its variants; computed once, as it takes a while."""
    found: dict[str, list[Variant]] = {}
    for name, info in games.GAMES.items():
        found.setdefault(info.family, []).append(_variant(name))
    return tuple(Family(name=name, variants=variants) for name, variants in found.items())


def _variant(name: str) -> Variant:
    info, board = games.info(name), games.board(name)
    squares = [SquarePlace(name=square, file=file, rank=rank) for square, file, rank in board.squares]
    least, most = elo_range(name)
    letters = SETS.get(info.family) or {letter: pieces_of(board)[letter] for letter in set(board.pieces().values())}
    return Variant(
        name=name,
        title=info.title,
        family=info.family,
        geometry=Geometry(
            columns=1 + max(square.file for square in squares),
            rows=1 + max(square.rank for square in squares),
            squares=squares,
        ),
        start=board.fen(),
        first=side_of(board.turn),
        bottom=_bottom(board),
        pieces=[PieceKind(letter=each, side=side_of(kind.side), name=kind.name) for each, kind in letters.items()],
        articles=dict(board.articles),
        format=cast(Literal["pgn", "pdn", "sgf"], info.record_format),
        levels=[Level(level=level, elo=elo) for level, elo in enumerate(elo_table(name).elos, 1)],
        elo=Bounds(least=least, most=most),
        evaluations=board.evaluations(),
    )


def _bottom(board: games.Board) -> Side:
    """The side whose pieces stand lower, on average."""
    known, pieces = pieces_of(board), board.pieces()
    ranks: dict[Side, list[int]] = {"white": [], "black": []}
    for square, _, rank in board.squares:
        if square in pieces:
            ranks[side_of(known[pieces[square]].side)].append(rank)
    white, black = (sum(each) / max(1, len(each)) for each in ranks.values())
    return "black" if black < white else "white"
