"""Engine protocols, which are lines of text: UCI and Hub for our engine, and UCI, Hub and xboard for other people's.

Each protocol is a package: `text` reads and writes its lines, `server` is our engine for a GUI, `client` is an engine
that we run. What they share is here: `server` and `client`, the child `process`, `lines`, `scores` and `transcript`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damier.protocols.client import RemoteEngine
    from damier.protocols.hub.client import HubEngine
    from damier.protocols.hub.server import HubServer
    from damier.protocols.process import check_command
    from damier.protocols.server import stdio_connection
    from damier.protocols.uci.client import UciEngine
    from damier.protocols.uci.server import UciServer
    from damier.protocols.xboard.client import XboardEngine

__all__ = [
    "HubEngine",
    "HubServer",
    "RemoteEngine",
    "UciEngine",
    "UciServer",
    "XboardEngine",
    "check_command",
    "stdio_connection",
]

_HOMES = {
    "HubEngine": "hub.client",
    "HubServer": "hub.server",
    "RemoteEngine": "client",
    "UciEngine": "uci.client",
    "UciServer": "uci.server",
    "XboardEngine": "xboard.client",
    "check_command": "process",
    "stdio_connection": "server",
}


def __getattr__(name: str) -> object:
    """Load a protocol, and each side of it, on first use: a GUI waits for our engine to start."""
    if name not in _HOMES:
        raise AttributeError(f"module 'damier.protocols' has no attribute {name!r}")
    return getattr(import_module(f"damier.protocols.{_HOMES[name]}"), name)
