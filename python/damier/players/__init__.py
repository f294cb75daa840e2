"""Everything that chooses a move, and the specs that name it: `kind[:key=value,...]`."""

from __future__ import annotations

from damier.players.base import Player
from damier.players.engine import EnginePlayer
from damier.players.puct import PuctPlayer
from damier.players.remote import RemotePlayer
from damier.players.simple import OnePlyPlayer, RandomPlayer
from damier.players.specs import KINDS, Kind, player, settings_of
from damier.players.textbook import TextbookPlayer

__all__ = [
    "KINDS",
    "EnginePlayer",
    "Kind",
    "OnePlyPlayer",
    "Player",
    "PuctPlayer",
    "RandomPlayer",
    "RemotePlayer",
    "TextbookPlayer",
    "player",
    "settings_of",
]
