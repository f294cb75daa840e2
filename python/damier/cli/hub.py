"""`damier hub`: the engine for draughts GUIs."""

from __future__ import annotations

from damier.protocols.hub.server import HubServer
from damier.protocols.server import standard_talk


def hub() -> None:
    """Speak Hub 2 on the standard streams, as draughts GUIs do."""
    HubServer(standard_talk()).serve()
