"""Our engine as a Hub engine: one method per command."""

from __future__ import annotations

from collections.abc import Sequence

from damier import games
from damier._core import MAX_THREADS, DamierError
from damier.board import Board, Move
from damier.engine import LEVELS, Limit, SearchResult
from damier.games import line_of
from damier.protocols.hub.text import (
    VARIANTS,
    Args,
    format_info,
    format_line,
    format_move,
    parse_level,
    parse_line,
    parse_move,
    parse_number,
    parse_position,
)
from damier.protocols.server import DEFAULT_LIMIT, Connection, Server, limit_or_default, push_moves
from damier.version import __version__

__all__ = ["HubServer"]

TYPES = {int: "int", float: "real"}
# The parameters of the engine: type, least and most. The highest level is full strength and the default.
PARAMS: dict[str, tuple[type, float, float]] = {
    "threads": (int, 1, MAX_THREADS),
    "hash": (int, 1, 1 << 22),
    "level": (int, 1, len(LEVELS)),
    "overhead": (float, 0, 5),
}


class HubServer(Server):
    """The engine for a Hub GUI.

    >>> from io import BytesIO
    >>> output = BytesIO()
    >>> HubServer(Connection(BytesIO(b"init\\nping\\nquit\\n"), output)).serve()
    >>> output.getvalue()
    b'ready\\npong\\n'
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, "international")
        self._board = games.board("international")
        self._limit: Limit | None = None
        self._commands = {
            "hub": self._hub,
            "set-param": self._set_param,
            "init": self._init,
            "new-game": self._new_game,
            "pos": self._pos,
            "level": self._level,
            "go": self._go,
            "stop": self._stop,
            "ponder-hit": self._ponder_hit,
            "ping": self._ping,
        }

    def handle(self, line: str) -> bool:
        command, args = parse_line(line)
        if command in self._commands:
            self._commands[command](args)
        return command != "quit"

    def send_error(self, error: object) -> None:
        self.send(format_line("error", message=error))

    # Setting up

    def _hub(self, _: Args) -> None:
        variant = next(name for name, ours in VARIANTS.items() if ours == self._board.variant)
        self.send(
            format_line("id", name="damier", version=__version__, author="the damier authors"),
            format_line("param", name="variant", value=variant, type="enum", values=" ".join(VARIANTS)),
            *(
                format_line("param", name=name, value=self._param(name), type=TYPES[type_], min=least, max=most)
                for name, (type_, least, most) in PARAMS.items()
            ),
            "wait",
        )

    def _param(self, name: str) -> float:
        value: float | None = getattr(self.engine, name)
        return len(LEVELS) if value is None else value

    def _set_param(self, args: Args) -> None:
        self.end_search()
        name, value = args.get("name", ""), args.get("value", "")
        if name == "variant":
            self._set_variant(value)
        elif name in PARAMS:
            type_, least, most = PARAMS[name]
            number = parse_number(name, value, type_)
            if not least <= number <= most:
                raise DamierError(f"set-param: {name} is {number}, expected {least} to {most}")
            setattr(self.engine, name, number)
        else:
            raise DamierError(f"set-param: there is no parameter {name[:40]!r}")

    def _set_variant(self, name: str) -> None:
        if name not in VARIANTS:
            raise DamierError(f"set-param: variant is {name[:40]!r}, expected one of {', '.join(VARIANTS)}")
        if VARIANTS[name] != self._board.variant:
            self.set_game(VARIANTS[name])
            self._board = games.board(VARIANTS[name])

    def _init(self, _: Args) -> None:
        self.send("ready")

    def _new_game(self, _: Args) -> None:
        self.end_search()
        self.engine.clear()

    def _ping(self, _: Args) -> None:
        self.send("pong")

    # A search in three steps

    def _pos(self, args: Args) -> None:
        self.end_search()
        variant = self._board.variant
        board = parse_position(variant, args["pos"]) if "pos" in args else games.board(variant)
        self._board = push_moves("pos", board, args.get("moves", "").split(), parse_move)

    def _level(self, args: Args) -> None:
        """Several lines add up, until a search has used them."""
        self._limit = parse_level(args, self._limit or Limit())

    def _go(self, args: Args) -> None:
        self.end_search()
        given, self._limit = self._limit, None
        if not self._board.legal_moves:
            self.send_error(f"there is no move to play: {self._board.outcome()}")
            self.send("done")
            return
        analyse = {"analyze", "analyse"} & args.keys()
        limit = limit_or_default(given, self._board.turn, Limit(infinite=True) if analyse else DEFAULT_LIMIT)
        if limit.white_clock is not None:  # the increment of the coming move is not in the clock yet
            clock = limit.white_clock + limit.white_inc
            limit = limit.replace(white_clock=clock, black_clock=clock)
        self.search(self._board, limit, ponder="ponder" in args)

    def _stop(self, _: Args) -> None:
        self.stop()

    def _ponder_hit(self, _: Args) -> None:
        self.ponder_hit()

    # What a search reports

    def send_info(self, board: Board, info: SearchResult) -> None:
        self.send(format_info(board, info))

    def send_currmove(self, board: Board, move: Move, number: int) -> None:
        """Hub has no line for it."""

    def send_move(self, board: Board, moves: Sequence[Move]) -> None:
        move, *ponder = line_of(board, moves, format_move)
        self.send(format_line("done", move=move, ponder=next(iter(ponder), None)))
