"""`damier uci`: the engine for chess GUIs."""

from __future__ import annotations

from damier.protocols import UciServer, stdio_connection


def uci() -> None:
    """Speak UCI on the standard streams: chess for any GUI, every other game for those that know variants."""
    UciServer(stdio_connection()).serve()
