"""Reading games of Lines of Action from the nodes of SGF."""

from __future__ import annotations

import re
from collections.abc import Iterator

from damier import loa
from damier._core import Side
from damier.board import Board
from damier.records.draft import no_move
from damier.records.errors import RecordError, shown
from damier.records.reading import TAG_NAME, Report, report_errors
from damier.records.sgf.syntax import Event, Properties, trees, unescaped
from damier.records.source import Lines
from damier.records.tree import Game, Node

__all__ = ["ENDED", "HEADERS", "NAGS", "OTHERS", "read", "read_result", "result_text"]

# Properties of the first node that are headers. RE says how the game ended, and GC says it in words; headers for
# which SGF has no property travel in HEADER, a property of our own, which was HD before.
HEADERS = {
    "EV": "Event",
    "PC": "Site",
    "DT": "Date",
    "RO": "Round",
    "PW": "White",
    "PB": "Black",
    "WR": "WhiteElo",
    "BR": "BlackElo",
    "GN": "GameName",
    "AN": "Annotator",
    "SO": "Source",
}
OTHERS = "HEADER"
ENDED = "Termination: "
SETUP = {"AB", "AW", "AE", "PL"}
ENDINGS = {"R": r"\bresign", "T": r"\btime\b|too late", "F": r"\b(crash|stall|illegal|garbage|refusal|forfeit)"}
MOVERS = {"b": "x", "black": "x", "1": "x", "w": "o", "white": "o", "2": "o"}
AT_START = {"FF", "GM", "CA", "AP", "SZ", "RU", "RE", "SU", OTHERS, *SETUP, *HEADERS}  # what we know of the first node
RESULTS = {"1-0": "W+", "0-1": "B+", "1/2-1/2": "Draw", "0-0": "Void"}
NAGS = {"TE": {"1": 1, "2": 3}, "BM": {"1": 2, "2": 4}, "IT": {"": 5}, "DO": {"": 6}}
ARTICLES = re.compile(r"simultaneous (mover wins|draws); no move (loses|passes); repetition ([23])")
MOVE = re.compile(r"([a-h]\d)\s*[-:x]?\s*([a-h]\d)(?![a-z\d])")


def read(lines: Lines, report: Report, variant: str | None = None) -> Iterator[Game]:
    """The games of an SGF source; those without RU go by the rules of `variant`, usually loa."""
    return report_errors((built(tree, variant or "loa", lines.name) for tree in trees(lines)), report)


def built(tree: list[Event] | RecordError, variant: str, name: str) -> Game | RecordError:
    """The game of a tree, or the error in it."""
    if isinstance(tree, RecordError):
        return tree
    try:
        return Builder(tree, variant).game
    except RecordError as error:
        return error.at(name, tree[0].line)


