"""One board for every game: the rules and the record of a game, and how it is drawn.

`damier.chess`, `damier.loa` and `damier.draughts` have boards of their own, with what only their games need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ClassVar, Self

from damier import _core, drawing
from damier._core import DamierError, LegalMoves, Move, Side

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Board", "LegalMoves", "Move", "variants_of"]


def variants_of(family: str) -> dict[str, str]:
    """The variants of a family as `damier games` lists them: name to title.

    >>> variants_of("chess")
    {'chess': 'Chess', 'chess960': 'Chess960'}
    """
    return {info.name: info.title for info in _core.variants() if info.family == family and info.listed}


class Board(_core.Board):
    """A game of any variant, from its start or from a FEN; `damier.board(name)` makes the right one by name.

    >>> board = Board(variant="rennes")
    >>> board.push("21-17")
    <Move 21-17>
    >>> len(board.legal_moves), board.turn.name, board.outcome()
    (7, 'BLACK', None)
    """

    FAMILY: ClassVar[str | None] = None  # of the variants it may be of, None for any
    DEFAULT_VARIANT: ClassVar[str | None] = None  # the variant meant where none is named

    def __init__(self, fen: str | None = None, *, variant: str | None = None, **articles: str | int | None) -> None:
        name = self.DEFAULT_VARIANT if variant is None else variant
        if name is None:
            raise DamierError("no variant is named, expected one of `damier games`")
        if not isinstance(name, str):
            raise DamierError(f"variant is {name!r}, expected a name from `damier games`")
        if self.FAMILY and name not in _names(self.FAMILY):
            known = ", ".join(variants_of(self.FAMILY))
            raise DamierError(f"{name!r} is not a variant of {self.FAMILY}, expected one of {known}")
        super().__init__(fen, variant=name, articles={key: each for key, each in articles.items() if each is not None})

    def svg(
        self,
        *,
        size: int = 400,
        lastmove: bool = True,
        arrows: Iterable[tuple[str, str]] = (),
        flip: bool = False,
        theme: str = "wood",
    ) -> str:
        """Draw the board as SVG, `size` pixels wide, with arrows from square to square.

        >>> Board(variant="loa").svg(arrows=[("b1", "b3")], flip=True).startswith("<svg")
        True
        """
        return drawing.svg.draw(self, size=size, lastmove=lastmove, arrows=arrows, flip=flip, theme=theme)

    def unicode(self, *, flip: bool = False) -> str:
        """Draw the board with Unicode pieces.

        >>> from damier import chess
        >>> print(chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unicode().splitlines()[-2])
        1  ·  ·  ·  ·  ♔  ·  ·  ·
        """
        return drawing.text.draw(self, flip=flip, unicode=True)

    def captured(self) -> dict[Side, dict[str, int]]:
        """What each side has lost so far: how many pieces by letter.

        >>> board = Board(variant="chess")
        >>> for move in ("e4", "d5", "exd5"):
        ...     _ = board.push(move)
        >>> board.captured()[Side.BLACK]
        {'p': 1}
        """
        lost: dict[Side, dict[str, int]] = {Side.WHITE: {}, Side.BLACK: {}}
        walker = _core.Board(self.start_fen(), variant=self.variant, articles=self._own_articles())
        for move in self.moves:
            them = lost[Side.BLACK if walker.turn == Side.WHITE else Side.WHITE]
            for square in move.captured:
                letter = walker.piece(square)
                assert letter is not None
                them[letter] = them.get(letter, 0) + 1
            walker.push(move)
        return lost

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return drawing.text.draw(self)

    def __repr__(self) -> str:
        chosen: dict[str, str | int] = {"variant": self.variant} if self.variant != self.DEFAULT_VARIANT else {}
        chosen |= self._own_articles()
        arguments = [repr(self.fen()), *(f"{key}={value!r}" for key, value in chosen.items())]
        module = type(self).__module__.removeprefix("damier.")
        name = "Board" if module == "board" else f"{module}.{type(self).__qualname__}"
        return f"{name}({', '.join(arguments)})"

    def _own_articles(self) -> dict[str, str | int]:
        """The rules that were chosen individually, as the constructor takes them."""
        defaults = _core.Board(variant=self.variant).articles if self.articles else {}
        chosen = {article: choice for article, choice in self.articles.items() if choice != defaults[article]}
        return {article: int(choice) if choice.isdecimal() else choice for article, choice in chosen.items()}

    def __reduce__(self) -> tuple[Callable[..., Board], tuple[object, ...]]:
        return _rebuilt, (type(self), self.variant, self.start_fen(), self._own_articles(), self.codes())

    def __copy__(self) -> Self:
        return self.copy()


def _names(family: str) -> set[str]:
    return {info.name for info in _core.variants() if info.family == family}


def _rebuilt(
    cls: type[Board], variant: str, fen: str, articles: dict[str, str | int], codes: npt.NDArray[np.uint16]
) -> Board:
    board = cls(fen, variant=variant, **articles)
    board.replay(codes)
    return board
