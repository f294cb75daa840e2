"""`damier hub`: the engine for draughts GUIs."""

from __future__ import annotations

from damier.protocols import HubServer, stdio_connection


def hub() -> None:
    """Speak Hub 2 on the standard streams, as draughts GUIs do."""
    HubServer(stdio_connection()).serve()
