"""The Universal Chess Interface (Stefan Meyer-Kahlen, 2006) for every game damier knows: `UciServer`, `UciEngine`."""

from __future__ import annotations

from damier.protocols.uci.client import UciEngine
from damier.protocols.uci.server import UciServer

__all__ = ["UciEngine", "UciServer"]
