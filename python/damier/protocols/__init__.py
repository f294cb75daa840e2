"""Engine protocols, which are lines of text: UCI and Hub for our engine, and UCI, Hub and xboard for other people's.

Each protocol is a package: `text` reads and writes its lines, `server` is our engine for a GUI, `client` is an engine
that we run. What they share is here: `server` and `client`, the child `process`, `lines`, `scores` and `transcript`.
"""

from __future__ import annotations

from damier.protocols.client import RemoteEngine
from damier.protocols.hub import HubEngine, HubServer
from damier.protocols.process import check_command
from damier.protocols.server import stdio_connection
from damier.protocols.uci import UciEngine, UciServer
from damier.protocols.xboard import XboardEngine

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
