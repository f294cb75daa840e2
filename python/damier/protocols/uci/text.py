"""The text of UCI, read and written: moves, options, `position`, `go` and `info`.

Moves in chess are coordinates, castling as the board's variant writes it. In games with squares a1, b1, ... they are
the squares one after the other (b1b3, c3e5g7), in games with numbered squares as in PDN (32-28, 26x17). A pass is 0000.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from damier import chess
from damier._core import MAX_THREADS, DamierError
from damier.board import Board, Move
from damier.engine import Limit, SearchResult
from damier.engine.arguments import MOST_LINES
from damier.engine.elo import default_elo, elo_range
from damier.games import GAMES, line_of
from damier.protocols.scores import cp_score, format_uci_score, mate_score

__all__ = [
    "Go",
    "Option",
    "OptionValue",
    "Position",
    "Setting",
    "format_currmove",
    "format_go",
    "format_info",
    "format_move",
    "options",
    "parse_go",
    "parse_info",
    "parse_move",
    "parse_position",
    "parse_setoption",
]

# Moves

PASS = "0000"


def format_move(board: Board, move: Move) -> str:
    """A legal move as UCI writes it.

    >>> from damier import games, loa
    >>> board = loa.Board()
    >>> format_move(board, board.parse("b1-b3"))
    'b1b3'
    >>> board = games.board("international")
    >>> format_move(board, board.parse("32-28"))
    '32-28'
    """
    if isinstance(board, chess.Board):
        return board.uci(move)
    text = board.text(move)
    if text == "pass":
        return PASS
    return re.sub("[-x:]", "", text) if _has_named_squares(board) else text


def parse_move(board: Board, text: str) -> Move:
    """The legal move that a UCI text names; MoveError if there is none.

    >>> from damier import games
    >>> parse_move(games.board("russian"), "c3b4")
    <Move c3-b4>
    """
    if isinstance(board, chess.Board):
        return board.parse_uci(text)
    if text == PASS:
        return board.parse("pass")
    if _has_named_squares(board) and re.fullmatch("([a-h][1-8]){2,64}", text):
        text = ":".join(re.findall("..", text))
    return board.parse(text)


def _has_named_squares(board: Board) -> bool:
    return board.squares[0][0].isalnum() and not board.squares[0][0].isdigit()


# Options

OptionValue = int | bool | str


@dataclass(frozen=True)
class Option:
    """An option of the engine: its type as UCI calls it, its default and the values it may have."""

    name: str
    type: str  # check, spin, combo, button or string
    default: OptionValue = ""
    min: int = 0
    max: int = 0
    values: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The line that announces it.

        >>> print(Option("Hash", "spin", 16, 1, 1024))
        option name Hash type spin default 16 min 1 max 1024
        """
        words = ["option name", self.name, "type", self.type]
        if self.type != "button":
            words += ["default", str(self.default).lower() if self.type == "check" else str(self.default or "<empty>")]
        if self.type == "spin":
            words += ["min", str(self.min), "max", str(self.max)]
        return " ".join([*words, *(f"var {value}" for value in self.values)])

    def parse(self, text: str | None) -> OptionValue:
        """The value of a text; DamierError says what was expected.

        >>> Option("Ponder", "check", False).parse("TRUE")
        True
        """
        text = text or ""
        match self.type:
            case "check" if text.lower() in ("true", "false"):
                return text.lower() == "true"
            case "spin" if (number := _integer(text)) is not None and self.min <= number <= self.max:
                return number
            case "combo":
                return text.lower()
            case "button" | "string":
                return "" if text == "<empty>" else text
        expected = "true or false" if self.type == "check" else f"{self.min} to {self.max}"
        raise DamierError(f"option {self.name}: {text[:40]!r}, expected {expected}")


def options(game: str = "chess") -> dict[str, Option]:
    """The options of our engine by name in lower case. The strengths it can play at are those of the game.

    >>> options("loa")["uci_variant"].default
    'chess'
    """
    known = (
        Option("Hash", "spin", 16, 1, 1 << 22),
        Option("Threads", "spin", 1, 1, MAX_THREADS),
        Option("MultiPV", "spin", 1, 1, MOST_LINES),
        Option("Ponder", "check", False),
        Option("Move Overhead", "spin", 10, 0, 5000),
        Option("Clear Hash", "button"),
        Option("EvalFile", "string"),
        Option("UCI_AnalyseMode", "check", False),
        Option("UCI_Chess960", "check", False),
        Option("UCI_ShowWDL", "check", False),
        Option("UCI_LimitStrength", "check", False),
        Option("UCI_Elo", "spin", default_elo(game), *elo_range(game)),
        Option("UCI_Variant", "combo", "chess", values=("chess", *(name for name in GAMES if name != "chess"))),
    )
    return {option.name.lower(): option for option in known}


