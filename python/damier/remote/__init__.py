"""Other people's engines as partners, each in a process of its own: UCI, Hub and xboard."""

from __future__ import annotations

from damier.remote.engine import RemoteEngine
from damier.remote.hub import HubEngine
from damier.remote.process import check_command
from damier.remote.uci import UciEngine
from damier.remote.xboard import XboardEngine

__all__ = ["HubEngine", "RemoteEngine", "UciEngine", "XboardEngine", "check_command"]
