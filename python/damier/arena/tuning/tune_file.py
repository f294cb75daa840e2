"""A space of parameters as a TOML file."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from damier._core import DamierError
from damier.arena.event import Where
from damier.arena.toml_file import adjudication_in, check, control_in, naming, number, read_keys, table, text, whole
from damier.arena.tuning.spsa import Parameter
from damier.arena.tuning.tune import METHODS, Tune

__all__ = ["read_tune"]

KEYS = {"game": text, "player": text, "steps": whole, "pairs": whole, "limit": table, "openings": text, "seed": whole}
KEYS |= {"adjudication": table, "parameters": table, "method": text, "trials": whole, "sampler": text}
ONLY = {"steps": "spsa", "trials": "optuna", "sampler": "optuna"}  # keys of one method
PARAMETER = dict.fromkeys(("start", "least", "most", "c_end", "r_end"), number)


def read_tune(path: Path, **where: Unpack[Where]) -> Tune:
    """Read what is to be tuned; `out`, `resume`, `concurrency` and `cluster` are not in the file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "space.toml"
    ...     lines = 'game = "loa"', "[parameters.lmr_base]", "start = 70", "least = 0", "most = 200", "c_end = 20"
    ...     _ = path.write_text("\\n".join(lines))
    ...     read_tune(path).parameters[0].name
    'lmr_base'
    """
    data = read_keys(path, KEYS, ("game", "parameters"))
    method = data.get("method", METHODS[0])
    for key, only in ONLY.items():
        if key in data and method in METHODS and method != only:
            raise DamierError(f'{path}: {key} is for method = "{only}", not "{method}"')
    if "trials" in data:
        data["steps"] = data.pop("trials")
    required = ("start", "least", "most", "c_end") if method == "spsa" else ("start", "least", "most")
    parameters = []
    for name, values in data.pop("parameters").items():
        if not table(values):
            raise DamierError(f"{path}: parameters.{name} is {values!r}, expected a table")
        check(path, values, PARAMETER, f"parameters.{name}.")
        for key in required:
            if key not in values:
                raise DamierError(f"{path}: parameters.{name} has no {key}")
        with naming(f"{path}: parameters"):
            parameters.append(Parameter(name, **values))
    control = control_in(path, data.pop("limit", {}))
    adjudication = adjudication_in(path, data.pop("adjudication", {}))
    data.setdefault("player", "engine")
    with naming(str(path)):
        return Tune(parameters=parameters, control=control, adjudication=adjudication, **data, **where)
