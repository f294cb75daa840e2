"""Which games of a long stream are repeats: found on disk, since memory cannot hold all of their digests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from damier.storage.batches import DIGEST_BYTES

__all__ = ["Duplicates"]

BUCKETS = 64  # files; memory holds the digests of one at a time
ROW = np.dtype([("digest", f"S{DIGEST_BYTES}"), ("number", "<i8")])


class Duplicates:
    """Takes the digests of games in order, in a folder of its own, and then knows which are repeats.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     known = Duplicates(Path(folder))
    ...     known.add(np.array([[1] * 16, [2] * 16, [1] * 16], np.uint8))
    ...     known.repeats(), known.is_repeat(0, 3).tolist()
    (1, [False, False, True])
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self._repeats: npt.NDArray[np.bool_] = np.zeros(0, np.bool_)

    def add(self, digests: npt.NDArray[np.uint8]) -> None:
        """Add the digests of the next games, a row each."""
        numbers = np.arange(self._count, self._count + len(digests))
        for bucket in np.unique(digests[:, 0] % BUCKETS).tolist():
            chosen = digests[:, 0] % BUCKETS == bucket
            rows = np.empty(int(chosen.sum()), ROW)
            rows["number"] = numbers[chosen]
            rows["digest"] = np.ascontiguousarray(digests[chosen]).view(ROW["digest"])[:, 0]
            with (self._folder / str(bucket)).open("ab") as file:
                file.write(rows.tobytes())
        self._count += len(digests)

    def repeats(self) -> int:
        """How many of all games are repeats; nothing can be added from now on."""
        marks = self._folder / "repeats"
        marks.write_bytes(b"")
        with marks.open("r+b") as file:
            file.truncate(max(1, self._count))
        self._repeats = np.memmap(marks, np.bool_, "r+")
        found = 0
        for bucket in range(BUCKETS):
            path = self._folder / str(bucket)
            if not path.exists():
                continue
            rows = np.fromfile(path, ROW)
            order = np.argsort(rows["digest"], kind="stable")
            same = rows["digest"][order[1:]] == rows["digest"][order[:-1]]
            self._repeats[rows["number"][order[1:]][same]] = True
            found += int(same.sum())
        return found

    def is_repeat(self, first: int, count: int) -> npt.NDArray[np.bool_]:
        """Which of some consecutive games are repeats."""
        return np.array(self._repeats[first : first + count])
