"""Curves for TensorBoard: event files (TFRecord) written here, so that nothing has to be installed and a full disk does
not stop a training.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import BinaryIO

__all__ = ["EventFile"]

POLYNOMIAL = 0x82F63B78  # of CRC-32C, reflected
MASK = 0xA282EAD8


class EventFile:
    """A new event file in a folder; a run resumed at `step` adds another, which voids later steps of earlier ones.

    What cannot be written is left out: curves must not stop a training.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     events = EventFile(Path(folder), 0)
    ...     events.add({"loss": 0.5}, 1)
    ...     events.close()
    ...     b"loss" in next(Path(folder).iterdir()).read_bytes()
    True
    """

    def __init__(self, folder: Path, step: int) -> None:
        self._file: BinaryIO | None = None
        try:
            folder.mkdir(exist_ok=True)
            # Sorted by time, as TensorBoard reads them; unbuffered, so that nothing is left to be written at the end.
            path = folder / f"events.out.tfevents.{time.time_ns()}"
            self._file = path.open("xb", buffering=0)
        except OSError:
            return
        self._write(_text(3, "brain.Event:2"), 0)
        if step:
            self._write(_message(7, _number(1, 1)), step + 1)  # a session that starts

    def add(self, measured: Mapping[str, float], step: int) -> None:
        """Add the metrics of a step."""
        values = (_text(1, name) + b"\x15" + struct.pack("<f", value) for name, value in measured.items())
        self._write(_message(5, b"".join(_message(1, value) for value in values)), step)

    def close(self) -> None:
        if self._file:
            self._file.close()
            self._file = None

    def _write(self, content: bytes, step: int) -> None:
        event = b"\x09" + struct.pack("<d", time.time()) + _number(2, step) + content
        length = struct.pack("<Q", len(event))
        record = length + struct.pack("<I", _masked(length)) + event + struct.pack("<I", _masked(event))
        try:
            if self._file:
                self._file.write(record)
        except OSError:
            self.close()


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _number(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _message(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _text(field: int, text: str) -> bytes:
    return _message(field, text.encode())


@cache
def _table() -> list[int]:
    table = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ (POLYNOMIAL if value & 1 else 0)
        table.append(value)
    return table


def _masked(content: bytes) -> int:
    """The checksum of TFRecord: CRC-32C, rotated and shifted.

    >>> hex(_masked(b"123456789"))
    '0xc78ab0e5'
    """
    table, value = _table(), 0xFFFFFFFF
    for byte in content:
        value = value >> 8 ^ table[(value ^ byte) & 255]
    value ^= 0xFFFFFFFF
    return ((value >> 15 | value << 17) + MASK) & 0xFFFFFFFF
