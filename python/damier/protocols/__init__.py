"""Engines that talk in lines of text: ours for other programs (UCI, Hub), and other people's for us (xboard too)."""

from __future__ import annotations

from damier.protocols.client import RemoteEngine
from damier.protocols.hub.client import HubEngine
from damier.protocols.process import check_command
from damier.protocols.uci.client import UciEngine
from damier.protocols.xboard.client import XboardEngine

__all__ = ["HubEngine", "RemoteEngine", "UciEngine", "XboardEngine", "check_command"]
