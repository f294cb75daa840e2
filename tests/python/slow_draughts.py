"""Draughts once more, slowly and by coordinates, sharing nothing with damier: an oracle for all twelve variants.

A board maps (file, rank) to w, W, b or B (capitals are kings); a move is (from, to, crowned, captured squares).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Square = tuple[int, int]
Pieces = dict[Square, str]
Move = tuple[Square, Square, bool, frozenset[Square]]

DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
TWO_STRAIGHT = [(2, 0), (-2, 0), (0, 2), (0, -2)]


@dataclass(frozen=True)
class Rules:
    """A variant, stated without looking at ours."""

    size: int = 8
    long_moves: bool = False
    long_captures: bool = False
    men_capture_back: bool = False
    crowning: str = "at end"
    precedence: str = "free"
    men_take_kings: bool = True
    light_squares: bool = False
    frisian: bool = False
    turkish: bool = False

    def on_board(self, square: Square) -> bool:
        file, rank = square
        inside = 0 <= file < self.size and 0 <= rank < self.size
        return inside and (self.turkish or (file + rank) % 2 == int(self.light_squares))


VARIANTS = {
    "english": Rules(),
    "international": Rules(10, True, True, True, precedence="number"),
    "russian": Rules(8, True, True, True, crowning="at once"),
    "brazilian": Rules(8, True, True, True, precedence="number"),
    "italian": Rules(precedence="italian", men_take_kings=False, light_squares=True),
    "spanish": Rules(8, True, True, precedence="spanish", light_squares=True),
    "frisian": Rules(10, True, True, True, precedence="frisian", frisian=True),
    "turkish": Rules(8, True, True, precedence="number", turkish=True),
    "pool": Rules(8, True, True, True),
    "czech": Rules(8, True, True, precedence="czech"),
    "rennes": Rules(precedence="number", crowning="never"),
    "paris": Rules(long_moves=True),
}


@dataclass(frozen=True)
class Chain:
    """A finished capture."""

    start: Square
    end: Square
    taken: tuple[Square, ...]
    ends_as_king: bool
    by_king: bool


class Mover:
    """The moves of one side in one position."""

    def __init__(self, rules: Rules, pieces: Pieces, turn: str) -> None:
        self.rules, self.pieces, self.turn = rules, pieces, turn
        self.forward = 1 if turn == "w" else -1
        self.last = rules.size - 1 if turn == "w" else 0

    def moves(self) -> set[Move]:
        chains = [chain for square in self.own() for chain in self.chains(square)]
        if not chains:
            return {move for square in self.own() for move in self.quiet(square)}
        best = max(self.rank(chain) for chain in chains)
        return {
            (chain.start, chain.end, chain.ends_as_king and not chain.by_king, frozenset(chain.taken))
            for chain in chains
            if self.rank(chain) == best
        }

    def own(self) -> list[Square]:
        return [square for square, piece in self.pieces.items() if piece.lower() == self.turn]

    def directions(self, king: bool, capturing: bool) -> list[Square]:
        rules = self.rules
        if rules.turkish:
            return [d for d in STRAIGHT if king or d[1] * self.forward >= 0]
        every = DIAGONAL + (TWO_STRAIGHT if capturing and rules.frisian else [])
        return (
            every if king or (capturing and rules.men_capture_back) else [d for d in every if d[1] * self.forward > 0]
        )

    def quiet(self, start: Square) -> Iterator[Move]:
        king = self.pieces[start].isupper()
        for df, dr in self.directions(king, capturing=False):
            end = (start[0] + df, start[1] + dr)
            while self.rules.on_board(end) and end not in self.pieces:
                crowned = not king and self.rules.crowning != "never" and end[1] == self.last
                yield start, end, crowned, frozenset()
                if not (king and self.rules.long_moves):
                    break
                end = (end[0] + df, end[1] + dr)

    def chains(self, start: Square) -> list[Chain]:
        found: list[Chain] = []
        king = self.pieces[start].isupper()
        others = {square: piece for square, piece in self.pieces.items() if square != start}

        def free(square: Square, taken: tuple[Square, ...]) -> bool:
            """Captured pieces stand in the way until the move ends, except in Turkish draughts."""
            gone = self.rules.turkish and square in taken
            return self.rules.on_board(square) and (square not in others or gone)

        def go(at: Square, as_king: bool, taken: tuple[Square, ...], came: Square | None) -> bool:
            far = as_king and self.rules.long_captures
            jumped = False
            for df, dr in self.directions(as_king, capturing=True):
                if self.rules.turkish and came == (-df, -dr):
                    continue
                victim = (at[0] + df, at[1] + dr)
                while far and free(victim, taken):
                    victim = (victim[0] + df, victim[1] + dr)
                if victim in taken or victim not in others or others[victim].lower() == self.turn:
                    continue
                if not as_king and others[victim].isupper() and not self.rules.men_take_kings:
                    continue
                now = (*taken, victim)
                landings = []
                landing = (victim[0] + df, victim[1] + dr)
                while free(landing, now):
                    landings.append(landing)
                    if not far:
                        break
                    landing = (landing[0] + df, landing[1] + dr)
                ends = []
                for landing in landings:
                    crowned = as_king or (self.rules.crowning == "at once" and landing[1] == self.last)
                    if not go(landing, crowned, now, (df, dr)):
                        ends.append((landing, crowned))
                if len(ends) == len(landings):  # a landing that captures on forbids those that do not
                    for landing, crowned in ends:
                        last = self.rules.crowning != "never" and landing[1] == self.last
                        found.append(Chain(start, landing, now, crowned or last, king))
                jumped = jumped or bool(landings)
            return jumped

        go(start, king, (), None)
        return found

    def rank(self, chain: Chain) -> Any:
        kings = [self.pieces[square].isupper() for square in chain.taken]
        number, king_count = len(kings), sum(kings)
        ranks: dict[str, Callable[[], Any]] = {
            "free": lambda: 0,
            "number": lambda: number,
            "spanish": lambda: (number, king_count),
            "czech": lambda: chain.by_king,
            "frisian": lambda: (100 * (number - king_count) + 199 * king_count, chain.by_king),
            "italian": lambda: (number, chain.by_king, king_count, kings),
        }
        return ranks[self.rules.precedence]()
