"""Temporal differences: an evaluation learns to agree with itself one move later, and with the result at the end.

- `td` and `directed` change the values of the positions that occurred; in games of its own, `td` chooses moves by
  looking one ply ahead and `directed` by a search.
- `leaf` (TDLeaf) changes the values of the positions at the end of the principal variations.
- `treestrap` changes the value of every position that a search went through, towards the value the search found for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from damier import _core, games
from damier._core import DamierError, Side, results
from damier.engine import Engine, Limit
from damier.engine.arguments import check_range
from damier.eval import Linear, Network, feature_set, resolve
from damier.lab.blocks import Blocks, Where, held_out_of
from damier.lab.dense import Dense
from damier.lab.fit import calibrate, r2
from damier.lab.optimisers import optimiser
from damier.lab.sequences import (
    WORTH,
    Line,
    Sequences,
    is_seen_by_white,
    lines_of_games,
    mirror_of,
    positions_of,
)
from damier.lab.training import CHECKPOINT, Learner, Metrics, parent_of
from damier.textbook.algorithms import search_and_record
from damier.weights import Array, read_weights

__all__ = ["VARIANTS", "TdLearner", "TdSettings", "lambda_errors"]

VARIANTS = ("td", "directed", "leaf", "treestrap")
SCALE = 300.0  # hundredths of a man for an output of 1: then the chance of a win has the default spread of 150
BATCH_GAMES = 25  # per update of backpropagation
MOST_NODES = 20_000  # of a tree that are learnt from
LEAF_NODES = 2_000  # of a search for a leaf: with weights that know nothing, captures may go on for ever


@dataclass(frozen=True)
class TdSettings:
    """The settings of a training; `games_per_step` are drawn, or played, for each step (0: all that are given)."""

    variant: str = "directed"
    features: str = ""  # a feature set of the game, its first by default
    hidden: int = 2  # neurons; 0 for a weighted sum
    trace_decay: float = 0.9  # lambda
    optimiser: str = "rprop"
    rate: float | None = None
    depth: int = 2  # of the searches
    games_per_step: int = 0
    random_plies: int = 8  # at the start of games of its own
    start: str = ""  # the checkpoint of another training, whose weights to start from
    seed: int = 0


class TdLearner(Learner):
    """TD(lambda) and its relatives on stored games, or, without any, on games it plays while it learns.

    >>> learner = TdLearner("loa5", steps=2, settings=TdSettings(games_per_step=4, random_plies=4))
    >>> sorted(learner.step(0))
    ['error', 'games', 'loss', 'r2']
    """

    method: ClassVar[str] = "td"
    extendable: ClassVar[bool] = True
    advice: ClassVar[str] = "try a smaller --rate"

    def __init__(
        self,
        game: str,
        sources: Where | Iterable[Where] = (),
        *,
        steps: int = 500,
        settings: TdSettings | None = None,
    ) -> None:
        settings = settings or TdSettings()
        self.game, self.steps, self._settings = games.info(game).name, steps, settings
        _check(settings)
        self._features = feature_set(game, settings.features)
        self._by_white = is_seen_by_white(game, self._features)
        inputs = len(games.board(game).feature_names(self._features))
        mirror = None if settings.hidden % 2 else mirror_of(game, self._features)
        hidden = [settings.hidden] if settings.hidden else []
        self._net = Dense(inputs, hidden, np.random.default_rng([settings.seed, 2**32]), mirror=mirror)
        self._optimiser = optimiser(settings.optimiser, settings.rate)
        blocks = Blocks(self.game, sources) if sources else None
        self._lines = lines_of_games(self.game, blocks) if blocks else []
        self._digest = blocks.digest() if blocks else ""
        self.settings = {**asdict(settings), "features": self._features, "sources": blocks.names if blocks else []}
        if self._lines:
            held_out = held_out_of(np.arange(len(self._lines)), len(self._lines))
            test = [line for line, is_out in zip(self._lines, held_out, strict=True) if is_out]
            self._lines = [line for line, is_out in zip(self._lines, held_out, strict=True) if not is_out] or test
            self._test = Sequences.of_games(game, test, self._features)
            self._base = Sequences.of_games(game, self._lines, self._features)
            self._net.rescale(self._base.features)
        self._is_scaled = bool(self._lines)
        self._parent = parent_of(settings.start)
        if settings.start:
            self._start_from(settings.start)

    def step(self, number: int) -> Metrics:
        rng = np.random.default_rng([self._settings.seed, number])
        lines = self._drawn(number, rng)
        games_learnt = len(self._lines) if lines is None else len(lines)
        before = None
        if not self._is_scaled:
            self._net.rescale(Sequences.of_games(self.game, lines or [], self._features).features)
            self._is_scaled = True
        if not self._lines:  # what it plays is its own test, before it learns from it
            before = Sequences.of_games(self.game, lines or [], self._features)
            loss, explained = self._fit_to(before)
        error = self._learn(lines, rng)
        if before is None:
            loss, explained = self._fit_to(self._test)
        return {"loss": loss, "r2": explained, "error": error, "games": float(games_learnt)}

    def state(self) -> dict[str, Array]:
        scaled = {"centre": self._net.centre, "spread": self._net.spread, "scaled": np.array([float(self._is_scaled)])}
        return {"weights": self._net.weights, **scaled, **self._optimiser.state()}

    def restore(self, state: Mapping[str, Array]) -> None:
        self._restore_net(state)
        self._optimiser.restore(state)

    def _restore_net(self, state: Mapping[str, Array]) -> None:
        if state["weights"].shape != self._net.weights.shape:
            raise ValueError(f"it has {state['weights'].size} weights, expected {self._net.weights.size}")
        self._net.weights[:] = state["weights"]
        self._net.centre, self._net.spread = state["centre"], state["spread"]
        self._is_scaled = bool(state["scaled"][0])

    def _start_from(self, path: str) -> None:
        file = read_weights(path)
        if file.kind != "checkpoint" or (file.game, file.features) != (self.game, self.method):
            why = (
                "; a learnt file lacks the scale of the inputs that training needs" if file.kind != "checkpoint" else ""
            )
            raise DamierError(f"{path}: is not the {CHECKPOINT} of a training by td on {self.game}{why}")
        state = {name: array.astype(np.float64) for name, array in file.tensors.items()}
        try:
            self._restore_net(state)
        except ValueError as error:
            raise DamierError(f"{path}: {error}") from None

    def learnt(self) -> Linear | Network:
        calibration = (0.0, SCALE / 2)
        if self._lines:
            values = SCALE * self._net.outputs(self._test.features) * self._test.signs
            calibration = calibrate(values, (1 + self._worths(self._test)) / 2)
        return self._net.evaluation(self._features, f"{self._features}-{self._settings.variant}", SCALE, calibration)

    def provenance(self) -> dict[str, str]:
        data = {"data_sha256": self._digest} if self._digest else {}
        return {**data, **self._parent}

    # Games

    def _drawn(self, number: int, rng: np.random.Generator) -> list[Line] | None:
        """The games of a step; None for all that were given, whose features are already computed."""
        count = self._settings.games_per_step
        if not self._lines:
            return self._played(number, count or 50)
        if not count and self._settings.variant in ("leaf", "treestrap"):
            count = 50
        if not count:
            return None
        return [
            self._lines[index] for index in rng.choice(len(self._lines), min(count, len(self._lines)), replace=False)
        ]

    def _played(self, number: int, count: int) -> list[Line]:
        """Games against itself, with the evaluation as it is."""
        board = games.board(self.game)
        engine = _core.Engine(board.variant)
        engine.set_hash(1024)
        engine.set_evaluator(resolve(board, self.learnt()))
        depth = 1 if self._settings.variant == "td" else self._settings.depth
        plies = self._settings.random_plies
        columns = engine.play_games(
            board, count, seed=self._settings.seed, first_game=number * count, random_plies=plies, nodes=0, depth=depth
        )
        names, starts, found = results(), np.concatenate([[0], columns["ends"][:-1]]), []
        for game, (start, end) in enumerate(zip(starts, columns["ends"], strict=True)):
            first = min(plies + (number * count + game) % 2, int(end - start) - 1)
            worth = WORTH[names[columns["results"][game]]]
            found.append(Line(None, np.asarray(columns["codes"][start:end], np.uint16), max(0, first), worth))
        return found

    # Learning

    def _learn(self, lines: list[Line] | None, rng: np.random.Generator) -> float:
        """Change the weights; return the root mean square of the errors."""
        if self._settings.variant == "treestrap":
            return self._learn_trees(lines or [])
        if self._settings.variant == "leaf":
            rows = self._leaves(lines or [])
        else:
            rows = self._base if lines is None else Sequences.of_games(self.game, lines, self._features)
        if self._settings.optimiser == "rprop":
            return self._update(rows, np.arange(len(rows)))
        order = rng.permutation(len(rows))
        pieces = np.array_split(order, max(1, len(order) // BATCH_GAMES))
        return float(np.mean([self._update(rows, piece) for piece in pieces]))

    def _update(self, rows: Sequences, chosen: npt.NDArray[np.int64]) -> float:
        starts = np.concatenate([[0], rows.ends[:-1]])
        picked = np.concatenate([np.arange(starts[game], rows.ends[game]) for game in chosen])
        features, signs, known = rows.features[picked], rows.signs[picked], rows.known[picked]
        lengths = rows.ends[chosen] - starts[chosen]
        values = np.tanh(self._net.outputs(features)) * signs
        slopes = (1 - values**2) * signs
        decided = ~np.isnan(known)
        values[decided], slopes[decided] = known[decided], 0.0
        errors = lambda_errors(values, lengths, rows.results[chosen], self._settings.trace_decay)
        gradient = self._net.gradient(features, -errors * slopes / len(errors))
        self._optimiser.update(self._net.weights, gradient)
        return float(np.sqrt((errors**2).mean()))

    def _leaves(self, lines: Sequence[Line]) -> Sequences:
        """The ends of the principal variations, in place of the positions they start from."""
        engine = Engine(self.game, eval=self.learnt(), hash=1)
        rows, signs, known, ends = [], [], [], []
        for line in lines:
            engine.clear()
            for board in positions_of(self.game, line):
                leaf = board.copy()
                for move in engine.analyse(board, Limit(depth=self._settings.depth, nodes=LEAF_NODES)).pv:
                    leaf.push(move)
                outcome = leaf.outcome(claim_draw=True)
                rows.append(leaf.features(self._features))
                signs.append(1.0 if self._by_white or leaf.turn == Side.WHITE else -1.0)
                known.append(WORTH[outcome.result] if outcome else np.nan)
            ends.append(len(rows))
        worths = np.array([line.result for line in lines])
        return Sequences(np.array(rows, np.float64), np.array(signs), np.array(known), np.array(ends), worths)

    def _learn_trees(self, lines: Sequence[Line]) -> float:
        """One update by all trees: towards exact values, and towards a bound from its wrong side."""
        board = games.board(self.game)
        evaluator = resolve(board, self.learnt())
        rows: list[npt.NDArray[np.float32]] = []
        targets: list[float] = []
        kinds: list[int] = []
        for line in lines:
            for position in positions_of(self.game, line):
                _, trace = search_and_record(position, "alphabeta", self._settings.depth, MOST_NODES, eval=evaluator)
                assert trace is not None
                self._walk(position.copy(), trace, rows, targets, kinds)
        features, aims, bounds = np.array(rows, np.float64), np.array(targets), np.array(kinds)
        values = np.tanh(self._net.outputs(features))  # for whom the features are
        errors = np.tanh(aims / SCALE) - values
        errors[(bounds > 0) & (errors < 0)] = 0  # at least as good as it thinks
        errors[(bounds < 0) & (errors > 0)] = 0
        gradient = self._net.gradient(features, -errors * (1 - values**2) / len(errors))
        self._optimiser.update(self._net.weights, gradient)
        return float(np.sqrt((errors**2).mean()))

    def _walk(
        self,
        board: games.Board,
        trace: _core.textbook.Trace,
        rows: list[npt.NDArray[np.float32]],
        aims: list[float],
        kinds: list[int],
    ) -> None:
        """Collect the positions inside a tree with what the search found: exact (0), at least (1), at most (-1)."""
        columns = trace.columns
        inside = np.flatnonzero(columns["depth"] >= 1)  # nine rows in ten are leaves, which say nothing of their own
        names = ("ply", "value", "alpha", "beta")
        start = board.ply
        for row, ply, value, alpha, beta in zip(
            inside.tolist(), *(columns[name][inside].tolist() for name in names), strict=True
        ):
            while board.ply > start + max(ply - 1, 0):
                board.pop()
            if ply:
                board.push(trace.move(row))
            if board.outcome(claim_draw=True):
                continue
            kind = 1 if value >= beta else -1 if value <= alpha else 0
            sign = -1 if self._by_white and board.turn == Side.BLACK else 1
            rows.append(board.features(self._features))
            aims.append(float(sign * value))
            kinds.append(sign * kind)

    # Measuring

    def _fit_to(self, rows: Sequences) -> tuple[float, float]:
        """The mean squared error against the results of games, and R2."""
        worths = self._worths(rows)
        errors = worths - np.tanh(self._net.outputs(rows.features)) * rows.signs
        loss = float((errors**2).mean())
        return loss, r2(loss, float(worths.var()))

    def _worths(self, rows: Sequences) -> Array:
        """The result of the game for each row."""
        return np.repeat(rows.results, np.diff(rows.ends, prepend=0))


def lambda_errors(values: Array, lengths: npt.NDArray[np.int64], ends: Array, decay: float) -> Array:
    """For each position, how far its value is from what followed; later differences count less and less.

    `values` are those of the games one after the other, `ends` the result of each game.

    >>> lambda_errors(np.array([0.0, 0.5]), np.array([2]), np.array([1.0]), 0.0).tolist()
    [0.5, 0.5]
    >>> lambda_errors(np.array([0.0, 0.5]), np.array([2]), np.array([1.0]), 1.0).tolist()
    [1.0, 0.5]
    """
    longest = int(lengths.max())
    inside = np.arange(longest)[None, :] < lengths[:, None]
    table = np.repeat(ends[:, None], longest + 1, axis=1)
    table[:, :-1][inside] = values
    errors = np.zeros((len(lengths), longest + 1))
    for ply in reversed(range(longest)):
        errors[:, ply] = table[:, ply + 1] - table[:, ply] + decay * errors[:, ply + 1]
    return errors[:, :-1][inside]


def _check(settings: TdSettings) -> None:
    if settings.variant not in VARIANTS:
        raise DamierError(f"{settings.variant!r} is not a TD variant, expected one of {', '.join(VARIANTS)}")
    for name, value, least, most in (
        ("hidden", settings.hidden, 0, 64),
        ("lambda", settings.trace_decay, 0, 1),
        ("depth", settings.depth, 1, 20),
        ("games per step", settings.games_per_step, 0, 10**6),
        ("random plies", settings.random_plies, 0, 200),
    ):
        check_range(name, value, least, most)
    if settings.rate is not None and not 0 < settings.rate < 100:
        raise DamierError(f"rate is {settings.rate}, expected more than 0 and less than 100")
