"""Engines that speak the xboard protocol (CECP, version 2), as partners in chess and Chess960."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from damier import chess
from damier._core import Side
from damier.engine import Limit, PlayerError
from damier.games import Board
from damier.protocols.client import Glance, Heard, OptionValue, RemoteEngine, legal
from damier.protocols.xboard.text import (
    note_thinking,
    played_move,
    read_features,
    refused,
    remarked,
    resigned,
    written_level,
)

__all__ = ["XboardEngine"]

Unlimited = 10  # seconds; with more, Phalanx looks too seldom whether it is told to move
FeaturePatience = 2.0  # seconds; an engine of version 1 announces nothing
Nudge = 0.05  # seconds; GNU Chess 6 often starts only when its input goes on: one thread holds it, another waits for it
KNOWN = {"ping", "setboard", "usermove", "san", "colors", "myname", "memory", "smp", "variants", "option", "done"}
KNOWN |= {"time", "playother", "sigint", "sigterm", "reuse", "name", "debug", "nps"}


class XboardEngine(RemoteEngine):
    """An engine that speaks the xboard protocol; `memory` and `cores` are options where it has these features.

    >>> XboardEngine.Protocol, XboardEngine.StopWord
    ('xboard', '?')
    """

    Protocol = "xboard"
    StopWord = "?"

    def _may_play(self, game: str) -> bool:
        return game in chess.VARIANTS

    # Setting up

    def _introduce(self) -> None:
        self._features: dict[str, str] = {}
        self._offered: set[str] = set()
        self._board: chess.Board | None = None  # what the engine has before it
        self._level: tuple[object, ...] = ()  # of the limit it was told
        self._level_is_told = False  # in this game
        self._pings = 0
        self._send("xboard", "protover 2")
        for name, value in self._announced():
            self._send(f"{'accepted' if name in KNOWN else 'rejected'} {name}")
            if name == "option":
                self._offered.add(value.partition(" -")[0])
            self._features[name] = value
        if not self._given_name and "myname" in self._features:
            self.name = self._features["myname"]
        if self.game == "chess960" and "fischerandom" not in self._features.get("variants", ""):
            raise PlayerError("refusal", f"{self.name} does not play chess960")
        self._settings = [self._setting(*option) for option in self.options.items()]
        self._start_over(chess.Board(chess960=self.game == "chess960"))
        self._get_ready(self.patience)

    def _announced(self) -> Iterator[tuple[str, str]]:
        """The features, until all are told or nothing comes for some time."""
        process = self._running()
        start = time.monotonic()
        patience, silent = FeaturePatience, True
        while (now := time.monotonic()) < start + patience and not self._flag.is_set():
            line = process.read(min(start + patience, now + (Nudge if silent else Glance)))
            if line is None and silent:
                self._send("force")  # known to every engine, and what comes next in any case
            if line is None or not line.startswith("feature "):
                continue
            silent = False
            for name, value in read_features(line):
                yield name, value
                if (name, value) == ("done", "1"):
                    return
                if name == "done":  # it asks for more time
                    patience = self.patience
        if self._features.get("done") == "0":
            raise PlayerError("stall", f"no feature done=1 within {self.patience:g} s")

    def _setting(self, name: str, value: OptionValue) -> str:
        feature = {"memory": "memory", "cores": "smp"}.get(name)
        if feature and self._features.get(feature) == "1":
            return f"{name} {value}"
        if name not in self._offered:
            raise PlayerError("refusal", f"{self.name} has no option {name!r}")
        if value in (None, ""):
            return f"option {name}"
        return f"option {name}={int(value) if isinstance(value, bool) else value}"

    def _get_ready(self, patience: float) -> None:
        """It may complain of what we sent."""
        if self._features.get("ping") != "1":
            return
        self._pings += 1
        self._send(f"ping {self._pings}")
        for line in self._lines_until(f"pong {self._pings}", patience):
            self._refuse_on_error(line)

    def _refuse_on_error(self, line: str) -> None:
        if refusal := refused(line):
            raise PlayerError("refusal", refusal[:200])

    # Positions

    def _begin(self, board: Board) -> None:
        self._start_over(board)

    def _start_over(self, board: Any) -> None:
        """A new game on the board's start, nobody to move for the engine, no limits."""
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
        self._board, self._level_is_told = chess.Board(start, chess960=chess960), False

    def _prepare(self, board: Any, limit: Limit) -> None:
        level = _level_of(limit, board.turn)
        if self._level not in ((), level):
            self.restart()  # nothing else takes limits back: to GNU Chess a time a move outlives the game
        known = self._board
        if known is None or known.start_fen() != board.start_fen() or known.moves != board.moves[: known.ply]:
            self._start_over(board)
        known = self._board
        assert known
        lines = ["force"]
        for move in board.moves[known.ply :]:
            lines.append(f"{'usermove ' if self._features.get('usermove') == '1' else ''}{self._written(known, move)}")
            known.push(move)
        if not self._level_is_told:
            lines += _level_lines(limit, board.turn)
            self._level, self._level_is_told = level, True
        self._send(*lines)

    def _written(self, board: chess.Board, move: chess.Move) -> str:
        san = board.san(move).rstrip("+#")
        if self._features.get("san") == "1" or (self.game == "chess960" and move.is_castling):
            return san
        return board.uci(move)

    # Search

    def _go(self, board: Board, limit: Limit) -> list[str]:
        clocks = (limit.white_clock, limit.black_clock)
        ours, theirs = clocks if board.turn == Side.WHITE else clocks[::-1]
        lines = []
        if self._features.get("time") != "0":
            lines += [f"time {_hundredths(ours)}"] if ours is not None else []
            lines += [f"otim {_hundredths(theirs)}"] if theirs is not None else []
        return [*lines, "go"]

    def _listen(self, board: Any, line: str, heard: Heard) -> Any | None:
        if text := played_move(line):
            move = legal(board, text, chess.Board.parse)
            assert self._board
            self._board.push(move)
            return move
        self._refuse_on_error(line)
        # Without `ping` a loss may be that of the game before.
        if resigned(line, board.turn, surely=self._features.get("ping") != "1"):
            raise PlayerError("resignation", line.strip()[:80])
        note_thinking(line, heard)
        heard.remark = remarked(line) or heard.remark
        return None


def _level_of(limit: Limit, turn: Side) -> tuple[object, ...]:
    """What of a limit the engine remembers from move to move."""
    inc = limit.clock_of(turn) is not None and limit.increment_of(turn)
    return limit.time, limit.depth, inc, limit.moves_to_go is not None


def _level_lines(limit: Limit, turn: Side) -> list[str]:
    clock = limit.clock_of(turn)
    lines = []
    if clock is not None:
        lines.append(written_level(limit, clock, limit.increment_of(turn)))
    if limit.time is not None:
        lines.append(f"st {max(0.01, limit.time):g}")
    elif clock is None:
        lines.append(f"st {Unlimited}")  # the limit is another; who listens counts nodes
    if limit.depth is not None:
        lines.append(f"sd {limit.depth}")
    return lines


def _hundredths(seconds: float) -> int:
    return max(1, round(100 * seconds))
