"""Games of the engine against itself, or of any two players, kept as shards that survive an interruption."""

from __future__ import annotations

import threading
import zlib
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Unpack

from damier import _core
from damier import games as all_games
from damier._core import DamierError, Evaluator, StopFlag, results
from damier.files import JsonObject
from damier.lab.simulation import RunOptions, Simulation, collect
from damier.records import Entrant
from damier.storage.batches import REASON_NUMBERS
from damier.weights import Array

if TYPE_CHECKING:
    from damier.arena.play.referee import Adjudication

__all__ = ["engine_spec", "self_play"]

SHARD_GAMES = 250
HASH_MIB = 4  # a few thousand nodes per move fill no more
MOST_RANDOM_PLIES = 200
BY_ADJUDICATOR, BY_LENGTH = 1, 2  # what ended a game, other than the rules


def self_play(
    game: str,
    *,
    games: int,
    player: str | None = None,
    opponent: str | None = None,
    nodes: int = 1000,
    depth: int = 0,
    random_plies: int = 8,
    eval: str | Evaluator | None = None,
    fen: str | None = None,
    adjudication: Adjudication | None = None,
    seed: int = 0,
    **run: Unpack[RunOptions],
) -> Simulation:
    """Play games of the engine against itself, or between players given by specs; with `out`, save them there with the
    score of every move, with `database` as rows.

    Each game starts with random moves (one more in every second game), then every move is searched to `nodes` or
    `depth`, unless the spec of a player sets a limit. Against an opponent each opening is played twice, with colours
    reversed. Game number n depends only on the settings, the seed and n, if the players do: external engines and
    players with a time limit may play differently each time. `adjudication` ends games that are decided. With
    `resume`, an interrupted run is completed. `run` takes the fields of `RunOptions`.

    >>> self_play("rennes", games=2, nodes=100, seed=1).games
    2
    >>> self_play("loa5", games=4, player="mtdf:depth=2", opponent="random", seed=1).games
    4
    """
    if nodes < 1 and depth < 1:
        raise DamierError("self-play needs a node or depth limit per move")
    if not 0 <= nodes <= 10**12:
        raise DamierError(f"nodes is {nodes}, expected 0 to {10**12}")
    board = all_games.board(game, fen)
    if player is not None or opponent is not None:
        if eval is not None:
            raise DamierError("eval is given as well as players, expected it in their specs: engine:eval=NAME")
        specs = player or "engine", opponent or player or "engine"
        own = _engine_settings(specs)
        if own is None:
            limits = {"nodes": nodes, "depth": depth}
            return _refereed(
                board,
                specs,
                limits,
                fen,
                random_plies=random_plies,
                adjudication=adjudication,
                games=games,
                seed=seed,
                **run,
            )
        eval = own.get("eval")
        if "nodes" in own or "depth" in own:
            nodes, depth = own.get("nodes", 0), own.get("depth", 0)
    evaluator = eval if isinstance(eval, Evaluator) else board.evaluator(eval or board.evaluations()[0])
    weights = _weights(board, evaluator)
    settings = {
        "nodes": nodes,
        "depth": depth,
        "random_plies": random_plies,
        "eval": evaluator.name,
        "weights": None if weights is None else zlib.crc32(weights.tobytes()),
        "adjudication": _rules(adjudication),
    }
    spec = engine_spec(evaluator.name, nodes, depth)
    return collect(
        "selfplay",
        game,
        board,
        _Play(game, fen, _named(board, evaluator, weights), weights, seed, random_plies, nodes, depth, adjudication),
        games=games,
        seed=seed,
        shard_games=SHARD_GAMES,
        settings=settings,
        player=Entrant(spec, spec),
        **run,
    )


def _engine_settings(specs: tuple[str, str]) -> JsonObject | None:
    """The settings in the spec of an engine that plays itself, if the core can play them; else None."""
    from damier.players import settings_of  # noqa: PLC0415

    kind, own = settings_of(specs[0])
    is_plain = kind == "engine" and own.keys() <= {"nodes", "depth", "eval"}
    return own if specs[0] == specs[1] and is_plain else None


