"""Other people's UCI engines."""

from __future__ import annotations

import re
from dataclasses import replace

from damier import games
from damier.board import Board
from damier.engine import Limit, PlayerError, SearchResult
from damier.protocols.client import OptionValue, RemoteEngine, legal_move
from damier.protocols.transcript import Transcript
from damier.protocols.uci.text import format_go, format_move, parse_info, parse_move

__all__ = ["UciEngine"]

OPTION = re.compile(r"option name (?P<name>.+?) type (?P<type>\S+)(?P<rest>.*)")
VAR = re.compile(r" var (\S+)")


class UciEngine(RemoteEngine):
    """A UCI engine playing one game; options go by the names it announces.

    >>> import sys
    >>> from damier import loa
    >>> board = loa.Board()
    >>> with UciEngine("loa", f"{sys.executable} -m damier uci", options={"Hash": 4}) as engine:
    ...     engine.new_game(board)
    ...     engine.play(board, Limit(depth=2)).move in board.legal_moves
    True
    """

    def _handshake(self) -> None:
        self._transcript = Transcript(format_move)
        self._announced: dict[str, re.Match[str]] = {}  # its options by name in lower case
        self._send("uci")
        for line in self._lines_until("uciok"):
            if option := OPTION.match(line.strip()):
                self._announced[option["name"].lower()] = option
            elif line.startswith("id name "):
                self._take_name(line.removeprefix("id name "))
        self._send(*self._variant_lines(), *(self._setoption(*option) for option in self.options.items()))
        self._wait_until_ready(self.patience)

    def _variant_lines(self) -> list[str]:
        """The lines that select our game; PlayerError if it does not announce that it can."""
        if self.game == "chess":
            return []
        wanted, value = ("UCI_Chess960", "true") if self.game == "chess960" else ("UCI_Variant", self.game)
        if wanted.lower() in map(str.lower, self.options):  # a name of the engine's own for the game
            return []
        announced = self._announced.get(wanted.lower())
        if not announced:
            self._refuse_game(f"it has no option {wanted}")
            return []
        # Sizes and rule sets combine (loa6:olympiad), too many to be announced.
        if wanted == "UCI_Variant" and not {value, value.partition(":")[0]} & {*VAR.findall(announced["rest"])}:
            self._refuse_game(f"its UCI_Variant has no var {value}")
        return [self._setoption(wanted, value)]

    def _setoption(self, name: str, value: OptionValue) -> str:
        announced = self._announced.get(name.lower())
        if not announced:
            raise PlayerError("refusal", f"{self.name} has no option {name!r}")
        if announced["type"] == "button":
            return f"setoption name {announced['name']}"
        text = str(value).lower() if isinstance(value, bool) else "<empty>" if value in (None, "") else str(value)
        return f"setoption name {announced['name']} value {text}"

    def _wait_until_ready(self, timeout: float) -> None:
        self._send("isready")
        for _ in self._lines_until("readyok", timeout):
            pass

    def _send_new_game(self, board: Board) -> None:
        self._send("ucinewgame")

    def _send_position(self, board: Board, limit: Limit) -> None:
        fen = board.start_fen()
        start = "startpos" if fen == games.board(self.game).fen() else f"fen {fen}"
        moves = self._transcript.moves(board)
        self._send(f"position {start}{' moves ' if moves else ''}{' '.join(moves)}")

    def _go_lines(self, board: Board, limit: Limit) -> list[str]:
        return [format_go(limit)]

    def _read_line(self, board: Board, line: str, info: SearchResult) -> SearchResult:
        word, _, rest = line.partition(" ")
        if word == "info":
            return parse_info(rest, info)
        if word == "bestmove":
            return replace(info, move=legal_move(board, next(iter(rest.split()), ""), parse_move))
        return info
