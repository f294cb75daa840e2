"""Writing files completely or not at all, and reading files that may be endless, such as devices."""

from __future__ import annotations

import errno
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any, AnyStr, TypeAlias

from damier._core import DamierError

__all__ = [
    "JsonObject",
    "JsonView",
    "lines_of",
    "naming_file",
    "new_folder",
    "read_text",
    "read_toml",
    "remove_leftovers",
    "rename",
    "replacing",
    "write_atomically",
]

# What JSON and TOML files hold: whoever reads a value checks what it is.
JsonObject: TypeAlias = dict[str, Any]
JsonView: TypeAlias = Mapping[str, Any]  # that is not changed

MOST_READ = 16 << 20  # bytes of a file that is read whole, or of a line

# A key such as a.b.c of more parts than any file needs: `tomllib` takes time by the square of their number.
MOST_PARTS = 100
PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
LONG_KEY = re.compile(rf"(?<![\w.-]){PART}(?:[ \t]*+\.[ \t]*+{PART}){{{MOST_PARTS}}}")

UNFINISHED = re.compile(r"\.(\d+)\.(.+)\.tmp")  # hidden, with the number of the process that writes it


@contextmanager
def naming_file(path: Path, error: type[DamierError] = DamierError) -> Iterator[None]:
    """Name the file that could not be read or written: the system's message about a full disk does not."""
    try:
        yield
    except OSError as failure:
        raise error(f"{path}: {failure.strerror or failure}") from None


@contextmanager
def replacing(path: Path, error: type[DamierError] = DamierError) -> Iterator[Path]:
    """A new file to write, which replaces `path` when the block ends; after an error nothing has changed.

    The content reaches the disk before the name does: a power cut leaves the old file or the new one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder) / "notes.txt") as unfinished:
    ...         _ = unfinished.write_text("done")
    ...     [(file.name, file.read_text()) for file in Path(folder).iterdir()]
    [('notes.txt', 'done')]
    """
    with naming_file(path, error):
        if path.exists() and not path.is_file():  # a pipe or a device is written to, not replaced
            yield path
            return
        path = path.resolve()
        unfinished = path.with_name(f".{os.getpid()}.{path.name}.tmp")
        try:
            yield unfinished
            with unfinished.open("rb+") as file:
                os.fsync(file.fileno())
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path, error: type[DamierError] = DamierError) -> Iterator[Path]:
    """A folder to fill with files, which gets the name `path` when the block ends; after an error it is removed.

    What a killed process left half filled under the same name is removed. A folder that already holds anything is
    refused.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_folder(Path(folder) / "notes") as unfinished:
    ...         write_atomically(unfinished / "one.txt", "done")
    ...     [str(file.relative_to(folder)) for file in Path(folder).rglob("*.txt")]
    ['notes/one.txt']
    """
    with naming_file(path, error):
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise error(f"{path}: is there already, expected the name of a new folder")
        if path.parent.exists() and not path.parent.is_dir():
            raise error(f"{path.parent}: is not a folder")
        path = path.resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(path.parent, path.name)
        unfinished = path.with_name(f".{os.getpid()}.{path.name}.tmp")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
        try:
            yield unfinished
            for file in unfinished.iterdir():
                with file.open("rb+") as content:
                    os.fsync(content.fileno())
            if path.exists():
                path.rmdir()  # refused by the system if something came into it meanwhile
            unfinished.replace(path)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)


def rename(path: Path, to: Path) -> None:
    """Give a file that is whole another name."""
    with naming_file(to):
        path.replace(to)


def write_atomically(path: Path, content: str | bytes | memoryview, error: type[DamierError] = DamierError) -> None:
    """Write a text as UTF-8, or bytes as they are.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder) / "notes.txt", "done")
    ...     (Path(folder) / "notes.txt").read_bytes()
    b'done'
    """
    with replacing(path, error) as unfinished:
        unfinished.write_bytes(content.encode() if isinstance(content, str) else content)


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """The text of a file that is read whole, such as settings; OSError if it is too long for that.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder) / "notes.txt", "done")
    ...     read_text(Path(folder) / "notes.txt")
    'done'
    """
    with path.open("rb") as file:
        content = file.read(MOST_READ + 1)
    if len(content) > MOST_READ:
        raise OSError(errno.EFBIG, f"has more than {MOST_READ >> 20} MiB, expected a text", str(path))
    return content.decode(encoding)


def read_toml(path: Path) -> JsonObject:
    """The content of a TOML file, or an error that names the file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder) / "cup.toml", 'game = "loa"')
    ...     read_toml(Path(folder) / "cup.toml")
    {'game': 'loa'}
    """
    with naming_file(path):
        try:
            text = read_text(path, "utf-8-sig")  # editors may write a mark first
            if LONG_KEY.search(text):
                raise ValueError(f"has a key of more than {MOST_PARTS} parts, expected shorter ones")
            return tomllib.loads(text)
        except ValueError as error:  # what is not UTF-8 or not TOML, and such a key
            raise DamierError(f"{path}: {error}") from None
        except RecursionError:
            raise DamierError(f"{path}: it is nested too deeply") from None


def lines_of(stream: IO[AnyStr], error: Callable[[str], DamierError] = DamierError) -> Iterator[AnyStr]:
    """The lines of a file of any length, refused if one is too long to be a line.

    >>> import io
    >>> list(lines_of(io.StringIO("one\\ntwo")))
    ['one\\n', 'two']
    """
    for line in iter(partial(stream.readline, MOST_READ), stream.read(0)):
        if len(line) == MOST_READ:
            raise error(f"has a line of more than {MOST_READ >> 20} MiB, expected shorter ones")
        yield line


def remove_leftovers(folder: Path, name: str | None = None) -> None:
    """Remove what killed processes left half written, under one name or any, but nothing that a living process is
    writing.
    """
    for file in folder.glob(".*"):
        found = UNFINISHED.fullmatch(file.name)
        if not found or _is_running(int(found[1])) or name not in (None, found[2]):
            continue
        if file.is_dir():
            shutil.rmtree(file, ignore_errors=True)
        else:
            file.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it belongs to somebody else
        return True
    return True
