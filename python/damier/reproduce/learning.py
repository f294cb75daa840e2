"""Trainings of a step side by side, each in a process of its own: learning in Python holds the GIL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeVar

from damier import jobs
from damier._core import StopFlag
from damier.jobs.apart import Apart
from damier.lab.training import Training
from damier.reproduce.frame import Result, Work

__all__ = ["learn_all"]

Piece = TypeVar("Piece")
OnStep = Callable[[Training], None]


Learn = Callable[[Work, str, Piece, OnStep], Result]


def learn_all(work: Work, learn: Learn[Piece], pieces: Mapping[str, Piece]) -> Result:
    """The results of `learn(work, name, piece, on_step)` for each piece, by name; it must pass `on_step` to `train`.

    As many run at the same time as the work has threads; results do not depend on it.
    """
    one = partial(_learnt, replace(work, threads=1, say=_silent), learn)
    done: Result = {}
    for name, found in jobs.run(one if work.threads == 1 else Apart(one), pieces.items(), threads=work.threads):
        done[name] = found
        work.say(f"{len(done)} of {len(pieces)} nets")
    return {name: done[name] for name in pieces}


def _learnt(work: Work, learn: Learn[Piece], named: tuple[str, Piece], stop: StopFlag) -> tuple[str, Result]:
    name, piece = named

    def on_step(_: Training) -> None:
        if stop.is_set():
            raise KeyboardInterrupt

    return name, learn(work, name, piece, on_step)


def _silent(words: str) -> None:
    """Another process cannot report its progress."""
