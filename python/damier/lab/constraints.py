"""Ranges that weights must stay in: a TOML file with a line per feature, such as `"own pieces" = [0, 200]`."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from damier._core import DamierError
from damier.files import read_toml

__all__ = ["read_constraints"]

LARGEST = 1_000_000  # hundredths of a man
EXPECTED = "expected [low, high]"


def read_constraints(
    path: str | os.PathLike[str], names: Sequence[str]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The lowest and the highest weight of each feature, in the order of their names.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "ranges.toml"
    ...     _ = path.write_text('"quads of 3" = [0, 10]\\neuler = [-50, 0]')
    ...     low, high = read_constraints(path, ["euler", "quads of 3"])
    >>> low.tolist(), high.tolist()
    ([-50.0, 0.0], [0.0, 10.0])
    """
    data = read_toml(Path(path))
    if unknown := [name for name in data if name not in names]:
        raise DamierError(f"{path}: there is no feature {unknown[0]!r}, expected one of {', '.join(map(repr, names))}")
    if missing := [name for name in names if name not in data]:
        raise DamierError(f'{path}: {missing[0]!r} is missing, expected "{missing[0]}" = [low, high]')
    ranges = np.array([_range(f"{path}: {name!r}", data[name]) for name in names], np.float64)
    return ranges[:, 0], ranges[:, 1]


def _range(where: str, value: object) -> tuple[float, float]:
    if not isinstance(value, list) or len(value) != 2 or not all(map(_is_number, value)):
        raise DamierError(f"{where} is {value!r}, {EXPECTED}, two numbers")
    low, high = value
    if low > high:
        raise DamierError(f"{where} is {value!r}, {EXPECTED}, the lower first")
    if max(abs(low), abs(high)) > LARGEST:
        raise DamierError(f"{where} is {value!r}, {EXPECTED}, at most {LARGEST} either way")
    return float(low), float(high)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
