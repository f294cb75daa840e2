"""The way to a Ray cluster, which is optional: `pip install damier[cluster]`."""

from __future__ import annotations

import importlib
import logging
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from damier._core import DamierError

__all__ = ["connected"]

CONNECT_SECONDS = 5.0


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """The module `ray`, connected to the cluster at "auto" or HOST:PORT; a connection that is open already is kept.

    >>> with connected("somewhere"):
    ...     pass
    Traceback (most recent call last):
    ...
    damier._core.DamierError: the cluster is 'somewhere', expected auto or HOST:PORT
    """
    _check(address)
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")  # or Ray prints its news on stdout, amid our results
    try:
        ray = importlib.import_module("ray")
    except ImportError:
        raise DamierError("a cluster needs Ray: pip install 'damier[cluster]'") from None
    if ray.is_initialized():
        yield ray
        return
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # of many kinds, Ray's own and others
        raise DamierError(f"no Ray cluster answers at {address}: {' '.join(str(error).split())}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _check(address: str) -> None:
    """Ray itself would try for minutes where nobody listens."""
    if address == "auto":
        return
    found = re.fullmatch(r"\[?([^/\s]+?)\]?:(\d{1,5})", address)
    if not found:
        raise DamierError(f"the cluster is {address!r}, expected auto or HOST:PORT")
    try:
        socket.create_connection((found[1], int(found[2])), CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise DamierError(f"no Ray cluster answers at {address}: {error}") from None