class Builder:
    """Makes a game of a tree of nodes, with a board that follows it."""

    def __init__(self, tree: list[Event], variant: str) -> None:
        first, *rest = tree[1:]
        if first.sign != ";":
            raise RecordError(f"{shown(first.sign)} comes before any node, expected ';'", line=first.line)
        try:
            self.game = set_up(first.properties, variant)
        except RecordError as error:
            raise error.at("", first.line) from None
        self._node = self.game.root
        self._board: Board = self.game.board()
        self._in_main_line = True
        self._back: list[tuple[Node, int]] = []  # where to go when a subtree closes
        known = AT_START | {name for name in ("HD", "GC") if is_ours(name, first.properties)}
        kept = {name: values for name, values in first.properties.items() if name not in known}
        for event in [Event(first.line, ";", kept), *rest]:
            try:
                self._take(event)
            except RecordError as error:
                raise error.at("", event.line) from None

    def _take(self, event: Event) -> None:
        if event.sign == ";":
            self._read_node(event.properties)
        elif event.sign == "(":
            self._back.append((self._node, self._board.ply))
        elif self._back:
            self._node, ply = self._back.pop()
            self._in_main_line = False
            while self._board.ply > ply:
                self._board.pop()

    def _read_node(self, properties: Properties) -> None:
        """A node with a move continues the line; any other adds to the node before it."""
        moves = [(name, value) for name in ("B", "W") for value in properties.pop(name, [])]
        if len(moves) > 1:
            raise RecordError(f"{len(moves)} moves in one node, expected one")
        if not SETUP.isdisjoint(properties):
            raise RecordError("stones are added after the first node, expected moves only")
        if moves:
            self._read_move(*moves[0])
        if properties:
            self._read_remarks(properties)

    def _read_remarks(self, properties: Properties) -> None:
        node = self._node
        for comment in properties.pop("C", []):
            node.comment = f"{node.comment}\n{unescaped(comment)}".strip()
        node.nags += tuple(read_nags(properties))
        if node is self.game.root:  # what only the first node may say is not taken from one after it
            properties = {name: values for name, values in properties.items() if name not in AT_START}
        if properties:
            node.properties = (node.properties or {}) | properties

    def _read_move(self, colour: str, value: str) -> None:
        text = unescaped(value).lower()
        if text.startswith("resign"):
            if self._in_main_line and self.game.result == "*":
                self.game.result = "0-1" if colour == "W" else "1-0"
            return
        side = Side.BLACK if colour == "B" else Side.WHITE
        if self._board.turn != side:
            mover = "White" if colour == "B" else "Black"
            raise RecordError(f"{colour}[{shown(text)[1:-1]}] is out of turn, expected a move of {mover}")
        squares = MOVE.match(text)
        try:
            move = self._board.play(f"{squares[1]}-{squares[2]}" if squares else text or "pass")
        except ValueError as error:
            raise no_move(self._board, self.game.variant, text, error) from None
        self._node = self._node.add(move)


def set_up(properties: Properties, default: str) -> Game:
    """The game that a first node announces, without its moves."""
    first = {name: " ".join(unescaped(values[0]).split()) for name, values in properties.items()}
    if first.get("GM", "9") != "9":
        raise RecordError(f"the game is GM[{shown(first['GM'])[1:-1]}], expected GM[9], Lines of Action")
    size = first.get("SZ", default.partition(":")[0][3:] or "8")
    if size not in ("5", "6", "7", "8"):
        raise RecordError(f"the board size is {shown(size)}, expected 5 to 8")
    name = "loa" if size == "8" else f"loa{size}"
    articles = ARTICLES.search(first.get("RU", ""))
    variant = name + "".join(default.partition(":")[1:])
    rules: loa.Rules = {}
    if articles:
        variant = name
        rules = {"simultaneous": articles[1], "no_move": articles[2], "repetition": int(articles[3])}
    try:
        board = loa.Board(read_setup(properties, name), variant=variant, **rules)
    except ValueError as error:
        raise RecordError(str(error)) from None
    game = Game.from_board(board, read_headers(first, own_headers(properties)))
    game.result = read_result(first.get("RE", ""))
    return game


def read_setup(properties: Properties, name: str) -> str | None:
    """The FEN of the position that SU, AB, AW, AE and PL describe, if they do.

    The stones are put on the start position if AE clears squares of it, else on an empty board.
    """
    setup = unescaped(properties.get("SU", ["Standard"])[0])
    custom, adds = setup.lower() != "standard", "AB" in properties or "AW" in properties
    if custom and not adds:
        raise RecordError(f"the setup {shown(setup)} has no stones, expected AB[...] and AW[...]")
    if SETUP.isdisjoint(properties):
        return None
    start = loa.Board(variant=name)
    black, white, empty = (
        {square for value in properties.get(stones, []) for square in read_squares(value, start)}
        for stones in ("AB", "AW", "AE")
    )
    if black & white:
        raise RecordError(f"{min(black & white)} is in AB and in AW, expected one stone on a square")
    pieces = {} if custom or (adds and not empty) else start.pieces()
    pieces = {square: letter for square, letter in pieces.items() if square not in empty}
    pieces |= dict.fromkeys(black, "x") | dict.fromkeys(white, "o")
    side = max(rank for _, _, rank in start.squares) + 1
    ranks = ["" for _ in range(side)]
    for square, _, rank in sorted(start.squares, key=lambda place: place[1]):
        ranks[rank] += pieces.get(square, "1")
    return "/".join(reversed(ranks)) + " " + read_mover(properties.get("PL", ["B"]))


