"""Files of weights: safetensors whose metadata name their game and features, with a hash of everything.

The core reads them, for play and for Python alike, and refuses what is damaged. They are written here: the same weights
always give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from damier import _core, games
from damier._core import DamierError
from damier.files import JsonObject, write_atomically
from damier.version import __version__

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Array", "Weights", "evaluation_path", "features_hash", "read_weights"]

Array: TypeAlias = "npt.NDArray[Any]"  # of any type

FORMAT = "damier 1"
NO_HASH = "0" * 64
LARGEST = 1 << 30  # bytes of a file that the core reads
TYPES = {"int16": "I16", "uint64": "U64", "float32": "F32", "float64": "F64"}


@dataclass(frozen=True, eq=False)
class Weights:
    """The content of a file of weights: numbers by name, and what they are for.

    >>> import tempfile
    >>> import numpy as np
    >>> numbers = {"weights": np.array([1.0, -1.0])}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Weights("loa", "linear", "pairs", numbers, {"method": "set by hand"}).save(f"{folder}/pairs.safetensors")
    ...     again = read_weights(f"{folder}/pairs.safetensors")
    >>> again.game, again.kind, again.tensors["weights"].tolist(), again.metadata["method"]
    ('loa', 'linear', [1.0, -1.0], 'set by hand')
    """

    game: str
    kind: str  # tapered, linear, network, nnue, patterns, moves, neighbours, policy-value or checkpoint
    features: str  # the evaluation (tapered), feature set or planes that it looks at; the method of a checkpoint
    tensors: Mapping[str, Array]
    metadata: Mapping[str, str] = field(default_factory=dict)  # the rest: calibration, provenance and so on

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file, completely or not at all."""
        path = Path(path)
        about = {
            "format": FORMAT,
            "sha256": NO_HASH,
            "game": self.game,
            "family": games.info(self.game).family,
            "kind": self.kind,
            "features": self.features,
        }
        rest = {"writer": f"damier {__version__}"} | {
            key: text for key, text in self.metadata.items() if key not in about
        }
        try:
            content = _with_hash(_safetensors(self.tensors, about | dict(sorted(rest.items()))))
        except DamierError as error:
            raise DamierError(f"{path}: {error}") from None
        write_atomically(path, content)


def read_weights(path: str | os.PathLike[str], kind: str | None = None) -> Weights:
    """Read a file of weights, of any kind or of one; DamierError says what is wrong if it is damaged or of another
    kind.
    """
    metadata, tensors = _core.read_weights(os.fspath(path))
    try:
        game, found, features = (metadata.pop(key) for key in ("game", "kind", "features"))
    except KeyError as error:
        raise DamierError(f"{path}: its metadata lack {error}") from None
    if kind is not None and found != kind:
        raise DamierError(f"{path}: holds weights of kind {found}, expected {kind}")
    return Weights(game, found, features, tensors, metadata)


def evaluation_path(path: str | os.PathLike[str]) -> str:
    """The path of a file as an evaluation is named: one without a dot or a slash could be the name of a built-in one.

    >>> evaluation_path("learnt"), evaluation_path("runs/learnt.safetensors")
    ('./learnt', 'runs/learnt.safetensors')
    """
    text = os.fspath(path)
    return text if "/" in text or "." in text else f"./{text}"


def features_hash(names: list[str]) -> str:
    """Distinguishes feature sets of the same name, should one ever change.

    >>> features_hash(["own pieces", "enemy pieces"])
    'e9b1a40677f674af'
    """
    return hashlib.sha256("".join(f"{name}\n" for name in names).encode()).hexdigest()[:16]


def _safetensors(tensors: Mapping[str, npt.NDArray[np.generic]], metadata: Mapping[str, str]) -> bytes:
    """The bytes of a safetensors file. (The package of that name writes metadata in random order.)"""
    import numpy as np  # noqa: PLC0415  (slow to load, and seldom written)

    for key, text in [*metadata.items(), *((name, "") for name in tensors)]:
        if not (key + text).isprintable():
            raise DamierError(f"{key!r} is {text!r}, expected a text of one line")
    arrays = {name: np.atleast_1d(given) for name, given in tensors.items()}
    header: JsonObject = {"__metadata__": dict(metadata)}
    end = 0
    for name, array in arrays.items():
        if array.dtype.name not in TYPES:
            raise DamierError(f"{name} holds {array.dtype}, expected one of {', '.join(TYPES)}")
        start, end = end, end + array.nbytes
        header[name] = {
            "dtype": TYPES[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [start, end],
        }
    written = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    written += b" " * (-len(written) % 8)  # so that the numbers are aligned
    if 8 + len(written) + end > LARGEST:
        raise DamierError(f"the weights have {end} bytes, expected at most 1 GiB in a file")
    numbers = (array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes() for array in arrays.values())
    return b"".join([len(written).to_bytes(8, "little"), written, *numbers])


def _with_hash(file: bytes) -> bytes:
    """The file with its own hash, taken with zeros in its place."""
    return file.replace(NO_HASH.encode(), hashlib.sha256(file).hexdigest().encode(), 1)
