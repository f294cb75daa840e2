"""Work for the nodes of a cluster, in a file of its own: each of their processes loads it, and little else."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Slowly:
    """Leaves a note of each piece it begins, in a folder that all nodes share here; a node may be held there."""

    notes: Path

    def __call__(self, piece: int, stop: Any) -> tuple[int, str]:
        import ray  # noqa: PLC0415

        node = ray.get_runtime_context().get_node_id()
        (self.notes / f"begun {piece} {node} {time.monotonic()}").touch()
        time.sleep(0.2)
        while (self.notes / f"hold {node}").exists() and not stop.is_set():
            (self.notes / f"held {node}").touch()
            time.sleep(0.05)
        return piece, node

    def close(self) -> None:
        (self.notes / f"closed {os.getpid()}").touch()

    def begun(self) -> list[tuple[int, str]]:
        """Piece and node of each note."""
        names = (note.name.split() for note in self.notes.glob("begun *"))
        return [(int(piece), node) for _, piece, node, _ in names]


@dataclass
class Dies:
    """Takes its process along, once or always."""

    note: Path | None

    def __call__(self, piece: int, stop: Any) -> int:
        if piece == 1 and not (self.note and self.note.exists()):
            if self.note:
                self.note.touch()
            os._exit(1)
        return piece


@dataclass
class Heavy:
    """Weighs much, leaves a note each time it arrives somewhere, and counts its pieces under way."""

    notes: Path
    weight: bytes
    meeting: int = 1  # the first pieces wait for each other

    def __post_init__(self) -> None:
        self._busy, self._lock, self._met = 0, threading.Lock(), threading.Barrier(self.meeting)

    def __reduce__(self) -> Any:
        return arrived, (self.notes, self.weight, self.meeting)

    def __call__(self, piece: int, stop: Any) -> int:
        with self._lock:
            self._busy += 1
        if piece < self.meeting:
            self._met.wait(90)  # an error where they never meet
        with self._lock:
            self._busy -= 1
            return self._busy + 1


def arrived(notes: Path, weight: bytes, meeting: int) -> Heavy:
    (notes / f"{os.getpid()} {time.monotonic()}").touch()
    return Heavy(notes, weight, meeting)


def fails(piece: int, stop: Any) -> int:
    if piece == 3:
        raise ValueError("piece", piece)
    return piece


def returns_a_lock(piece: int, stop: Any) -> Any:
    return threading.Lock()


def cannot_be_loaded() -> Any:
    raise ImportError("no such work here")


class Broken:
    def __reduce__(self) -> Any:
        return cannot_be_loaded, ()

    def __call__(self, piece: int, stop: Any) -> int:
        return piece
