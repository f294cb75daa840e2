"""Other people's engines as partners, each in a process of its own: UCI."""

from __future__ import annotations

from damier.remote.engine import RemoteEngine
from damier.remote.process import check_command
from damier.remote.uci import UciEngine

__all__ = ["RemoteEngine", "UciEngine", "check_command"]
