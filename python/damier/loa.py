"""Lines of Action, on boards of 5x5 to 8x8 and by the rules of your choice."""

from __future__ import annotations

import math
from typing import ClassVar, TypedDict

from damier._core import Side
from damier.board import Board as AnyBoard
from damier.board import LegalMoves, Move, variants_of

__all__ = ["VARIANTS", "Board", "LegalMoves", "Move", "Rules"]

VARIANTS = variants_of("loa")

LINES = {"e-w": (1, 0), "n-s": (0, 1), "ne-sw": (1, 1), "nw-se": (1, -1)}  # by where they lead, as steps
PIECES = {Side.WHITE: "o", Side.BLACK: "x"}
OTHER = {Side.WHITE: Side.BLACK, Side.BLACK: Side.WHITE}


class Rules(TypedDict, total=False):
    """The rules that differ between rule sets, as the constructor of a board takes them."""

    simultaneous: str
    no_move: str
    repetition: int


class Board(AnyBoard):
    """A game of Lines of Action.

    `variant` is a name such as `loa`, `loa6` or `loa:olympiad`; single rules are chosen by keyword:
    `simultaneous` ("mover wins" or "draws"), `no_move` ("loses" or "passes") and `repetition` (2 or 3).

    >>> board = Board()
    >>> board.push("b1-b3")
    <Move b1-b3>
    >>> len(board.legal_moves), board.outcome()
    (34, None)
    """

    FAMILY: ClassVar[str | None] = "loa"
    DEFAULT_VARIANT: ClassVar[str | None] = "loa"

    def __init__(
        self,
        fen: str | None = None,
        *,
        variant: str = "loa",
        simultaneous: str | None = None,
        no_move: str | None = None,
        repetition: int | None = None,
    ) -> None:
        super().__init__(fen, variant=variant, simultaneous=simultaneous, no_move=no_move, repetition=repetition)

    @property
    def rules(self) -> Rules:
        """The rules that differ between rule sets, as the constructor takes them.

        >>> Board(variant="loa:bing").rules
        {'simultaneous': 'draws', 'no_move': 'loses', 'repetition': 2}
        """
        articles = self.articles
        return {
            "simultaneous": articles["simultaneous"],
            "no_move": articles["no_move"],
            "repetition": int(articles["repetition"]),
        }

    def groups(self, side: Side) -> list[list[str]]:
        """The connected pieces of a side, the largest group first; one that has a single group has won.

        >>> [len(group) for group in Board().groups(Side.BLACK)]
        [6, 6]
        """
        places = self._places(side)
        found = []
        while places:
            open_places = [next(iter(places))]
            group = [places.pop(open_places[0])]
            while open_places:
                file, rank = open_places.pop()
                for place in [(file + across, rank + up) for across in (-1, 0, 1) for up in (-1, 0, 1)]:
                    if place in places:
                        group.append(places.pop(place))
                        open_places.append(place)
            found.append(sorted(group))
        return sorted(found, key=lambda group: (-len(group), group))

    def centre(self, side: Side) -> tuple[float, float]:
        """The centre of gravity of a side, as file and rank counted from 0.

        >>> Board().centre(Side.BLACK)
        (3.5, 3.5)
        """
        places = self._places(side)
        files, ranks = zip(*places, strict=True) if places else ((0,), (0,))
        return sum(files) / len(files), sum(ranks) / len(ranks)

    def blocked(self, side: Side) -> dict[str, float]:
        """How much each piece of a side is kept from approaching its centre, as counted by the program BING.

        >>> Board().blocked(Side.BLACK)["b1"]
        0.0
        """
        centre, theirs = self.centre(side), set(self._places(OTHER[side]))
        free = {(file, rank) for _, file, rank in self.squares} - theirs
        found = {}
        for (file, rank), name in self._places(side).items():
            here = _distance((file, rank), centre)
            around = [(file + across, rank + up) for across in (-1, 0, 1) for up in (-1, 0, 1) if across or up]
            gain = min((_distance(place, centre) - here for place in around if place in free), default=math.inf)
            found[name] = max(here - 2, 0.0) * max(0.5 + min(gain, 1.0), 0.0)
        return found

    def _places(self, side: Side) -> dict[tuple[int, int], str]:
        """The squares of a side by file and rank."""
        return {(file, rank): name for name, file, rank in self.squares if self.piece(name) == PIECES[side]}

    def line_counts(self) -> dict[str, dict[str, int]]:
        """For every piece, how many pieces stand on each line through it, which is how far it moves along that line.

        >>> Board().line_counts()["b1"]
        {'e-w': 6, 'n-s': 2, 'ne-sw': 2, 'nw-se': 2}
        """
        pieces = self.pieces()
        places = [(name, file, rank) for name, file, rank in self.squares if name in pieces]
        counts: dict[str, dict[str, int]] = {name: {} for name, _, _ in places}
        for line, (across, up) in LINES.items():
            numbers = {name: file * up - rank * across for name, file, rank in places}  # equal on the same line
            for name, number in numbers.items():
                counts[name][line] = sum(other == number for other in numbers.values())
        return counts


def _distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    """As a king walks."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
