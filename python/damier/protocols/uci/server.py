"""Our engine as a UCI engine: one method per command."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from damier._core import DamierError, MoveError
from damier.board import Board, Move
from damier.engine import SearchResult, elo_table
from damier.games import board, line_of
from damier.games import info as game_info
from damier.protocols.server import Connection, Server, limit_or_default, push_moves
from damier.protocols.uci.text import (
    OptionValue,
    format_currmove,
    format_info,
    format_move,
    options,
    parse_go,
    parse_move,
    parse_position,
    parse_setoption,
)
from damier.version import __version__

__all__ = ["UciServer"]

PERFT_AT_ONCE = 3  # plies, some milliseconds


class UciServer(Server):
    """The engine for a UCI GUI.

    >>> from io import BytesIO
    >>> output = BytesIO()
    >>> UciServer(Connection(BytesIO(b"isready\\nquit\\n"), output)).serve()
    >>> output.getvalue()
    b'readyok\\n'
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, "chess")
        self._board = board("chess")
        self._options = options("chess")
        self._values: dict[str, OptionValue] = {}  # of the options that were set
        self._debug = False
        self._commands = {
            "uci": self._uci,
            "debug": self._set_debug,
            "isready": self._isready,
            "setoption": self._setoption,
            "ucinewgame": self._ucinewgame,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "d": self._show,
            "eval": self._eval,
        }

    def handle(self, line: str) -> bool:
        """Carry out the first word that is a command; words before it are skipped, as the protocol says."""
        words = line.split()
        for at, word in enumerate(words):
            if word == "quit":
                return False
            if word in self._commands:
                self._commands[word](words[at + 1 :])
                return True
        if words and self._debug:
            self.send_error(f"unknown command: {line[:80]!r}")
        return True

    def send_error(self, error: object) -> None:
        self.send(f"info string {' '.join(str(error).split())}")

    # The commands

    def _uci(self, _: Sequence[str]) -> None:
        self.send(
            f"id name damier {__version__}",
            "id author the damier authors",
            *map(str, self._options.values()),
            "uciok",
        )

    def _set_debug(self, words: Sequence[str]) -> None:
        self._debug = "off" not in words

    def _isready(self, _: Sequence[str]) -> None:
        self.send("readyok")

    def _ucinewgame(self, _: Sequence[str]) -> None:
        self.end_search()
        self.engine.clear()

    def _position(self, words: Sequence[str]) -> None:
        self.end_search()
        position = parse_position(words)
        self._board = push_moves("position", board(self._game(), position.fen), position.moves, parse_move)

    def _go(self, words: Sequence[str]) -> None:
        self.end_search()
        go = parse_go(words)
        for error in go.errors:
            self.send_error(error)
        if go.perft is not None:
            self._perft(go.perft)
            return
        if not self._board.legal_moves:
            self._send_game_over()
            return
        self.search(
            self._board,
            limit_or_default(go.limit, self._board.turn),
            multipv=int(self._value("MultiPV")),
            searchmoves=self._searchmoves(go.searchmoves),
            ponder=go.ponder,
            full_strength=bool(self._value("UCI_AnalyseMode")),
        )

    def _send_game_over(self) -> None:
        """There is no legal move: send a score that says how the game ended."""
        outcome = self._board.outcome()
        winner = outcome.winner if outcome else None
        score = "cp 0" if winner is None else "mate 1" if winner == self._board.turn else "mate 0"
        self.send(f"info depth 0 score {score}", "bestmove (none)")

    def _searchmoves(self, words: Sequence[str]) -> list[Move] | None:
        moves = []
        for word in words:
            try:
                moves.append(parse_move(self._board, word))
            except MoveError as error:
                self.send_error(f"searchmoves: {error}")
        return moves or None

    def _stop(self, _: Sequence[str]) -> None:
        self.stop()

    def _ponderhit(self, _: Sequence[str]) -> None:
        self.ponder_hit()

    # Beyond the protocol, for people

    def _perft(self, depth: int) -> None:
        if not 1 <= depth <= 60:
            raise DamierError(f"go: perft is {depth}, expected 1 to 60")
        stop = threading.Event()
        self.run_in_background(lambda: self._divide(self._board.copy(), depth, stop), stop.set)

    def _divide(self, walker: Board, depth: int, stop: threading.Event) -> None:
        total = 0
        for move in list(walker.legal_moves):
            text = format_move(walker, move)
            walker.push(move)
            try:
                count = self._count(walker, depth - 1, stop)
            except DamierError as error:  # a position with too many captures to follow
                self.send_error(error)
                return
            walker.pop()
            if stop.is_set():
                self.send_error("perft was stopped")
                return
            self.send(f"{text}: {count}")
            total += count
        self.send("", f"Nodes searched: {total}", "")

    def _count(self, walker: Board, depth: int, stop: threading.Event) -> int:
        """Count subtree by subtree, so that it can be stopped in between."""
        if depth <= PERFT_AT_ONCE or stop.is_set():
            return 0 if stop.is_set() else walker.perft(depth, threads=self.engine.threads)
        total = 0
        for move in list(walker.legal_moves):
            walker.push(move)
            total += self._count(walker, depth - 1, stop)
            walker.pop()
        return total

    def _show(self, _: Sequence[str]) -> None:
        self.send("", str(self._board), "", f"Fen: {self._board.fen()}", f"Key: {self._board.key:016X}")

    def _eval(self, _: Sequence[str]) -> None:
        evaluator = self._board.evaluator(self.engine.eval)
        for name, white, black, total in self._board.explain(evaluator):
            sides = " ".join(" " * 9 if side is None else f"{side:9.2f}" for side in (white, black))
            self.send(f"{name:24} {sides} {total:9.2f}")
        self.send(f"{evaluator.name}: {self._board.evaluate(evaluator) / 100:.2f} for the side to move")

    # Options

    def _setoption(self, words: Sequence[str]) -> None:
        self.end_search()
        setting = parse_setoption(words)
        option = self._options.get(setting.name.lower())
        if option is None:
            raise DamierError(f"there is no option {setting.name[:40]!r}")
        value = option.parse(setting.value)
        self._apply(option.name, value)
        self._values[option.name] = value

    def _value(self, name: str) -> OptionValue:
        return self._values.get(name, self._options[name.lower()].default)

    def _apply(self, name: str, value: Any) -> None:
        """Set an option of the engine; DamierError if it refuses the value."""
        match name:
            case "Hash":
                self.engine.hash = value
            case "Threads":
                self.engine.threads = value
            case "Move Overhead":
                self.engine.overhead = value / 1000
            case "Clear Hash":
                self.engine.clear()
            case "EvalFile":
                self._load_weights(value)
            case "UCI_LimitStrength":
                self._limit_strength(int(self._value("UCI_Elo")) if value else None)
            case "UCI_Elo" if self._value("UCI_LimitStrength"):
                self._limit_strength(value)
            case "UCI_Variant":
                self._change_game(game_info(value).name, bool(self._value("UCI_Chess960")))
            case "UCI_Chess960":
                self._change_game(str(self._value("UCI_Variant")), value)

    def _load_weights(self, path: str) -> None:
        """Evaluate by a file of weights, or without one by the game's default."""
        try:
            self.engine.eval = path or None
        except DamierError as error:
            raise DamierError(f"option EvalFile: {error}") from None

    def _limit_strength(self, elo: int | None) -> None:
        """Play at an Elo, or at the nearest one in the game's range."""
        known = None if elo is None else elo_table(self._game()).nearest(elo)
        self.engine.elo = known
        if known != elo:
            self.send(f"info string UCI_Elo {elo} is out of reach in {self._game()}, playing at {known}")

    def _game(self) -> str:
        return self._board.variant

    def _change_game(self, name: str, chess960: bool) -> None:
        name = "chess960" if name == "chess" and chess960 else name
        if name != self._game():
            self.set_game(name)
            self._board = board(name)
            before, self._options = self._options, options(name)
            changed = [option for key, option in self._options.items() if option != before[key]]
            self.send(f"info string variant {name} startpos {self._board.fen()}", *map(str, changed))
            if self._value("UCI_LimitStrength"):
                self._limit_strength(int(self._value("UCI_Elo")))
            if weights := str(self._value("EvalFile")):
                try:
                    self._load_weights(weights)
                except DamierError as error:  # made for another game
                    del self._values["EvalFile"]
                    self.send_error(str(error))

    # What a search reports

    def send_info(self, board: Board, info: SearchResult) -> None:
        self.send(format_info(board, info, wdl=bool(self._value("UCI_ShowWDL"))))

    def send_currmove(self, board: Board, move: Move, number: int) -> None:
        self.send(format_currmove(board, move, number))

    def send_move(self, board: Board, moves: Sequence[Move]) -> None:
        self.send("bestmove " + " ponder ".join(line_of(board, moves, format_move)))