def read_mover(values: list[str]) -> str:
    """The letter of the side that PL says is to move."""
    mover = " ".join(unescaped(value) for value in values)
    if mover.lower() not in MOVERS:
        raise RecordError(f"PL[{shown(mover)[1:-1]}] is not a player, expected B or W")
    return MOVERS[mover.lower()]


def read_squares(value: str, board: loa.Board) -> list[str]:
    """The squares a value names: one, or the corners of a rectangle."""
    places = {name: (file, rank) for name, file, rank in board.squares}
    corners = [places.get(name.strip().lower()) for name in value.split(":")]
    if len(corners) > 2 or None in corners:
        raise RecordError(f"{shown(value)} is not a square of this board, expected one such as b1")
    (a, b), (c, d) = corners[0], corners[-1]  # type: ignore[misc]
    return [s for s, (f, r) in places.items() if min(a, c) <= f <= max(a, c) and min(b, d) <= r <= max(b, d)]


def read_headers(first: dict[str, str], others: dict[str, str]) -> dict[str, str]:
    """Headers from the first node's properties; RE and RU stay if they say more than the fields can hold."""
    headers = {header: first[name] for name, header in HEADERS.items() if name in first}
    if "Date" in headers:
        headers["Date"] = re.sub(r"^(\d{4})-(\d\d)-(\d\d)$", r"\1.\2.\3", headers["Date"])
    if "RU" in first and not ARTICLES.search(first["RU"]):
        headers["RU"] = first["RU"]
    headers |= others
    result = first.get("RE", "?")
    if result not in (*RESULTS.values(), "?", result_text(read_result(result), others.get("Termination", ""))):
        headers["RE"] = result
    return headers


def own_headers(properties: Properties) -> dict[str, str]:
    """The headers that only we write: in HEADER (HD in older files), and the ending in GC."""
    headers = {}
    for value in [*properties.get(OTHERS, []), *(properties["HD"] if is_ours("HD", properties) else [])]:
        name, _, text = " ".join(unescaped(value).split()).partition(" ")
        headers[name] = text
    if is_ours("GC", properties):
        headers["Termination"] = " ".join(unescaped(properties["GC"][0]).removeprefix(ENDED).split())
    return headers


def is_ours(name: str, properties: Properties) -> bool:
    """Whether we wrote a property that others use for something else: HD for a handicap, GC for any comment."""
    values = properties.get(name, [])
    if name == "GC":
        return bool(values) and values[0].startswith(ENDED)
    return bool(values) and all(re.fullmatch(rf"[A-Za-z]{TAG_NAME}\s.+", value, re.DOTALL) for value in values)


def result_text(result: str, termination: str) -> str:
    """A result as RE gives it, with the reasons that FF[4] knows: resignation, time, forfeit.

    >>> result_text("0-1", "White resigns"), result_text("1-0", "connection"), result_text("*", "")
    ('B+R', 'W+', '?')
    """
    reason = next((letter for letter, words in ENDINGS.items() if re.search(words, termination)), "")
    return RESULTS.get(result, "?") + (reason if result in ("1-0", "0-1") else "")


def read_result(value: str) -> str:
    """The result that RE gives: W+ and B+ with or without a reason, 0 or Draw."""
    if value[:2].upper() in ("W+", "B+"):
        return "1-0" if value[0].upper() == "W" else "0-1"
    return "1/2-1/2" if value.upper() in ("0", "D", "DRAW") else "*"


def read_nags(properties: Properties) -> Iterator[int]:
    """The glyphs of a node, taken out of its properties."""
    for name, numbers in NAGS.items():
        for value in properties.pop(name, []):
            yield numbers.get(value, min(numbers.values()))
    for value in properties.pop("NAG", []):
        if not re.fullmatch(r"[0-9]{1,4}", value):
            raise RecordError(f"NAG[{shown(value)[1:-1]}] is not a glyph, expected a number")
        yield int(value)
