"""Tuning an evaluation that is a sum of weighted features, by logistic regression on games (Texel's method)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from damier import games, jobs
from damier._core import DamierError, DataError, Samples, StopFlag
from damier.lab.fit import calibrate, minimise, slope_of
from damier.storage.games import read_columns, shards_of
from damier.weights import Weights

__all__ = ["Tuning", "load_samples", "tune"]

CALIBRATION_SAMPLES = 200_000


@dataclass(frozen=True)
class Tuning:
    """What a tuning found: the new weights, a row a feature, and how well old and new explain games not learnt from."""

    game: str
    weights: npt.NDArray[np.float64]
    samples: int
    held_out: int
    slope: float
    loss_before: float
    loss_after: float
    margin: float
    spread: float
    eval: str = "classic"
    provenance: Mapping[str, str] = field(default_factory=dict)  # method, data and settings

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the weights as a file that every `eval=` takes, with how they were found."""
        board = games.board(self.game)
        tensors, first = {}, 0
        for name, size, *_ in board.weight_groups(board.evaluator(self.eval)):
            tensors[name] = self.weights[first : first + size].astype(np.int16)
            first += size
        metadata = {**self.provenance, "calibration": f"{float(self.margin)!r} {float(self.spread)!r}"}
        Weights(self.game, "tapered", self.eval, tensors, metadata).save(path)


def load_samples(
    game: str,
    source: str | os.PathLike[str],
    *,
    eval: str = "classic",
    skip: int = 10,
    every: int = 1,
    mix: float = 0.0,
    slope: float = 0.005,
    seed: int = 0,
    threads: int = 1,
    told: Callable[[int, int], None] | None = None,
) -> tuple[Samples, Samples]:
    """The features of the calm positions of stored games: nine shards in ten to learn from, the tenth held out.

    `told` hears how many shards of how many are done.
    """
    shards = shards_of(source)
    learnt, held_out = Samples(), Samples()

    def work(piece: tuple[int, Path], stop: StopFlag) -> tuple[int, Samples]:
        number, shard = piece
        about, columns = read_columns(shard)
        if about.variant != game:
            raise DataError(f"{shard}: holds games of {about.variant}, expected {game}")
        board = games.board(about.variant, about.start_fen)
        try:
            samples = board.sample_games(
                board.evaluator(eval),
                columns["codes"],
                columns["ends"],
                columns["results"],
                columns["scores"],
                columns["score_ends"],
                skip=skip,
                every=every,
                seed=seed + number,
                mix=mix,
                slope=slope,
                stop=stop,
            )
        except DataError as error:
            raise DataError(f"{shard}: {error}") from None
        return number, samples

    # In order, so that the same games always give the same samples.
    done: dict[int, Samples] = {}
    for arrived, (number, samples) in enumerate(jobs.run(work, enumerate(shards), threads=threads), 1):
        done[number] = samples
        if told:
            told(arrived, len(shards))
    for number in sorted(done):
        (held_out if number % 10 == 9 or len(shards) == 1 else learnt).extend(done[number])
        del done[number]
    if len(shards) == 1:
        learnt.extend(held_out)
    elif len(held_out) == 0:
        raise DataError(f"{source}: {len(shards)} shards are too few to hold one in ten out, expected 10")
    if len(learnt) == 0:
        raise DataError(f"{source}: no calm positions in these games")
    return learnt, held_out


def tune(
    game: str,
    source: str | os.PathLike[str],
    *,
    eval: str = "classic",
    skip: int = 10,
    every: int = 1,
    mix: float = 0.0,
    prior: float = 1e-7,
    steps: int = 300,
    seed: int = 0,
    threads: int = 1,
    told: Callable[[str, int, float], None] | None = None,
) -> Tuning:
    """Fit the weights of an evaluation to the results of stored games, starting from those it has.

    Each weight is drawn to its present value by `prior` times the square of the difference, so that what the games
    do not show stays as it is; those set by hand are left alone. `mix` is the share of the search's own scores in what
    is aimed at. `told` hears the stage ("reading", "fitting"), how far it is, and the share done or the loss.

    >>> import tempfile
    >>> from damier.lab import self_play
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = self_play("rennes", games=20, nodes=50, out=folder)
    ...     tuning = tune("rennes", folder, steps=3)
    >>> tuning.loss_after <= tuning.loss_before and tuning.weights.shape[1] == 2
    True
    """
    if not 0 <= mix <= 1:
        raise DamierError(f"mix is {mix}, expected 0 to 1")
    board = games.board(game)
    start = board.weights(board.evaluator(eval))
    free = np.repeat(
        [not held for _, size, _, held in board.weight_groups(board.evaluator(eval)) for _ in range(size)], 2
    ).reshape(start.shape)

    def read(mix: float, slope: float) -> tuple[Samples, Samples]:
        return load_samples(
            game,
            source,
            eval=eval,
            skip=skip,
            every=every,
            mix=mix,
            slope=slope,
            seed=seed,
            threads=threads,
            told=(lambda done, of: told("reading", done, done / of)) if told else None,
        )

    learnt, held_out = read(0.0, 0.005)
    slope = slope_of(*_some(learnt, start, threads))
    before = held_out.loss(start, slope, threads=threads)[0]
    aimed = read(mix, slope)[0] if mix > 0 else learnt

    def loss(weights: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        value, gradient = aimed.loss(np.ascontiguousarray(weights), slope, threads=threads)
        away = weights - start
        return value + prior * float((away**2).sum()), (gradient + 2 * prior * away) * free

    weights, _ = minimise(
        loss, start, steps=steps, told=(lambda step, value: told("fitting", step, value)) if told else None
    )
    rounded = np.round(weights)
    margin, spread = calibrate(*_some(held_out, rounded, threads))
    after = held_out.loss(rounded, slope, threads=threads)[0]
    settings = {"skip": skip, "every": every, "mix": mix, "prior": prior, "steps": steps, "seed": seed, "slope": slope}
    found = {"samples": len(learnt), "held_out": len(held_out), "loss_before": before, "loss_after": after}
    return Tuning(
        game=game,
        weights=rounded,
        samples=len(learnt),
        held_out=len(held_out),
        slope=slope,
        loss_before=before,
        loss_after=after,
        margin=margin,
        spread=spread,
        eval=eval,
        provenance={
            "method": "logistic regression on games (damier learn classic)",
            "from": _hash(start),
            "data_sha256": _hash(learnt.results(), held_out.results()),
            **{key: repr(value) for key, value in (settings | found).items()},
        },
    )


def _hash(*arrays: npt.NDArray[Any]) -> str:
    """Tells which numbers were used: the weights at the start, or the results of all positions in order."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _some(
    samples: Samples, weights: npt.NDArray[np.float64], threads: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Values and results of enough samples to calibrate by."""
    values = samples.values(weights, threads=threads).astype(np.float64)
    results = samples.results().astype(np.float64)
    chosen = slice(None, None, max(1, len(values) // CALIBRATION_SAMPLES))
    return values[chosen], results[chosen]
