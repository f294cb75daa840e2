"""The xboard protocol (CECP), version 2 (Tim Mann and H.G. Muller), for chess and Chess960: `XboardEngine`."""

from __future__ import annotations

from damier.protocols.xboard.client import XboardEngine

__all__ = ["XboardEngine"]
