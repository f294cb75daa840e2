"""Other people's xboard engines, for chess and Chess960."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from damier import chess
from damier._core import Side
from damier.board import Board
from damier.engine import Limit, PlayerError, SearchResult
from damier.protocols.client import OptionValue, RemoteEngine, legal_move
from damier.protocols.xboard.text import (
    format_clocks,
    format_level,
    is_resignation,
    parse_features,
    parse_move,
    parse_refusal,
    parse_remark,
    parse_thinking,
)

__all__ = ["XboardEngine"]

FEATURE_TIMEOUT = 2.0  # seconds, more with more patience; an engine of version 1 announces nothing
# GNU Chess 6 often goes on only when more input comes, and loses a line of it now and then: two of its threads race.
NUDGE, NUDGES_BEFORE_GREETING_AGAIN = 0.05, 20  # seconds between nudges
KNOWN_FEATURES = {
    *("ping", "setboard", "usermove", "san", "colors", "myname", "memory", "smp", "variants", "option", "done"),
    *("time", "playother", "sigint", "sigterm", "reuse", "name", "debug", "nps"),
}


class XboardEngine(RemoteEngine):
    """An xboard engine; `memory` and `cores` are options if it has these features.

    >>> XboardEngine.PROTOCOL, XboardEngine.STOP
    ('xboard', '?')
    """

    PROTOCOL = "xboard"
    STOP = "?"
    _has_features = False  # one that announced some before a restart will do so again

    def _supports(self, game: str) -> bool:
        return game in chess.VARIANTS

    # Setting up

    def _handshake(self) -> None:
        self._features: dict[str, str] = {}
        self._announced: set[str] = set()  # its options
        self._board: chess.Board | None = None  # as the engine has it
        self._level: tuple[object, ...] = ()  # of the limit it was sent
        self._level_is_sent = False  # in this game
        self._pings = 0
        self._send("xboard", "protover 2")
        for name, value in self._features_sent():
            self._send(f"{'accepted' if name in KNOWN_FEATURES else 'rejected'} {name}")
            if name == "option":
                self._announced.add(value.partition(" -")[0])
            self._features[name] = value
        self._take_name(self._features.get("myname", ""))
        if self.game == "chess960" and "fischerandom" not in self._features.get("variants", ""):
            self._refuse_game("its feature variants has no fischerandom")
        self._settings = [self._option_line(*option) for option in self.options.items()]
        self._start_over(chess.Board(chess960=self.game == "chess960"))
        self._wait_until_ready(self.patience)

    def _features_sent(self) -> Iterator[tuple[str, str]]:
        """The features, until the engine has sent all of them or none for some time."""
        process = self._running()
        start, nudges = time.monotonic(), 0
        timeout = self.patience if self._has_features else max(FEATURE_TIMEOUT, self.patience / 5)
        while (now := time.monotonic()) < start + timeout and not self._flag.is_set():
            line = process.read(min(start + timeout, now + NUDGE))
            if line is None:  # force is known to every engine, and sent next in any case
                nudges += 1
                self._send("force" if nudges % NUDGES_BEFORE_GREETING_AGAIN else "protover 2")
            if line is None or not line.startswith("feature "):
                continue
            start, self._has_features = time.monotonic(), True  # one that has begun may be slow, not silent
            for name, value in parse_features(line):
                yield name, value
                if (name, value) == ("done", "1"):
                    return
                if name == "done":  # it asks for more time
                    timeout = self.patience
        if self._features.get("done") == "0":
            raise PlayerError("stall", f"no feature done=1 within {self.patience:g} s")

    def _option_line(self, name: str, value: OptionValue) -> str:
        feature = {"memory": "memory", "cores": "smp"}.get(name)
        if feature and self._features.get(feature) == "1":
            return f"{name} {value}"
        if name not in self._announced:
            raise PlayerError("refusal", f"{self.name} has no option {name!r}")
        if value in (None, ""):
            return f"option {name}"
        return f"option {name}={int(value) if isinstance(value, bool) else value}"

    def _wait_until_ready(self, timeout: float) -> None:
        """It may report errors in what we sent."""
        if self._features.get("ping") != "1":
            return
        self._pings += 1
        self._send(f"ping {self._pings}")
        for line in self._lines_until(f"pong {self._pings}", timeout):
            self._raise_refusal(line)

    def _raise_refusal(self, line: str) -> None:
        if refusal := parse_refusal(line):
            raise PlayerError("refusal", refusal[:200])

    # Positions

    def _send_new_game(self, board: Board) -> None:
        self._start_over(board)

    def _start_over(self, board: Board) -> None:
        """A new game from the board's start, in which the engine does not move by itself."""
        lines = ["new", *self._settings]
        if self.game == "chess960":
            lines.append("variant fischerandom")
        start = board.start_fen()
        chess960 = self.game == "chess960"
        if start != chess.Board(chess960=chess960).fen() or chess960:
            if self._features.get("setboard") != "1":
                raise PlayerError("refusal", f"{self.name} cannot set up a position")
            lines += ["force", f"setboard {start}"]
        self._send(*lines, "force", "easy", "post")
        self._board, self._level_is_sent = chess.Board(start, chess960=chess960), False

    def _send_position(self, board: Board, limit: Limit) -> None:
        level = _level_key(limit, board.turn)
        if self._level not in ((), level):
            self.restart()  # nothing else resets limits: GNU Chess keeps a time per move for the next game, too
        known = self._board
        if known is None or known.start_fen() != board.start_fen() or known.moves != board.moves[: known.ply]:
            self._start_over(board)
        known = self._board
        assert known
        lines = ["force"]
        for move in board.moves[known.ply :]:
            lines.append(
                f"{'usermove ' if self._features.get('usermove') == '1' else ''}{self._format_move(known, move)}"
            )
            known.push(move)
        if not self._level_is_sent:
            lines += format_level(limit, board.turn)
            self._level, self._level_is_sent = level, True
        self._send(*lines)

    def _format_move(self, board: chess.Board, move: chess.Move) -> str:
        san = board.san(move).rstrip("+#")
        if self._features.get("san") == "1" or (self.game == "chess960" and move.is_castling):
            return san
        return board.uci(move)

    # Search

    def _go_lines(self, board: Board, limit: Limit) -> list[str]:
        clocks = format_clocks(limit, board.turn) if self._features.get("time") != "0" else []
        return [*clocks, "go"]

    def _read_line(self, board: Board, line: str, info: SearchResult) -> SearchResult:
        if text := parse_move(line):
            move = legal_move(board, text, chess.Board.parse)
            assert self._board
            self._board.push(move)
            return replace(info, move=move)
        self._raise_refusal(line)
        # Without `ping` a loss may be that of the game before.
        if is_resignation(line, board.turn, explicit=self._features.get("ping") != "1"):
            raise PlayerError("resignation", line.strip()[:80])
        self._remark = parse_remark(line) or self._remark
        return parse_thinking(line, info)


def _level_key(limit: Limit, turn: Side) -> tuple[object, ...]:
    """The part of a limit that the engine remembers from move to move."""
    inc = limit.clock_of(turn) is not None and limit.increment_of(turn)
    return limit.time, limit.depth, inc, limit.moves_to_go is not None
