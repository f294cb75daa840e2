"""The compiled core, loaded in the fastest form this CPU can run; the variable DAMIER_CPU chooses another one."""

from __future__ import annotations

import importlib
import os
import sys
import types

from . import _cpu


def _chosen_level() -> str:
    possible: list[str] = _cpu.levels()
    if not possible:
        raise ImportError("damier needs an x86-64-v2 processor (SSE4.2 and POPCNT, any made since 2009)")
    wanted = os.environ.get("DAMIER_CPU") or possible[-1]
    if wanted not in possible:
        raise ImportError(f"DAMIER_CPU is {wanted!r}, but this machine runs {', '.join(possible)}")
    return wanted


_module = importlib.import_module(f"{__name__}._{_chosen_level()}")
for _name, _item in vars(_module).items():
    if isinstance(_item, types.ModuleType):
        sys.modules[f"{__name__}.{_name}"] = _item
    if not _name.startswith("__"):
        globals()[_name] = _item
