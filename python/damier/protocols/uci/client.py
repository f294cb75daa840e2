"""Engines that speak UCI, as partners."""

from __future__ import annotations

import re
from typing import Any

from damier import games
from damier.engine import Limit, PlayerError
from damier.games import Board
from damier.protocols.client import Heard, OptionValue, RemoteEngine, legal
from damier.protocols.scores import judged, sure
from damier.protocols.transcript import Transcript
from damier.protocols.uci.moves import read, written

__all__ = ["UciEngine"]

OPTION = re.compile(r"option name (?P<name>.+?) type (?P<kind>\S+)(?P<rest>.*)")
SCORE = re.compile(r" score (?P<unit>cp|mate) (?P<number>[+-]?\d{1,9})\b")
BOUND = re.compile(r" (lower|upper)bound\b")
RANK = re.compile(r" multipv (\d+)")
DEPTH = re.compile(r" depth (\d{1,9})\b")
NODES = re.compile(r" nodes (\d{1,18})\b")


class UciEngine(RemoteEngine):
    """An engine that speaks UCI, playing one game; options go by the names it gives them.

    >>> import sys
    >>> from damier import loa
    >>> board = loa.Board()
    >>> with UciEngine("loa", f"{sys.executable} -m damier uci", options={"Hash": 4}) as engine:
    ...     engine.new_game(board)
    ...     engine.play(board, Limit(depth=2)).move in board.legal_moves
    True
    """

    def _introduce(self) -> None:
        self._transcript = Transcript(written)
        self._offered: dict[str, re.Match[str]] = {}  # the options, by their name in small letters
        self._send("uci")
        for line in self._lines_until("uciok"):
            if option := OPTION.match(line.strip()):
                self._offered[option["name"].lower()] = option
            elif line.startswith("id name ") and not self._given_name:
                self.name = line.removeprefix("id name ").strip()
        self._send(*self._variant_settings(), *(self._setting(*option) for option in self.options.items()))
        self._get_ready(self.patience)

    def _variant_settings(self) -> list[str]:
        """What makes it play our game; PlayerError where it does not."""
        if self.game == "chess":
            return []
        if self.game == "chess960":
            wanted, value, knows = "UCI_Chess960", "true", True
        else:
            wanted, value = "UCI_Variant", self.game
            offered = self._offered.get(wanted.lower())
            names = re.findall(r" var (\S+)", offered["rest"]) if offered else []
            # Sizes and rule sets combine (loa6:olympiad), too many to be announced.
            knows = value in names or value.partition(":")[0] in names
        if wanted.lower() not in self._offered or not knows:
            raise PlayerError("refusal", f"{self.name} does not play {self.game}")
        return [self._setting(wanted, value)]

    def _setting(self, name: str, value: OptionValue) -> str:
        offered = self._offered.get(name.lower())
        if not offered:
            raise PlayerError("refusal", f"{self.name} has no option {name!r}")
        if offered["kind"] == "button":
            return f"setoption name {offered['name']}"
        text = str(value).lower() if isinstance(value, bool) else "<empty>" if value in (None, "") else str(value)
        return f"setoption name {offered['name']} value {text}"

    def _get_ready(self, patience: float) -> None:
        self._send("isready")
        for _ in self._lines_until("readyok", patience):
            pass

    def _begin(self, board: Board) -> None:
        self._send("ucinewgame")

    def _prepare(self, board: Board, limit: Limit) -> None:
        start = board.start_fen()
        where = "startpos" if start == games.board(self.game).fen() else f"fen {start}"
        moves = self._transcript.words(board)
        self._send(f"position {where}{' moves ' if moves else ''}{' '.join(moves)}")

    def _go(self, board: Board, limit: Limit) -> list[str]:
        return [written_go(limit)]

    def _listen(self, board: Board, line: str, heard: Heard) -> Any | None:
        word, _, rest = line.partition(" ")
        if word == "info":
            note_info(rest, heard)
        elif word == "bestmove":
            return legal(board, next(iter(rest.split()), ""), read)
        return None


def written_go(limit: Limit) -> str:
    """A limit as a `go` line.

    >>> written_go(Limit(white_clock=60, black_clock=59.5, white_inc=0.1, depth=9))
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


def note_info(text: str, heard: Heard) -> None:
    """Note what follows `info`: of the best line only, and a bound only while nothing better is known.

    >>> heard = Heard()
    >>> note_info("depth 3 score cp 20 lowerbound nodes 100", heard)
    >>> note_info("depth 4 multipv 1 score mate -2 nodes 250 pv e2e4", heard)
    >>> note_info("depth 4 multipv 2 score cp 90 nodes 300 pv d2d4", heard)
    >>> str(heard.score), heard.depth, heard.nodes
    ('#-2', 4, 250)
    """
    if text.startswith("string"):
        return
    text = f" {text}".partition(" pv ")[0]
    rank = RANK.search(text)
    if rank and int(rank[1]) != 1:
        return
    if nodes := NODES.search(text):
        heard.nodes = int(nodes[1])
    score = SCORE.search(text)
    if not score or (heard.score and BOUND.search(text)):
        return
    if depth := DEPTH.search(text):
        heard.depth = int(depth[1])
    number = int(score["number"])
    if score["unit"] == "cp":
        heard.score = judged(number)
    else:
        heard.score = sure(2 * number - 1 if number > 0 else -2 * number, won=number > 0)
