"""`damier hub`: the engine for draughts GUIs."""

from __future__ import annotations

from damier.protocols import HubServer, stdio_connection


def hub() -> None:
    """Run the engine for a draughts GUI (Hub 2)."""
    HubServer(stdio_connection()).serve()
