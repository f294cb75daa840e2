"""Pairs of games as they end, a line of JSON each: nothing written is lost, and the pair of a line cut off by a
crash is played again.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any, Generic, TypeVar

import numpy as np

from damier import games
from damier._core import DamierError
from damier.drawing.readable import readable
from damier.files import JsonObject, JsonView, lines_of, naming_file, replacing, write_atomically
from damier.records import GameRecord
from damier.records.record import columns_of

__all__ = ["Check", "Key", "Pair", "PairsFile", "drop_what_was_cut_off"]

log = logging.getLogger(__name__)

Key = TypeVar("Key", bound=Hashable)
Pair = tuple[GameRecord, GameRecord]  # the first player has White in the first of them
Check = Callable[[Key, GameRecord], str | None]  # what is wrong with a game of a pair, None if nothing is

SYNC_SECONDS = 1.0  # between two times the disk itself is waited for, which takes as long as several quick games


class PairsFile(Generic[Key]):
    """The file pairs.jsonl of a folder; `read_key` makes of JSON what a pair is known by.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = PairsFile(Path(folder), "loa", int)
    ...     file.append(7, (GameRecord("loa", result="1-0"), GameRecord("loa", result="0-1")))
    ...     [(key, one.result, other.result) for key, (one, other) in file.read()]
    [(7, '1-0', '0-1')]
    """

    def __init__(self, folder: Path, variant: str, read_key: Callable[[object], Key]) -> None:
        self.path, self.rejected = folder / "pairs.jsonl", folder / "rejected.jsonl"
        self._variant, self._read_key = variant, read_key
        self._next_sync = 0.0

    def mend(self, check: Check[Key] | None = None) -> None:
        """Drop a line that was cut off, and set aside pairs that a check finds wrong; needs the lock of the folder."""
        drop_what_was_cut_off(self.path)
        wrong = set(self._wrong(check)) if check else set()
        if wrong:
            self._set_aside(wrong)

    def _wrong(self, check: Check[Key]) -> Iterator[int]:
        """Where lines begin that a check finds wrong, each of which is reported."""
        sound: set[Key] = set()
        for key, pair, place, number in self._lines():
            wrong = _first_wrong(key, pair, check) or (f"pair {key} is there already" if key in sound else None)
            if wrong is None:
                sound.add(key)
            else:
                where = f"{self.path}, line {number}"
                log.warning("%s: %s; this pair is not counted, see %s", where, readable(wrong), self.rejected.name)
                yield place

    def _set_aside(self, wrong: set[int]) -> None:
        """Move lines to the file of rejected ones, written there before they are removed, so that a kill loses none."""
        rejected = dict.fromkeys(self.rejected.read_bytes().splitlines(keepends=True) if self.rejected.exists() else ())
        with replacing(self.path) as unfinished, self.path.open("rb") as file, unfinished.open("wb") as sound:
            place = 0
            for line in file:
                if place not in wrong:
                    sound.write(line)
                else:
                    rejected[line] = None  # once, should we have been killed here before
                place += len(line)
            write_atomically(self.rejected, b"".join(rejected))

    def append(self, key: Key, pair: Pair) -> None:
        """Save a pair: it survives a crash when this returns, and a power cut within a second."""
        held = {"pair": key, "games": [_as_json(game, half) for half, game in enumerate(pair)]}
        line = json.dumps(held, separators=(",", ":")) + "\n"
        with naming_file(self.path), self.path.open("ab") as file:
            file.write(line.encode())
            file.flush()
            if monotonic() >= self._next_sync:
                os.fsync(file.fileno())
                self._next_sync = monotonic() + SYNC_SECONDS

    def read(self) -> Iterator[tuple[Key, Pair]]:
        """The stored pairs, each once."""
        return (each[:2] for each in self._read())

    def sorted(self, order: Callable[[Key], Any]) -> Iterator[tuple[Key, Pair]]:
        """The same in sorted order, with only the keys in memory."""
        places = sorted(((order(key), place) for key, _, place in self._read()), key=lambda each: each[0])
        if not places:
            return
        with self.path.open("rb") as file:
            for _, place in places:
                file.seek(place)
                yield self._pair(file.readline(), "")

    def _read(self) -> Iterator[tuple[Key, Pair, int]]:
        seen: set[Key] = set()
        for key, pair, place, _ in self._lines():
            if key not in seen:
                seen.add(key)
                yield key, pair, place

    def _lines(self) -> Iterator[tuple[Key, Pair, int, int]]:
        """Every pair with where its line begins, and its number."""
        if not self.path.exists():
            return
        place = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(lines_of(file, lambda words: DamierError(f"{self.path}: {words}")), 1):
                if not line.endswith(b"\n"):  # cut off, by a full disk for one
                    return
                yield *self._pair(line, f"{self.path}, line {number}"), place, number
                place += len(line)

    def _pair(self, line: bytes, where: str) -> tuple[Key, Pair]:
        try:
            held = _parsed(line)
            first, second = (_from_json(self._variant, game, half) for half, game in enumerate(held["games"]))
            return self._read_key(held["pair"]), (first, second)
        except KeyError as error:
            words = f"{error.args[0]} is missing"
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            words = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DamierError(f"{where}: not a pair of games ({readable(words)[:200]})")


def _parsed(line: bytes) -> JsonView:
    """A line as an object with two games; ValueError says in plain words what else it is."""
    try:
        held = json.loads(line.decode())
    except UnicodeDecodeError:
        raise ValueError("it is not text in UTF-8") from None
    except json.JSONDecodeError:
        raise ValueError("it is not JSON") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:
        raise ValueError("it has a number with too many digits") from None
    if not isinstance(held, dict):
        raise ValueError("expected an object with pair and games")
    some = held["games"]
    if not isinstance(some, list) or len(some) != 2 or not all(isinstance(game, dict) for game in some):
        raise ValueError("its games are not a list of two")
    return held


def _first_wrong(key: Key, pair: Pair, check: Check[Key]) -> str | None:
    for half, game in enumerate(pair, 1):
        if wrong := check(key, game):
            return f"game {half}: {wrong}"
    first, second = (game.seed for game in pair)
    if first is not None and second is not None and first != second + 1:
        return f"game 2: seed {second}, expected {first - 1}, one less than the first"
    return None


def drop_what_was_cut_off(path: Path) -> None:
    """End a file of lines, if there is one, where its last whole line ends."""
    if not path.exists():
        return
    with naming_file(path), path.open("rb+") as file:
        end = file.seek(0, os.SEEK_END)
        whole, step = end, 1 << 16
        while whole > 0:
            begin = max(0, whole - step)
            file.seek(begin)
            found = file.read(whole - begin).rfind(b"\n")
            if found >= 0:
                whole = begin + found + 1
                break
            whole = begin
        if whole < end:
            file.truncate(whole)


def _as_json(game: GameRecord, half: int) -> JsonObject:
    return {
        "first_is_white": half == 0,
        "fen": game.fen,
        "opening": game.opening,
        "opening_plies": game.opening_plies,
        "codes": game.moves,
        "turns": game.turns(),
        "result": game.result,
        "ending": game.reason,
        "note": game.note,
        "seed": game.seed,
        "moves": game.notation,
    }


def _from_json(variant: str, held: JsonView, half: int) -> GameRecord:
    """A stored game; anything of another form raises ValueError, KeyError or TypeError."""
    codes, turns, plies = held["codes"], held["turns"], held["opening_plies"]
    for name in ("opening", "result", "ending", "note"):
        if not isinstance(held[name], str):
            raise TypeError(f"{name} is {held[name]!r}, expected a text")
    for name in ("fen", "moves"):
        if not isinstance(held.get(name, ""), str | None):
            raise TypeError(f"{name} is {held[name]!r}, expected a text")
    if held["first_is_white"] is not (half == 0):
        raise ValueError(f"first_is_white is {held['first_is_white']!r} in game {half + 1}")
    if not isinstance(codes, list) or not all(isinstance(code, int) and 0 <= code < 2**16 for code in codes):
        raise TypeError("codes are not a list of 16-bit numbers")
    if type(plies) is not int or plies < 0:
        raise TypeError(f"opening_plies is {plies!r}, expected a whole number")
    seed = held.get("seed")
    if seed is not None and (type(seed) is not int or not 0 <= seed < 2**64):
        raise TypeError(f"seed is {seed!r}, expected a whole number of 64 bits")
    columns = columns_of(turns)
    if "seed" not in held:  # an older file, which counts the codes of the opening; a capture may have two
        plies = _plies(variant, held["fen"], codes[:plies])
    return GameRecord(
        variant,
        held["fen"],
        tuple(codes),
        plies + len(turns),
        held["result"],
        held["ending"],
        note=held["note"],
        opening=held["opening"],
        opening_plies=plies,
        half=half + 1,
        seed=seed,
        notation=held.get("moves") or "",
        **columns,
    )


def _plies(variant: str, fen: str | None, codes: list[int]) -> int:
    board = games.board(variant, fen)
    board.replay(np.array(codes, dtype=np.uint16))
    return board.ply
