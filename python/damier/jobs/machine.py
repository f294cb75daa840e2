"""What runs on each machine of a cluster: one actor that owns its cores."""

from __future__ import annotations

import importlib
import pickle
import platform
import sys

from damier._core import DamierError
from damier.jobs.local import Threads
from damier.version import __version__

__all__ = ["Machine", "versions"]


class Machine:
    """A work and the threads that do it, as long as the run lasts.

    >>> import operator
    >>> machine = Machine(1)
    >>> machine.prepare(versions(), pickle.dumps(operator.is_)) == versions()
    True
    >>> pickle.loads(machine.do(3))
    (False, None)
    >>> machine.stop()
    """

    def __init__(self, threads: int) -> None:
        self._number = threads
        self._threads: Threads[object, object] | None = None

    def prepare(self, wanted: str, work: bytes) -> str:
        """Take the work, unless it comes from other versions; answer with the versions here."""
        here = versions()
        if here == wanted:
            self._threads = Threads(pickle.loads(work), self._number)
        return here

    def do(self, piece: object) -> bytes:
        """The result of a piece and None, or None and the error that it raised, pickled."""
        assert self._threads
        try:
            return packed((self._threads.submit(piece).result(), None))
        except Exception as error:
            return packed((None, sendable(error)))

    def stop(self) -> None:
        """Set the stop flag and wait for what is in progress."""
        if self._threads:
            self._threads.close()


def versions() -> str:
    """What must be the same everywhere: games depend on the one, what is sent on the other."""
    return f"damier {__version__}, Python {sys.version_info.major}.{sys.version_info.minor}"


def packed(result: object) -> bytes:
    """Pickled by Python, with less overhead than by Ray; by Ray for what a script defines in itself."""
    try:
        return pickle.dumps(result)
    except (AttributeError, pickle.PicklingError):
        by_value: bytes = importlib.import_module("ray.cloudpickle").dumps(result)
        return by_value


def sendable(error: Exception) -> Exception:
    """The error with the name of this machine; another error with its text if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # any error may be raised while an unknown class is taken apart
        error = DamierError(f"{type(error).__name__}: {error}")
    error.add_note(f"raised on {platform.node()}")
    return error
