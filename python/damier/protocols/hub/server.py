"""Hub spoken: one method a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from damier import draughts
from damier._core import DamierError, MoveError
from damier.engine import LEVELS, Limit, SearchResult
from damier.games import Board, Move, line_of
from damier.protocols.hub.board import VARIANTS, read_move, read_position, written_move
from damier.protocols.hub.text import read_line, written
from damier.protocols.scores import men
from damier.protocols.server import DefaultThink, Server, Talk

__all__ = ["HubServer"]

Args = Mapping[str, str]
KINDS = {int: "int", float: "real"}
# The settings of the engine a GUI may change: number, least and most; without a level it is the highest.
PARAMS: dict[str, tuple[type, float, float]] = {
    "threads": (int, 1, 1024),
    "hash": (int, 1, 1 << 22),
    "level": (int, 1, len(LEVELS)),
    "overhead": (float, 0, 5),
}
Largest = 10**15


class HubServer(Server):
    """The engine for a GUI that speaks Hub.

    >>> from io import BytesIO
    >>> sink = BytesIO()
    >>> HubServer(Talk(BytesIO(b"init\\nping\\nquit\\n"), sink)).serve()
    >>> sink.getvalue()
    b'ready\\npong\\n'
    """

    def __init__(self, talk: Talk) -> None:
        super().__init__(talk, "international")
        self._board = draughts.Board(variant="international")
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

    def obey(self, line: str) -> bool:
        command, args = read_line(line)
        if command in self._commands:
            self._commands[command](args)
        return command != "quit"

    def complain(self, why: object) -> None:
        self.talk.say(written("error", message=why))

    # Setting up

    def _hub(self, _: Args) -> None:
        variant = next(name for name, ours in VARIANTS.items() if ours == self._board.variant)
        self.talk.say(
            written("id", name="damier", version=version("damier"), author="the damier authors"),
            written("param", name="variant", value=variant, type="enum", values=" ".join(VARIANTS)),
            *(
                written("param", name=name, value=self._setting(name), type=KINDS[kind], min=least, max=most)
                for name, (kind, least, most) in PARAMS.items()
            ),
            "wait",
        )

    def _setting(self, name: str) -> float:
        value: float | None = getattr(self.engine, name)
        return len(LEVELS) if value is None else value

    def _set_param(self, args: Args) -> None:
        self.end_search()
        name, value = args.get("name", ""), args.get("value", "")
        if name == "variant":
            self._change_variant(value)
        elif name in PARAMS:
            kind, least, most = PARAMS[name]
            number = _number(name, value, kind)
            if not least <= number <= most:
                raise DamierError(f"set-param: {name} is {number}, expected {least} to {most}")
            setattr(self.engine, name, number)
        else:
            raise DamierError(f"set-param: there is no parameter {name[:40]!r}")

    def _change_variant(self, name: str) -> None:
        if name not in VARIANTS:
            raise DamierError(f"set-param: variant is {name[:40]!r}, expected one of {', '.join(VARIANTS)}")
        if VARIANTS[name] != self._board.variant:
            self.use(VARIANTS[name])
            self._board = draughts.Board(variant=VARIANTS[name])

    def _init(self, _: Args) -> None:
        self.talk.say("ready")

    def _new_game(self, _: Args) -> None:
        self.end_search()
        self.engine.clear()

    def _ping(self, _: Args) -> None:
        self.talk.say("pong")

    # A search in three steps

    def _pos(self, args: Args) -> None:
        self.end_search()
        variant = self._board.variant
        board = read_position(variant, args["pos"]) if "pos" in args else draughts.Board(variant=variant)
        for number, word in enumerate(args.get("moves", "").split(), 1):
            try:
                board.push(read_move(board, word))
            except MoveError as error:
                raise MoveError(f"pos, move {number}: {error}") from None
        self._board = board

    def _level(self, args: Args) -> None:
        """Several lines add up, until a search has used them."""
        limit = self._limit or Limit()
        if "infinite" in args:
            limit = replace(limit, infinite=True)
        if "depth" in args:
            limit = replace(limit, depth=max(1, _number("depth", args["depth"], int)))
        if "nodes" in args:
            limit = replace(limit, nodes=max(1, _number("nodes", args["nodes"], int)))
        if "move-time" in args:
            limit = replace(limit, time=max(0.001, _number("move-time", args["move-time"], float)))
        if "time" in args:
            clock = max(0.001, _number("time", args["time"], float))
            limit = replace(limit, white_clock=clock, black_clock=clock)
        if "inc" in args:
            inc = max(0.0, _number("inc", args["inc"], float))
            limit = replace(limit, white_inc=inc, black_inc=inc)
        if "moves" in args:
            moves = _number("moves", args["moves"], int)
            limit = replace(limit, moves_to_go=moves if moves > 0 else None)
        self._limit = limit

    def _go(self, args: Args) -> None:
        self.end_search()
        limit, self._limit = self._limit, None
        if not self._board.legal_moves:
            self.complain(f"there is no move to play: {self._board.outcome()}")
            self.talk.say("done")
            return
        if limit is None or not (limit.ends_for(self._board.turn) or limit.infinite):
            limit = Limit(infinite=True) if {"analyze", "analyse"} & args.keys() else DefaultThink
        if limit.white_clock is not None:  # the increment of the move to come is not in the clock yet
            clock = limit.white_clock + limit.white_inc
            limit = replace(limit, white_clock=clock, black_clock=clock)
        self.search(self._board, limit, ponder="ponder" in args)

    def _stop(self, _: Args) -> None:
        self.stop()

    def _ponder_hit(self, _: Args) -> None:
        self.ponder_hit()

    # What a search says

    def tell(self, board: Board, info: SearchResult) -> None:
        self.talk.say(
            written(
                "info",
                depth=info.depth,
                score=f"{men(info.score):.2f}",
                nodes=info.nodes,
                time=f"{info.seconds:.3f}",
                nps=f"{info.nps / 1e6:.3f}",
                pv=" ".join(line_of(board, info.pv, written_move)),
            )
        )

    def answer(self, board: Board, moves: Sequence[Move]) -> None:
        move, *ponder = line_of(board, moves, written_move)
        self.talk.say(written("done", move=move, ponder=next(iter(ponder), None)))


def _number(name: str, text: str, kind: Any) -> Any:
    """A number within reason, of the kind wanted."""
    try:
        number = kind(text)
    except ValueError:
        raise DamierError(f"{name} is {text[:40]!r}, expected a number") from None
    if not -Largest <= number <= Largest:  # nor NaN
        raise DamierError(f"{name} is {text[:40]}, expected less")
    return number
