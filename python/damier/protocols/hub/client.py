"""Other people's Hub engines, for draughts."""

from __future__ import annotations

from dataclasses import replace

from damier import games
from damier._core import DamierError
from damier.board import Board
from damier.engine import Limit, PlayerError, SearchResult
from damier.protocols.client import OptionValue, RemoteEngine, legal_move
from damier.protocols.hub.text import (
    VARIANTS,
    Args,
    format_levels,
    format_line,
    format_move,
    format_position,
    parse_info,
    parse_line,
    parse_move,
)
from damier.protocols.transcript import Transcript

__all__ = ["HubEngine"]

NAMES = {ours: name for name, ours in VARIANTS.items()}


class HubEngine(RemoteEngine):
    """A Hub engine playing one kind of draughts; options are its parameters.

    >>> import sys
    >>> board = games.board("frisian")
    >>> with HubEngine("frisian", f"{sys.executable} -m damier hub", options={"hash": 4}) as engine:
    ...     engine.new_game(board)
    ...     engine.play(board, Limit(depth=2)).move in board.legal_moves
    True
    """

    PROTOCOL = "Hub"

    def _supports(self, game: str) -> bool:
        return game in NAMES

    def _handshake(self) -> None:
        self._transcript = Transcript(format_move)
        self._announced: dict[str, Args] = {}  # its parameters by name
        self._send("hub")
        for line in self._lines_until("wait"):
            command, args = _parse(line)
            if command == "param":
                self._announced[args.get("name", "")] = args
            elif command == "id" and args.get("name"):
                self._take_name(f"{args['name']} {args.get('version', '')}")
        self._send(*self._variant_lines(), *(self._set_param(*option) for option in self.options.items()), "init")
        for line in self._lines_until("ready"):
            self._raise_error(line)

    def _variant_lines(self) -> list[str]:
        """The lines that select our variant; PlayerError if it does not announce that it can."""
        wanted = NAMES[self.game]
        announced = self._announced.get("variant", {"value": "normal"})  # one without variants plays international
        if announced.get("value") == wanted or "variant" in self.options:
            return []
        if wanted not in announced.get("values", "").split():
            self._refuse_game(f"its parameter variant has no value {wanted}")
        return [self._set_param("variant", wanted)] if "variant" in self._announced else []

    def _set_param(self, name: str, value: OptionValue) -> str:
        if name not in self._announced:
            raise PlayerError("refusal", f"{self.name} has no parameter {name!r}")
        text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
        return format_line("set-param", name=name, value=text)

    def _raise_error(self, line: str) -> None:
        command, args = _parse(line)
        if command == "error":
            raise PlayerError("refusal", args.get("message", "an error without a message"))

    def _wait_until_ready(self, timeout: float) -> None:
        """It may report errors in what we sent."""
        self._send("ping")
        for line in self._lines_until("pong", timeout):
            self._raise_error(line)

    def _send_new_game(self, board: Board) -> None:
        self._send("new-game")

    def _send_position(self, board: Board, limit: Limit) -> None:
        start = games.board(self.game, board.start_fen())
        moves = " ".join(self._transcript.moves(board))
        self._send(format_line("pos", pos=format_position(start), moves=moves or None))

    def _go_lines(self, board: Board, limit: Limit) -> list[str]:
        return [*format_levels(limit, board.turn), "go think"]

    def _read_line(self, board: Board, line: str, info: SearchResult) -> SearchResult:
        command, args = _parse(line)
        if command == "info":
            return parse_info(args, info)
        if command == "error":
            self._remark = args.get("message", "")
        elif command == "done":
            if "move" not in args and self._remark:
                raise PlayerError("refusal", self._remark)
            return replace(info, move=legal_move(board, args.get("move", ""), parse_move))
        return info


def _parse(line: str) -> tuple[str, Args]:
    """A line of an engine; one that is not Hub is ignored."""
    try:
        return parse_line(line)
    except DamierError:
        return "", {}
