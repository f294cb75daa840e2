"""`damier uci`: the engine for chess GUIs."""

from __future__ import annotations

from damier.protocols.server import standard_talk
from damier.protocols.uci.server import UciServer


def uci() -> None:
    """Speak UCI on the standard streams: chess for any GUI, every other game for those that know variants."""
    UciServer(standard_talk()).serve()
