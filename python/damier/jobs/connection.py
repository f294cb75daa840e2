"""The connection to a Ray cluster, which is optional: `pip install damier[cluster]`."""

from __future__ import annotations

import importlib
import logging
import os
import re
import signal
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from damier._core import DamierError

__all__ = ["connected"]

CONNECT_SECONDS = 5.0
HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))  # of HTTP/2, which gRPC speaks
SETTINGS = 4  # the kind of its answer, given by the fourth byte


@contextmanager
def connected(address: str) -> Iterator[ModuleType]:
    """The module `ray`, connected to the cluster at "auto" or HOST:PORT; a connection that is open already is kept.

    >>> with connected("somewhere"):
    ...     pass
    Traceback (most recent call last):
    ...
    damier._core.DamierError: the cluster is 'somewhere', expected auto or HOST:PORT
    """
    _check(_recorded_address() if address == "auto" else address)
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")  # or Ray prints its news on stdout, amid our results
    try:
        ray = importlib.import_module("ray")
    except ImportError:
        raise DamierError("a cluster needs Ray: pip install 'damier[cluster]'") from None
    if ray.is_initialized():
        yield ray
        return
    try:
        with _keep_sigterm_handler():
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # of many kinds, Ray's own and others
        raise DamierError(f"cannot join the Ray cluster at {address}: {' '.join(str(error).split())}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


@contextmanager
def _keep_sigterm_handler() -> Iterator[None]:
    """Ray handles SIGTERM itself, and would exit without a word; the previous handler is restored."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if before is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)


def _recorded_address() -> str:
    """Where Ray would look first; a note outlives a cluster that was cut off."""
    note = Path(os.environ.get("RAY_TMPDIR") or tempfile.gettempdir(), "ray", "ray_current_cluster")
    return os.environ.get("RAY_ADDRESS") or (note.read_text().strip() if note.exists() else "auto")


def _check(address: str) -> None:
    """Ray itself would try for minutes if nobody listens."""
    if address == "auto":
        return
    found = re.fullmatch(r"\[?([^/\s]+?)\]?:(\d{1,5})", address)
    if not found:
        raise DamierError(f"the cluster is {address!r}, expected auto or HOST:PORT")
    try:
        with socket.create_connection((found[1], int(found[2])), CONNECT_SECONDS) as connection:
            connection.sendall(HELLO)
            answer = connection.recv(4, socket.MSG_WAITALL)
    except (OSError, OverflowError) as error:
        raise DamierError(f"no Ray cluster answers at {address}: {error}") from None
    if answer[3:] != bytes((SETTINGS,)):
        raise DamierError(f"no Ray cluster answers at {address}: something else is listening there")
