"""Engines that speak Hub, version 2, as partners in draughts."""

from __future__ import annotations

from typing import Any

from damier import games
from damier._core import DamierError, Side
from damier.engine import Limit, PlayerError
from damier.games import Board
from damier.protocols.client import Heard, OptionValue, RemoteEngine, legal
from damier.protocols.hub.board import VARIANTS, read_move, written_move, written_position
from damier.protocols.hub.text import read_line, written
from damier.protocols.scores import score_of_men
from damier.protocols.transcript import Transcript

__all__ = ["HubEngine"]

Args = dict[str, str]
NAMES = {ours: name for name, ours in VARIANTS.items()}


class HubEngine(RemoteEngine):
    """An engine that speaks Hub, playing one kind of draughts; options are its parameters.

    >>> import sys
    >>> from damier import draughts
    >>> board = draughts.Board(variant="frisian")
    >>> with HubEngine("frisian", f"{sys.executable} -m damier hub", options={"hash": 4}) as engine:
    ...     engine.new_game(board)
    ...     engine.play(board, Limit(depth=2)).move in board.legal_moves
    True
    """

    Protocol = "Hub"

    def _may_play(self, game: str) -> bool:
        return game in NAMES

    def _introduce(self) -> None:
        self._transcript = Transcript(written_move)
        self._offered: dict[str, Args] = {}  # its parameters by name
        self._send("hub")
        for line in self._lines_until("wait"):
            command, args = _read(line)
            if command == "param":
                self._offered[args.get("name", "")] = args
            elif command == "id" and "name" in args and not self._given_name:
                self.name = f"{args['name']} {args.get('version', '')}".strip()
        self._send(*self._variant_settings(), *(self._setting(*option) for option in self.options.items()), "init")
        for line in self._lines_until("ready"):
            self._refuse_on_error(line)

    def _variant_settings(self) -> list[str]:
        """What makes it play our variant; PlayerError where it does not. Who offers none plays international."""
        wanted = NAMES[self.game]
        offered = self._offered.get("variant", {"value": "normal"})
        if offered.get("value") == wanted:
            return []
        if wanted not in offered.get("values", "").split():
            raise PlayerError("refusal", f"{self.name} does not play {self.game}")
        return [self._setting("variant", wanted)]

    def _setting(self, name: str, value: OptionValue) -> str:
        if name not in self._offered:
            raise PlayerError("refusal", f"{self.name} has no parameter {name!r}")
        text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
        return written("set-param", name=name, value=text)

    def _refuse_on_error(self, line: str) -> None:
        command, args = _read(line)
        if command == "error":
            raise PlayerError("refusal", args.get("message", "an error without words"))

    def _get_ready(self, patience: float) -> None:
        """It may complain of what we sent."""
        self._send("ping")
        for line in self._lines_until("pong", patience):
            self._refuse_on_error(line)

    def _begin(self, board: Board) -> None:
        self._send("new-game")

    def _prepare(self, board: Board, limit: Limit) -> None:
        start = games.board(self.game, board.start_fen())
        moves = self._transcript.words(board)
        self._send(written("pos", pos=written_position(start), moves=" ".join(moves) or None))  # type: ignore[arg-type]

    def _go(self, board: Board, limit: Limit) -> list[str]:
        return [*written_levels(limit, board.turn), "go think"]

    def _listen(self, board: Board, line: str, heard: Heard) -> Any | None:
        command, args = _read(line)
        if command == "info":
            note_info(args, heard)
        elif command == "error":
            heard.remark = args.get("message", "")
        elif command == "done":
            if "move" not in args and heard.remark:
                raise PlayerError("refusal", heard.remark)
            return legal(board, args.get("move", ""), read_move)
        return None


def _read(line: str) -> tuple[str, Args]:
    """A line of an engine; one that is none of the protocol is nothing."""
    try:
        return read_line(line)
    except DamierError:
        return "", {}


def written_levels(limit: Limit, turn: Side) -> list[str]:
    """A limit as `level` lines; of the clock that of the side to move, less the increment, which Hub adds to it.

    >>> written_levels(Limit(white_clock=60, white_inc=0.5, depth=9), Side.WHITE)
    ['level depth=9', 'level time=59.5 inc=0.5']
    """
    if limit.infinite:
        return ["level infinite"]
    lines = []
    if limit.depth is not None:
        lines.append(written("level", depth=limit.depth))
    if limit.nodes is not None:
        lines.append(written("level", nodes=limit.nodes))
    if limit.time is not None:
        lines.append(written("level", move_time=limit.time))
    white = turn == Side.WHITE
    clock, inc = (limit.white_clock, limit.white_inc) if white else (limit.black_clock, limit.black_inc)
    if clock is not None:
        inc = max(0.0, min(inc, clock))
        lines.append(written("level", moves=limit.moves_to_go, time=max(0.0, round(clock - inc, 3)), inc=inc or None))
    return lines or ["level infinite"]


def note_info(args: Args, heard: Heard) -> None:
    """Note what `info` says; numbers that are none are passed over.

    >>> heard = Heard()
    >>> note_info({"depth": "9", "score": "-0.12", "nodes": "x"}, heard)
    >>> str(heard.score), heard.depth, heard.nodes
    ('-0.12', 9, 0)
    """
    for name in ("depth", "nodes"):
        if args.get(name, "").isdecimal():
            setattr(heard, name, int(args[name][:18]))
    try:
        heard.score = score_of_men(max(-1e6, min(float(args["score"]), 1e6)))
    except (KeyError, ValueError):
        return
