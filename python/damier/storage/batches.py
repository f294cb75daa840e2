"""Batches of games as columns: made from records, completed, cut, and joined."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import results
from damier.records import RESULTS, GameRecord
from damier.storage.shards import NOT_SEARCHED, REASONS, TEXTS, About, Columns, joined

__all__ = ["Packer", "completed", "digests", "is_finished", "lean", "rechunked", "selected", "starts_of"]

RAGGED = (("codes", "ends"), ("scores", "score_ends"))  # values laid end to end, and where those of each game end
RESULT_NUMBERS = {result: number for number, result in enumerate(results())}
REASON_NUMBERS = {reason: number for number, reason in enumerate(REASONS)}
DIGEST_BYTES = 16


class Packer:
    """Collects finished games as columns, a few bytes per move.

    >>> packer = Packer()
    >>> packer.add(GameRecord("chess", None, (26380,), 1, "1-0", scores=(12,)))
    >>> columns = packer.columns()
    >>> columns["codes"].tolist(), columns["scores"].tolist(), len(packer)
    ([26380], [12], 0)
    """

    def __init__(self) -> None:
        self._begin()

    def __len__(self) -> int:
        return len(self._ends)

    def _begin(self) -> None:
        self._codes, self._scores = array("H"), array("h")
        self._ends, self._score_ends, self._plies, self._openings = array("i"), array("i"), array("I"), array("I")
        self._results, self._reasons = array("B"), array("B")
        self._texts: dict[str, list[str]] = {name: [] for name in TEXTS}

    def add(self, game: GameRecord, start: str | None = None) -> None:
        """Add a game that has a result; `start` replaces the position that it started from."""
        said: Iterable[int | None] = game.scores or (None,) * (game.plies - game.opening_plies)
        self._codes.extend(game.moves)
        self._scores.extend([NOT_SEARCHED] * game.opening_plies)
        self._scores.extend(NOT_SEARCHED if score is None else max(-32767, min(32767, score)) for score in said)
        self._ends.append(len(self._codes))
        self._score_ends.append(len(self._scores))
        self._plies.append(game.plies)
        self._openings.append(game.opening_plies)
        self._results.append(RESULT_NUMBERS[game.result])
        self._reasons.append(REASON_NUMBERS.get(game.reason, REASON_NUMBERS["unknown"]))
        self._texts["fens"].append((game.fen or "") if start is None else start)
        self._texts["whites"].append(game.white.name)
        self._texts["blacks"].append(game.black.name)

    def columns(self) -> Columns:
        """The collected columns; the next games start new ones."""
        whole: Columns = {
            "codes": np.array(self._codes, np.uint16),
            "ends": np.array(self._ends, np.int32),
            "plies": np.array(self._plies, np.uint32),
            "results": np.array(self._results, np.uint8),
            "reasons": np.array(self._reasons, np.uint8),
            "scores": np.array(self._scores, np.int16),
            "score_ends": np.array(self._score_ends, np.int32),
            "openings": np.array(self._openings, np.uint32),
            **{name: _texts(texts) for name, texts in self._texts.items()},
        }
        self._begin()
        return whole


def is_finished(game: GameRecord) -> bool:
    """Whether a game has a result, and can be stored.

    >>> is_finished(GameRecord("loa", result="*"))
    False
    """
    return game.result in RESULT_NUMBERS and game.result in RESULTS


def completed(about: About, columns: Columns) -> Columns:
    """The columns of a shard with all columns a shard may have; missing ones are filled with empty values.

    Games then begin at the standard start position unless they say otherwise.

    >>> board = games.board("rennes")
    >>> whole = completed(About("rennes", board.fen(), 1), board.play_games(2, seed=1))
    >>> whole["fens"].tolist(), whole["openings"].tolist()
    (['', ''], [0, 0])
    """
    count = len(columns["ends"])
    whole = {name: column for name, column in columns.items() if name != "number"}
    if len(whole.get("score_ends", ())) != count:  # no scores at all
        whole["score_ends"] = np.cumsum(whole["plies"], dtype=np.int32)
        whole["scores"] = np.full(int(whole["plies"].sum()), NOT_SEARCHED, np.int16)
        whole.setdefault("openings", np.zeros(count, np.uint32))
    if "openings" not in whole:
        whole["openings"] = _before_scores(whole)
    for name in TEXTS:
        whole.setdefault(name, np.full(count, "", object))
    if about.start_fen != games.board(about.variant).fen():
        whole["fens"] = _texts(fen or about.start_fen for fen in whole["fens"])
    return whole


def lean(columns: Columns) -> Columns:
    """The same without empty columns, as stored in a shard."""
    kept = dict(columns)
    has_scores = bool((columns["scores"] != NOT_SEARCHED).any())
    implied = _before_scores(columns) if has_scores else np.zeros(len(columns["ends"]), np.uint32)
    if not has_scores:
        del kept["scores"], kept["score_ends"]
    if np.array_equal(implied, columns["openings"]):
        del kept["openings"]
    if not any(columns["fens"]):
        del kept["fens"]
    if not any(columns["whites"]) and not any(columns["blacks"]):
        del kept["whites"], kept["blacks"]
    return kept


def _before_scores(columns: Columns) -> npt.NDArray[np.uint32]:
    """How many plies each game has before the first that was searched."""
    starts, ends = _starts(columns["score_ends"]), columns["score_ends"]
    searched = np.append(np.flatnonzero(columns["scores"] != NOT_SEARCHED), len(columns["scores"]))
    first = searched[np.searchsorted(searched, starts)]
    before: npt.NDArray[np.uint32] = (np.minimum(first, ends) - starts).astype(np.uint32)
    return before


def selected(columns: Columns, rows: npt.NDArray[np.generic] | slice) -> Columns:
    """Some of the games: a range, a list of numbers, or those for which an array is true.

    >>> board = games.board("rennes")
    >>> about, columns = About("rennes", board.fen(), 1), board.play_games(3, seed=1)
    >>> some = selected(completed(about, columns), np.array([False, True, True]))
    >>> some["plies"].tolist() == columns["plies"][1:].tolist()
    True
    """
    picked = np.arange(len(columns["ends"]))[rows]
    ragged = {name for pair in RAGGED for name in pair}
    chosen = {name: column[picked] for name, column in columns.items() if name not in ragged}
    for values, ends in RAGGED:
        if values not in columns or not len(columns[ends]):  # no scores
            chosen |= {name: columns[name] for name in (values, ends) if name in columns}
            continue
        starts = _starts(columns[ends])[picked]
        lengths = columns[ends][picked] - starts
        chosen[ends] = np.cumsum(lengths, dtype=np.int32)
        shift = np.repeat(starts - (chosen[ends] - lengths), lengths)
        chosen[values] = columns[values][np.arange(len(shift)) + shift]
    return chosen


def starts_of(about: About, columns: Columns) -> tuple[list[str], npt.NDArray[np.int32]]:
    """The positions that the games of a shard start from, and which of them each game does.

    >>> board = games.board("loa5")
    >>> fens, starts = starts_of(About("loa5", board.fen(), 1), board.play_games(3, seed=1))
    >>> len(fens), starts.tolist()
    (1, [0, 0, 0])
    """
    places: dict[str, int] = {}
    if not len(columns.get("fens", ())):
        return [about.start_fen], np.zeros(len(columns["ends"]), np.int32)
    numbers = [places.setdefault(fen or about.start_fen, len(places)) for fen in columns["fens"]]
    return list(places), np.array(numbers, np.int32)


def rechunked(batches: Iterable[Columns], size: int) -> Iterator[Columns]:
    """The same games in batches of exactly `size`, the last one smaller; about one batch is held in memory."""
    held: list[Columns] = []
    count = 0
    for batch in batches:
        begin, length = 0, len(batch["ends"])
        while count + length - begin >= size:
            end = begin + size - count
            yield joined([*held, selected(batch, slice(begin, end))])
            held, count, begin = [], 0, end
        if begin < length:
            held.append(selected(batch, slice(begin, length)))
            count += length - begin
    if held:
        yield joined(held)


def digests(variant: str, columns: Columns, plies: int | None = None) -> npt.NDArray[np.uint8]:
    """A row of bytes per game, equal if the starts and the moves, or their first plies, are equal."""
    codes, ends = columns["codes"].astype("<u2", copy=False), columns["ends"].tolist()
    rows, begin = [], 0
    for end, fen, length in zip(ends, columns["fens"], columns["plies"].tolist(), strict=True):
        moves = codes[begin:end]
        if plies is not None and length > plies:
            moves = moves[:plies] if len(moves) == length else _first_moves(variant, fen, moves, plies)
        rows.append(blake2b(moves.tobytes(), digest_size=DIGEST_BYTES, key=_key(fen)).digest())
        begin = end
    return np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), DIGEST_BYTES)


def _key(fen: str) -> bytes:
    return blake2b(fen.encode(), digest_size=DIGEST_BYTES).digest() if fen else b""


def _first_moves(variant: str, fen: str, codes: npt.NDArray[np.generic], plies: int) -> npt.NDArray[np.generic]:
    """The codes of the first plies, of which captures may have two."""
    board = games.board(variant, fen or None)
    board.replay(np.ascontiguousarray(codes, np.uint16))
    while board.ply > plies:
        board.pop()
    return board.codes()


def _starts(ends: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    return np.concatenate((np.zeros(1, ends.dtype), ends[:-1])) if len(ends) else ends


def _texts(texts: Iterable[str]) -> npt.NDArray[np.generic]:
    """Texts as a column; NumPy would make one as wide as the longest."""
    held = list(texts)
    column = np.empty(len(held), object)
    column[:] = held
    return column