@dataclass(frozen=True)
class Setting:
    """`setoption`: a name and a value, None if the line has none."""

    name: str
    value: str | None = None


def parse_setoption(words: Sequence[str]) -> Setting:
    """Read what follows `setoption`.

    >>> parse_setoption("name Move Overhead value 50".split())
    Setting(name='Move Overhead', value='50')
    """
    if not words or words[0] != "name":
        raise DamierError("setoption: expected `name` and the name of an option")
    end = words.index("value") if "value" in words else len(words)
    name = " ".join(words[1:end])
    return Setting(name, " ".join(words[end + 1 :]) if end < len(words) else None)


# Positions


@dataclass(frozen=True)
class Position:
    """`position`: the FEN a game starts from, None for the standard start position, and its moves."""

    fen: str | None
    moves: tuple[str, ...] = ()


def parse_position(words: Sequence[str]) -> Position:
    """Read what follows `position`; a FEN extends to `moves`.

    >>> parse_position("startpos moves e2e4 e7e5".split())
    Position(fen=None, moves=('e2e4', 'e7e5'))
    >>> parse_position("fen 8/8/8/8/8/2xoo3/2x5/8 o".split())
    Position(fen='8/8/8/8/8/2xoo3/2x5/8 o', moves=())
    """
    end = words.index("moves") if "moves" in words else len(words)
    start, moves = words[:end], tuple(words[end + 1 :])
    if start and start[0] == "startpos":
        return Position(None, moves)
    if len(start) > 1 and start[0] == "fen":
        return Position(" ".join(start[1:]), moves)
    raise DamierError("position: expected `startpos` or `fen` and a FEN, then optionally `moves` and the moves")


# Limits

LONGEST = 2**31 - 1  # ms, plies and moves alike; nodes may be more
MOST_NODES = 2**63 - 1
# Each number of a `go` line: the part of the limit it sets, and how many of it make one.
NUMBERS = {
    "wtime": ("white_clock", 1000),
    "btime": ("black_clock", 1000),
    "winc": ("white_inc", 1000),
    "binc": ("black_inc", 1000),
    "movetime": ("time", 1000),
    "movestogo": ("moves_to_go", 1),
    "depth": ("depth", 1),
    "nodes": ("nodes", 1),
    "mate": ("mate", 1),
    "perft": ("perft", 1),
}
KEYWORDS = {*NUMBERS, "infinite", "ponder", "searchmoves"}


@dataclass(frozen=True)
class Go:
    """`go`: how to search, and the errors in the line."""

    limit: Limit = field(default_factory=Limit)
    searchmoves: tuple[str, ...] = ()
    ponder: bool = False
    perft: int | None = None
    errors: tuple[str, ...] = ()


def parse_go(words: Sequence[str]) -> Go:
    """Read what follows `go`; unknown words are skipped, a value that is not a number is reported.

    >>> go = parse_go("wtime 60000 btime 5x winc 500 searchmoves e2e4 d2d4 ponder".split())
    >>> go.limit == Limit(white_clock=60, white_inc=0.5), go.searchmoves, go.ponder
    (True, ('e2e4', 'd2d4'), True)
    >>> go.errors
    ("go: btime is '5x', expected a whole number",)
    """
    numbers: dict[str, int] = {}
    searchmoves: list[str] = []
    errors: list[str] = []
    flags = set()
    for keyword, values in _phrases(words):
        if keyword == "searchmoves":
            searchmoves += values
        elif keyword not in NUMBERS:
            flags.add(keyword)
        elif values and (number := _integer(values[0])) is not None:
            numbers[keyword] = number
        else:
            shown = f"is {values[0][:40]!r}" if values else "has no value"
            errors.append(f"go: {keyword} {shown}, expected a whole number")
    perft = numbers.pop("perft", None)
    if numbers.get("movestogo", 1) < 1:  # some GUIs say 0 for the rest of the game
        del numbers["movestogo"]
    parts: dict[str, Any] = dict(_limit_part(keyword, number) for keyword, number in numbers.items())
    limit = Limit(infinite="infinite" in flags, **parts)
    return Go(limit, tuple(searchmoves), "ponder" in flags, perft, tuple(errors))


