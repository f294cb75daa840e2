"""Everything that chooses a move, and the specs that name it: `kind[:key=value,...]`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, Self, cast

from damier._core import DamierError, MoveError, Outcome, Side, results
from damier.drawing import Drawable
from damier.engine import Engine, Limit
from damier.engine.levels import strength_for_elo, strength_for_level
from damier.games import Board
from damier.search import ALGORITHMS, Options, ladder

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "KINDS",
    "AnyBoard",
    "EnginePlayer",
    "Kind",
    "LadderPlayer",
    "OnePlyPlayer",
    "Player",
    "RandomPlayer",
    "player",
]


class Moves(Protocol):
    """Legal moves, whatever the game."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...


class AnyBoard(Drawable, Protocol):
    """A board of whichever game: what players and those who watch them need."""

    @property
    def ply(self) -> int: ...
    @property
    def moves(self) -> list[Any]: ...
    @property
    def legal_moves(self) -> Moves: ...
    def ends(self, move: Any) -> tuple[str, str]: ...
    def text(self, move: Any) -> str: ...
    def parse(self, text: str) -> Any: ...
    def push(self, move: Any) -> None: ...
    def pop(self) -> Any: ...
    def copy(self) -> Self: ...
    def outcome(self, *, claim_draw: bool = False) -> Outcome | None: ...
    def play_games(
        self, games: int, *, seed: int = 0, first_game: int = 0, keep_moves: bool = True
    ) -> dict[str, NDArray[Any]]: ...


class Player(Protocol):
    """Whoever chooses a move."""

    @property
    def name(self) -> str: ...

    def choose(self, board: AnyBoard) -> Any:
        """The move to play; the board comes back as it was."""


class RandomPlayer:
    """Plays any legal move, all as likely; the same seed plays the same game.

    >>> from damier import loa
    >>> RandomPlayer(seed=3).choose(loa.Board())
    Move('g8-g6')
    """

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, board: AnyBoard) -> Any:
        return self._random.choice(_moves(board))


class OnePlyPlayer:
    """Tries each move, knowing nothing of the game but its rules.

    It wins at once if it can, lets nobody else win at once if it can help it, and otherwise takes the move after
    which `games` random games end best.

    >>> from damier import chess
    >>> OnePlyPlayer().choose(chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"))
    <Move a1a8>
    """

    name = "oneply"

    def __init__(self, seed: int | None = None, games: int = 8) -> None:
        if not 1 <= games <= 10_000:
            raise DamierError(f"games is {games}, expected 1 to 10000")
        self.games = games
        self._random = random.Random(seed)

    def choose(self, board: AnyBoard) -> Any:
        board = board.copy()
        scored = [(self._score(board, move), move) for move in _moves(board)]
        best = max(score for score, _ in scored)
        return self._random.choice([move for score, move in scored if score == best])

    def _score(self, board: AnyBoard, move: Any) -> float:
        us = board.turn
        board.push(move)
        try:
            if outcome := board.outcome(claim_draw=True):
                return _value(outcome, us)
            if any(_wins_at_once(board, reply) for reply in board.legal_moves):
                return -Sure
            return self._played_out(board, us)
        finally:
            board.pop()

    def _played_out(self, board: AnyBoard, us: Side) -> float:
        """The share of random games won less the share lost."""
        played = board.play_games(self.games, seed=self._random.getrandbits(32), keep_moves=False)["results"]
        ours = results().index("1-0" if us == Side.WHITE else "0-1")
        draws = results().index("1/2-1/2")
        return float(sum(0 if result == draws else 1 if result == ours else -1 for result in played)) / self.games


def _wins_at_once(board: AnyBoard, move: Any) -> bool:
    us = board.turn
    board.push(move)
    outcome = board.outcome()
    board.pop()
    return outcome is not None and outcome.winner == us


class EnginePlayer:
    """The engine, at full strength or weakened, with a limit a move (a tenth of a second unless told otherwise).

    >>> from damier import loa
    >>> EnginePlayer(depth=2).choose(loa.Board()) in loa.Board().legal_moves
    True
    """

    def __init__(
        self,
        *,
        time: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        set: str = "",
        **settings: Any,
    ) -> None:
        for key, known in (("level", strength_for_level), ("elo", strength_for_elo)):
            if key in settings:
                known(settings[key])  # so that a wrong one is told before the game begins
        limited = any(value is not None for value in (time, depth, nodes))
        self.limit = Limit(time=time if limited else 0.1, depth=depth, nodes=nodes)
        self.name = " ".join(["engine", *(f"{key} {settings[key]}" for key in ("level", "elo") if key in settings)])
        self._settings = settings | {"options": _search_options(set)}
        self._engine: Engine | None = None

    def choose(self, board: AnyBoard) -> Any:
        """Think, with an engine made for the game of the first board it is shown."""
        if self._engine is None or self._engine.game != board.variant:
            self._engine = Engine(board.variant, **self._settings)
        return self._engine.play(cast(Board, board), self.limit).move


