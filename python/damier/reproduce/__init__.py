"""Published experiments of other programs, repeated: games, training and matches, and a report that compares figures.

`damier.reproduce.frame` says what a reproduction is, and how to write one.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from damier._core import DamierError
from damier.reproduce.frame import Reproduction, Step, Work, reproduce
from damier.reproduce.report import Report

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["REPRODUCTIONS", "Report", "Reproduction", "Step", "Work", "named", "reproduce"]

# The module and the class of each; they are loaded when they are asked for.
REPRODUCTIONS = {
    "deep-checker": ("deep_checker", "DeepChecker"),
    "bing": ("bing", "Bing"),
    "loa-levels": ("loa_levels", "LoaLevels"),
    "paris": ("paris", "Paris"),
    "ocap": ("ocap", "Ocap"),
}


def named(name: str, *, quick: bool = False) -> Reproduction[DataclassInstance]:
    """The reproduction of that name, in its usual size or in a few minutes.

    >>> named("paris").game
    'paris'
    """
    if name not in REPRODUCTIONS:
        raise DamierError(f"no reproduction {name!r}, expected one of {', '.join(REPRODUCTIONS)}")
    module, of = REPRODUCTIONS[name]
    kind: type[Reproduction[DataclassInstance]] = getattr(importlib.import_module(f"damier.reproduce.{module}"), of)
    return kind(kind.quick if quick else kind.usual)
