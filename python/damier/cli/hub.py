"""`damier hub`: the engine for draughts GUIs."""

from __future__ import annotations

from damier.protocols.hub import HubServer
from damier.protocols.talk import standard_talk


def hub() -> None:
    """Speak Hub 2 on the standard streams, as draughts GUIs do."""
    HubServer(standard_talk()).serve()