def _search_options(text: str) -> dict[str, int]:
    """Switches and margins of the search, written as `null_move:0+lmr_base:60`."""
    options = {}
    for word in filter(None, text.split("+")):
        name, _, value = word.partition(":")
        try:
            options[name] = int(value)
        except ValueError:
            raise DamierError(f"set has {word!r}, expected NAME:NUMBER such as null_move:0") from None
    return options


class LadderPlayer:
    """An algorithm of the ladder, with its depth and options; mcts takes `nodes` simulations instead of a depth.

    >>> from damier import loa
    >>> LadderPlayer("mtdf", depth=2).choose(loa.Board()) in loa.Board().legal_moves
    True
    """

    def __init__(self, algorithm: str, *, depth: int = 3, nodes: int = 800, seed: int | None = None, **options: Any):
        self.name = algorithm
        self.depth = depth
        self._options = cast(Options, options | {"simulations": nodes})
        self._random = random.Random(seed)

    def choose(self, board: AnyBoard) -> Any:
        _moves(board)
        self._options["seed"] = self._random.getrandbits(32)
        return ladder(cast(Board, board), self.name, depth=self.depth, **self._options).move


def _ladder_kind(algorithm: str) -> Kind:
    keys: dict[str, Callable[[str], Any]]
    if algorithm == "mcts":
        keys = {"nodes": int, "exploration": float, "leaves": str, "playout_plies": int}
    else:
        keys = {"depth": int, "ordering": str, "table": int, "iterative": on_or_off, "aspiration": int}
        keys |= {"null_move": on_or_off, "quiescence": on_or_off}
    return Kind(partial(LadderPlayer, algorithm), keys | {"eval": str, "seed": int})


def on_or_off(text: str) -> bool:
    """Read a switch.

    >>> on_or_off("on"), on_or_off("0")
    (True, False)
    """
    if text not in ("on", "1", "off", "0"):
        raise ValueError(text)
    return text in ("on", "1")


Sure = 2.0  # a result on the board counts more than any number of random games


def _value(outcome: Outcome, us: Side) -> float:
    return 0.0 if outcome.winner is None else Sure if outcome.winner == us else -Sure


def _moves(board: AnyBoard) -> list[Any]:
    moves = list(board.legal_moves)
    if not moves:
        raise MoveError("there is no legal move to choose from")
    return moves


@dataclass(frozen=True)
class Kind:
    """A kind of player: who makes it, the keys its spec may have, and the key of a value without one."""

    make: Callable[..., Player]
    keys: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    bare: str = ""


KINDS: dict[str, Kind] = {
    "engine": Kind(
        EnginePlayer,
        {"time": float, "depth": int, "nodes": int, "level": int, "elo": int, "eval": str, "threads": int}
        | {"hash": int, "seed": int, "set": str},
    ),
    "random": Kind(RandomPlayer, {"seed": int}),
    "oneply": Kind(OnePlyPlayer, {"seed": int, "games": int}),
    **{algorithm: _ladder_kind(algorithm) for algorithm in ALGORITHMS},
}


def player(spec: str) -> Player:
    """Make the player a spec names.

    >>> player("random:seed=3").name
    'random'
    """
    name, _, rest = spec.partition(":")
    if name not in KINDS:
        raise DamierError(f"player {spec!r}: no kind {name!r}, expected one of {', '.join(KINDS)}")
    kind = KINDS[name]
    settings: dict[str, Any] = {}
    for word in filter(None, rest.split(",")):
        key, equals, value = word.partition("=")
        if not equals and kind.bare:
            key, value = kind.bare, word
        if key not in kind.keys:
            raise DamierError(f"player {spec!r}: no key {key!r}, expected one of {', '.join(kind.keys) or 'none'}")
        try:
            settings[key] = kind.keys[key](value)
        except ValueError:
            wanted = kind.keys[key].__name__
            raise DamierError(f"player {spec!r}: {key} is {value!r}, expected a value of type {wanted}") from None
    return kind.make(**settings)
