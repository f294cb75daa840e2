"""The Hub protocol, version 2, for draughts."""

from __future__ import annotations

from damier.protocols.hub.server import HubServer

__all__ = ["HubServer"]
