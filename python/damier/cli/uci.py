"""`damier uci`: the engine for chess GUIs."""

from __future__ import annotations

from damier.protocols import UciServer, stdio_connection


def uci() -> None:
    """Run the engine for a GUI that speaks UCI.

    Chess works in any GUI, the other games in those that support UCI_Variant.
    """
    UciServer(stdio_connection()).serve()