def _refereed(
    board: all_games.Board,
    specs: tuple[str, str],
    limits: dict[str, int],
    fen: str | None,
    *,
    random_plies: int,
    adjudication: Adjudication | None,
    games: int,
    seed: int,
    **run: Unpack[RunOptions],
) -> Simulation:
    """Games of any two players."""
    from damier.arena.play.control import Control  # noqa: PLC0415  (the arena is slow to load, and not always needed)
    from damier.lab.refereed import RefereedPlay  # noqa: PLC0415

    if not 0 <= random_plies <= MOST_RANDOM_PLIES:
        raise DamierError(f"random_plies is {random_plies}, expected 0 to {MOST_RANDOM_PLIES}")
    control = Control(**{name: value for name, value in limits.items() if value})
    play = RefereedPlay(board.variant, fen, specs, seed, random_plies, control, adjudication)
    try:
        play.try_players()
        return collect(
            "selfplay",
            board.variant,
            board,
            play,
            games=games,
            seed=seed,
            shard_games=SHARD_GAMES,
            settings={
                "player": specs[0],
                "opponent": specs[1],
                "random_plies": random_plies,
                "adjudication": _rules(adjudication),
                **limits,
            },
            specs=specs,
            **run,
        )
    finally:
        play.close()


@dataclass
class _Play:
    """Plays games, with one engine per thread. When sent to another machine it takes the weights along."""

    game: str
    fen: str | None
    eval: str
    weights: Array | None
    seed: int
    random_plies: int
    nodes: int
    depth: int
    adjudication: Adjudication | None

    def __post_init__(self) -> None:
        self._own = threading.local()

    def __reduce__(self) -> tuple[object, ...]:
        return _Play, tuple(getattr(self, field.name) for field in fields(self))

    def __call__(self, first: int, count: int, stop: StopFlag) -> dict[str, Array]:
        board = all_games.board(self.game, self.fen)
        if not hasattr(self._own, "engine"):
            self._own.engine = self._engine(board)
        columns: dict[str, Array] = self._own.engine.play_games(
            board,
            count,
            seed=self.seed,
            first_game=first,
            random_plies=self.random_plies,
            nodes=self.nodes,
            depth=self.depth,
            adjudicator=self.adjudication.adjudicator() if self.adjudication else None,
            stop=stop,
        )
        ended_by, drawn = columns.pop("ended_by"), columns["results"] == results().index("1/2-1/2")
        columns["reasons"][(ended_by == BY_ADJUDICATOR) & drawn] = REASON_NUMBERS["agreement"]
        columns["reasons"][(ended_by == BY_ADJUDICATOR) & ~drawn] = REASON_NUMBERS["resignation"]
        columns["reasons"][ended_by == BY_LENGTH] = REASON_NUMBERS["adjudication"]
        return columns

    def _engine(self, board: all_games.Board) -> _core.Engine:
        evaluator = board.evaluator(self.eval)
        if self.weights is not None:
            evaluator = board.with_weights(evaluator, self.weights)
        engine = _core.Engine(board.variant)
        engine.set_hash(1024 * HASH_MIB)
        engine.set_evaluator(evaluator)
        return engine


def _rules(adjudication: Adjudication | None) -> JsonObject | None:
    """Adjudication as the manifest of a run has it."""
    return asdict(adjudication) if adjudication else None


def _named(board: all_games.Board, evaluator: Evaluator, weights: Array | None) -> str:
    """The evaluation that the weights belong to: those of a file travel without the file."""
    from_file = weights is not None and evaluator.name not in board.evaluations()
    return all_games.classic_or_own(board) if from_file else evaluator.name


def _weights(board: all_games.Board, evaluator: Evaluator) -> Array | None:
    """The weights of an evaluation, None where it has none to show."""
    try:
        weights: Array = board.weights(evaluator)
    except DamierError:
        return None
    return weights


def engine_spec(eval: str | None, nodes: int | None, depth: int | None) -> str:
    """The spec of the engine as it plays.

    >>> engine_spec("classic", 1000, 0)
    'engine:nodes=1000,eval=classic'
    """
    given = (("nodes", nodes), ("depth", depth), ("eval", eval))
    return f"engine:{','.join(f'{name}={value}' for name, value in given if value)}"
