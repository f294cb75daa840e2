"""Fitting an evaluation that is a sum of weighted features, by logistic regression on games (Texel's method)."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DamierError, Samples
from damier.lab.fit import calibrate, minimise, slope_of
from damier.lab.samples import load_samples, unfinished_in
from damier.weights import Weights

__all__ = ["Fit", "fit_classic"]

log = logging.getLogger(__name__)

CALIBRATION_SAMPLES = 200_000


@dataclass(frozen=True)
class Fit:
    """What a fit found: the new weights, a row per feature, and how well old and new explain games not learnt from."""

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


def fit_classic(
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
    on_progress: Callable[[str, int, float], None] | None = None,
) -> Fit:
    """Fit the weights of an evaluation to the results of games, starting from those it has.

    The source is a folder of self-play, a folder of a match or tournament, a PGN, PDN or SGF file, or a database.
    Each weight is drawn to its present value by `prior` times the square of the difference, so that what the games
    do not show stays as it is; those set by hand are left alone. `mix` is the share of the search's own scores in what
    is aimed at. `on_progress` is called with the stage ("reading", "fitting"), how far it is, and the share done or the
    loss.

    >>> import tempfile
    >>> from damier.lab import self_play
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = self_play("rennes", games=20, nodes=50, out=folder)
    ...     fit = fit_classic("rennes", folder, steps=3)
    >>> fit.loss_after <= fit.loss_before and fit.weights.shape[1] == 2
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
            on_progress=(lambda done, of: on_progress("reading", done, done / of)) if on_progress else None,
        )

    learnt, held_out = read(0.0, 0.005)
    if left_out := unfinished_in(source):
        log.warning("%s", left_out)
    slope = slope_of(*_some(learnt, start, threads))
    before = held_out.loss(start, slope, threads=threads)[0]
    aimed = read(mix, slope)[0] if mix > 0 else learnt

    def loss(weights: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        value, gradient = aimed.loss(np.ascontiguousarray(weights), slope, threads=threads)
        away = weights - start
        return value + prior * float((away**2).sum()), (gradient + 2 * prior * away) * free

    on_step = (lambda step, value: on_progress("fitting", step, value)) if on_progress else None
    weights, _ = minimise(loss, start, steps=steps, on_step=on_step)
    rounded = np.round(weights)
    margin, spread = calibrate(*_some(held_out, rounded, threads))
    after = held_out.loss(rounded, slope, threads=threads)[0]
    settings = {"skip": skip, "every": every, "mix": mix, "prior": prior, "steps": steps, "seed": seed, "slope": slope}
    found = {"samples": len(learnt), "held_out": len(held_out), "loss_before": before, "loss_after": after}
    return Fit(
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
    """A digest of the numbers used: the weights at the start, or the results of all positions in order."""
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
