"""The Universal Chess Interface, for every game damier knows."""

from __future__ import annotations

from damier.protocols.uci.server import UciServer

__all__ = ["UciServer"]
