"""UCI spoken: one method a command."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from damier._core import DamierError, MoveError
from damier.engine import SearchResult, elo_table
from damier.games import Board, Move, board, line_of
from damier.games import info as game_info
from damier.protocols.scores import uci_score
from damier.protocols.server import Server, Talk
from damier.protocols.uci.moves import read, written
from damier.protocols.uci.options import Value, find, options
from damier.protocols.uci.text import read_go, read_position, read_setting

__all__ = ["UciServer"]

PerftAtOnce = 3  # plies, some milliseconds


class UciServer(Server):
    """The engine for a GUI that speaks UCI.

    >>> from io import BytesIO
    >>> sink = BytesIO()
    >>> UciServer(Talk(BytesIO(b"isready\\nquit\\n"), sink)).serve()
    >>> sink.getvalue()
    b'readyok\\n'
    """

    def __init__(self, talk: Talk) -> None:
        super().__init__(talk, "chess")
        self._board = board("chess")
        self._options: dict[str, Value] = {option.name: option.default for option in options()}
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

    def obey(self, line: str) -> bool:
        """Obey the first word that is a command; those before it are skipped, as the protocol asks."""
        words = line.split()
        for at, word in enumerate(words):
            if word == "quit":
                return False
            if word in self._commands:
                self._commands[word](words[at + 1 :])
                return True
        if words and self._debug:
            self.complain(f"no command in {line[:80]!r}")
        return True

    def complain(self, why: object) -> None:
        self.talk.say(f"info string {' '.join(str(why).split())}")

    # The commands

    def _uci(self, _: Sequence[str]) -> None:
        self.talk.say(
            f"id name damier {version('damier')}",
            "id author the damier authors",
            *(option.announced() for option in options()),
            "uciok",
        )

    def _set_debug(self, words: Sequence[str]) -> None:
        self._debug = "off" not in words

    def _isready(self, _: Sequence[str]) -> None:
        self.talk.say("readyok")

    def _ucinewgame(self, _: Sequence[str]) -> None:
        self.end_search()
        self.engine.clear()

    def _position(self, words: Sequence[str]) -> None:
        self.end_search()
        wanted = read_position(words)
        start: Any = board(self._game(), wanted.fen)
        for number, word in enumerate(wanted.moves, 1):
            try:
                start.push(read(start, word))
            except MoveError as error:
                raise MoveError(f"position, move {number}: {error}") from None
        self._board = start

    def _go(self, words: Sequence[str]) -> None:
        self.end_search()
        go = read_go(words)
        for remark in go.remarks:
            self.complain(remark)
        if go.perft is not None:
            self._perft(go.perft)
            return
        if not self._board.legal_moves:
            self._tell_the_end()
            return
        self.search(
            self._board,
            go.limit_for(self._board.turn),
            multipv=int(self._options["MultiPV"]),
            searchmoves=self._searchmoves(go.searchmoves),
            ponder=go.ponder,
        )

    def _tell_the_end(self) -> None:
        """Nothing can be played: say how the game ended, as a score."""
        outcome = self._board.outcome()
        winner = outcome.winner if outcome else None
        score = "cp 0" if winner is None else "mate 1" if winner == self._board.turn else "mate 0"
        self.talk.say(f"info depth 0 score {score}", "bestmove (none)")

    def _searchmoves(self, words: Sequence[str]) -> list[Any] | None:
        moves = []
        for word in words:
            try:
                moves.append(read(self._board, word))
            except MoveError as error:
                self.complain(f"searchmoves: {error}")
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
        self.work(lambda: self._divide(self._board.copy(), depth, stop), stop.set)

    def _divide(self, walker: Any, depth: int, stop: threading.Event) -> None:
        total = 0
        for move in list(walker.legal_moves):
            text = written(walker, move)
            walker.push(move)
            try:
                count = self._count(walker, depth - 1, stop)
            except DamierError as error:  # a position with too many captures to follow
                self.complain(error)
                return
            walker.pop()
            if stop.is_set():
                self.complain("perft was stopped")
                return
            self.talk.say(f"{text}: {count}")
            total += count
        self.talk.say("", f"Nodes searched: {total}", "")

    def _count(self, walker: Any, depth: int, stop: threading.Event) -> int:
        """Count in pieces, so as to be stopped in between."""
        if depth <= PerftAtOnce or stop.is_set():
            return 0 if stop.is_set() else int(walker.perft(depth, threads=self.engine.threads))
        total = 0
        for move in list(walker.legal_moves):
            walker.push(move)
            total += self._count(walker, depth - 1, stop)
            walker.pop()
        return total

    def _show(self, _: Sequence[str]) -> None:
        self.talk.say("", str(self._board), "", f"Fen: {self._board.fen()}", f"Key: {self._board.key:016X}")

    def _eval(self, _: Sequence[str]) -> None:
        evaluator = self._board.evaluator(self.engine.eval)
        for name, white, black, total in self._board.explain(evaluator):
            self.talk.say(f"{name:24} {white:9.2f} {black:9.2f} {total:9.2f}")
        self.talk.say(f"{evaluator.name}: {self._board.evaluate(evaluator) / 100:.2f} for the side to move")

    # Options

    def _setoption(self, words: Sequence[str]) -> None:
        self.end_search()
        setting = read_setting(words)
        option = find(setting.name)
        value = option.read(setting.value)
        self._apply(option.name, value)
        self._options[option.name] = value

    def _apply(self, name: str, value: Any) -> None:
        """Give a value to the engine; DamierError if it does not take it."""
        match name:
            case "Hash":
                self.engine.hash = value
            case "Threads":
                self.engine.threads = value
            case "Move Overhead":
                self.engine.overhead = value / 1000
            case "Clear Hash":
                self.engine.clear()
            case "EvalFile" if value:
                raise DamierError(f"option EvalFile: {value}: no network can be loaded yet")
            case "UCI_LimitStrength":
                self._limit_strength(int(self._options["UCI_Elo"]) if value else None)
            case "UCI_Elo" if self._options["UCI_LimitStrength"]:
                self._limit_strength(value)
            case "UCI_Variant":
                self._change_game(game_info(value).name, bool(self._options["UCI_Chess960"]))
            case "UCI_Chess960":
                self._change_game(str(self._options["UCI_Variant"]), value)

    def _limit_strength(self, elo: int | None) -> None:
        """Play at an Elo, or as near to it as the levels of the game reach."""
        known = None if elo is None else elo_table(self._game()).nearest(elo)
        self.engine.elo = known
        if known != elo:
            self.talk.say(f"info string UCI_Elo {elo} is out of reach in {self._game()}, playing at {known}")

    def _game(self) -> str:
        return self._board.variant

    def _change_game(self, name: str, chess960: bool) -> None:
        name = "chess960" if name == "chess" and chess960 else name
        if name != self._game():
            self.use(name)
            self._board = board(name)
            self.talk.say(f"info string variant {name} startpos {self._board.fen()}")
            if self._options["UCI_LimitStrength"]:
                self._limit_strength(int(self._options["UCI_Elo"]))

    # What a search says

    def tell(self, board: Board, info: SearchResult) -> None:
        bound = {"lower": " lowerbound", "upper": " upperbound"}.get(info.bound, "")
        wdl = " wdl {} {} {}".format(*info.wdl) if self._options["UCI_ShowWDL"] else ""
        self.talk.say(
            f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv}"
            f" score {uci_score(info.score)}{bound}{wdl}"
            f" nodes {info.nodes} nps {info.nps} hashfull {info.hashfull} time {round(info.seconds * 1000)}"
            f" pv {' '.join(line_of(board, info.pv, written))}"
        )

    def answer(self, board: Board, moves: Sequence[Move]) -> None:
        self.talk.say("bestmove " + " ponder ".join(line_of(board, moves, written)))
