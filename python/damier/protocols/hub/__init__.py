"""The Hub protocol, version 2 (Fabien Letouzey's Scan), for every kind of draughts: `HubServer`, `HubEngine`."""

from __future__ import annotations

from damier.protocols.hub.client import HubEngine
from damier.protocols.hub.server import HubServer

__all__ = ["HubEngine", "HubServer"]