def _phrases(words: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Each keyword with the words that follow it."""
    starts = [at for at, word in enumerate(words) if word in KEYWORDS]
    for start, end in pairwise([*starts, len(words)]):
        yield words[start], words[start + 1 : end]


def _limit_part(keyword: str, number: int) -> tuple[str, float]:
    """A part of the limit and its value; a clock that has run out still has a millisecond."""
    name, unit = NUMBERS[keyword]
    least = 0 if keyword in ("winc", "binc") else 1
    number = max(least, min(number, MOST_NODES if keyword == "nodes" else LONGEST))
    return name, number / unit if unit > 1 else number


def _integer(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,40}", text) else None


def format_go(limit: Limit) -> str:
    """A limit as a `go` line.

    >>> format_go(Limit(white_clock=60, black_clock=59.5, white_inc=0.1, depth=9))
    'go wtime 60000 btime 59500 winc 100 depth 9'
    """
    words = ["go"]
    for word, seconds in (("wtime", limit.white_clock), ("btime", limit.black_clock)):
        if seconds is not None:
            words.append(f"{word} {max(1, round(1000 * seconds))}")
    for word, seconds in (("winc", limit.white_inc), ("binc", limit.black_inc), ("movetime", limit.time)):
        if seconds:
            words.append(f"{word} {max(1, round(1000 * seconds))}")
    counts = {"movestogo": limit.moves_to_go, "depth": limit.depth, "nodes": limit.nodes, "mate": limit.mate}
    words += [f"{word} {count}" for word, count in counts.items() if count is not None]
    if limit.infinite or len(words) == 1:
        words.append("infinite")
    return " ".join(words)


# What a search reports

SCORE = re.compile(r" score (?P<unit>cp|mate) (?P<number>[+-]?\d{1,9})\b")
BOUND = re.compile(r" (lower|upper)bound\b")
MULTIPV = re.compile(r" multipv (\d+)")
DEPTH = re.compile(r" depth (\d{1,9})\b")
NODES = re.compile(r" nodes (\d{1,18})\b")


def format_info(board: Board, info: SearchResult, *, wdl: bool = False) -> str:
    """An `info` line; `wdl` adds the chances to win, draw and lose.

    >>> board = chess.Board()
    >>> format_info(board, SearchResult(None, cp_score(12), 3, 50, 0.001, (board.parse("e4"),), seldepth=4))
    'info depth 3 seldepth 4 multipv 1 score cp 12 nodes 50 nps 50000 hashfull 0 time 1 pv e2e4'
    """
    bound = f" {info.bound}bound" if info.bound in ("lower", "upper") else ""
    chances = " wdl {} {} {}".format(*info.wdl) if wdl else ""
    return (
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv}"
        f" score {format_uci_score(info.score)}{bound}{chances}"
        f" nodes {info.nodes} nps {info.nps} hashfull {info.hashfull} time {round(info.seconds * 1000)}"
        f" pv {' '.join(line_of(board, info.pv, format_move))}"
    )


def format_currmove(board: Board, move: Move, number: int) -> str:
    """The `info` line for the root move being searched, the `number`-th of them.

    >>> board = chess.Board()
    >>> format_currmove(board, board.parse("e4"), 3)
    'info currmove e2e4 currmovenumber 3'
    """
    return f"info currmove {format_move(board, move)} currmovenumber {number}"


def parse_info(text: str, info: SearchResult) -> SearchResult:
    """What is known after an `info` line: only the best line counts, and a bound only until a score is exact.

    >>> info = parse_info("depth 3 score cp 20 lowerbound nodes 100", SearchResult(None))
    >>> info = parse_info("depth 4 multipv 1 score mate -2 nodes 250 pv e2e4", info)
    >>> info = parse_info("depth 4 multipv 2 score cp 90 nodes 300 pv d2d4", info)
    >>> str(info.score), info.depth, info.nodes, info.bound
    ('#-2', 4, 250, 'exact')
    """
    if text.startswith("string"):
        return info
    text = f" {text}".partition(" pv ")[0]
    rank = MULTIPV.search(text)
    if rank and int(rank[1]) != 1:
        return info
    found = NODES.search(text)
    nodes = int(found[1]) if found else info.nodes
    score, bound = SCORE.search(text), BOUND.search(text)
    if not score or (bound and info.bound == "exact"):
        return SearchResult(None, info.score, info.depth, nodes, bound=info.bound)
    number = int(score["number"])
    if score["unit"] == "cp":
        value = cp_score(number)
    else:
        value = mate_score(2 * number - 1 if number > 0 else -2 * number, won=number > 0)
    found = DEPTH.search(text)
    depth = int(found[1]) if found else info.depth
    return SearchResult(None, value, depth, nodes, bound=bound[1] if bound else "exact")
