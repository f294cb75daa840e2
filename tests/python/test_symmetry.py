"""Turning or mirroring a board, and exchanging the sides where the rules allow it, changes no perft count."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from common import EVERY_GAME, walk

import damier
from damier.games import Board

Rows = list[list[str]]


def rows_of(placement: str) -> Rows:
    return [list(re.sub(r"\d", lambda n: "." * int(n[0]), row)) for row in placement.split("/")]


def placement_of(rows: Rows) -> str:
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), "".join(row)) for row in rows)


def transposed(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def loa_images(fen: str) -> list[str]:
    """The board turned and mirrored in all eight ways, and with the sides exchanged."""
    placement, side = fen.split()
    images: list[str] = []
    rows = rows_of(placement)
    for _ in range(2):
        rows = transposed(rows)
        for flipped in (rows, rows[::-1], [row[::-1] for row in rows], [row[::-1] for row in rows[::-1]]):
            images.append(f"{placement_of(flipped)} {side}")
    swap = str.maketrans("xo", "ox")
    return images + [image.translate(swap) for image in images]


def chess_images(fen: str) -> list[str]:
    placement, turn, castling, passant, *counters = fen.split()
    flipped = "/".join(row.swapcase() for row in reversed(placement.split("/")))
    passant = passant.translate(str.maketrans("36", "63"))
    return [" ".join([flipped, "wb"["bw".index(turn)], castling.swapcase(), passant, *counters])]


def draughts_images(fen: str, squares: int) -> list[str]:
    """The board turned by 180 degrees with the sides exchanged."""
    turn, *fields = fen.split(":")
    algebraic = str.maketrans("abcdefgh12345678", "hgfedcba87654321")

    def turned(square: str) -> str:
        king, name = ("K", square[1:]) if square.startswith("K") else ("", square)
        return king + (str(squares + 1 - int(name)) if name.isdigit() else name.translate(algebraic))

    other = {"W": "B", "B": "W"}
    images = []
    for field in fields:
        if field[:1] in other:
            images.append(other[field[0]] + ",".join(turned(square) for square in field[1:].split(",") if square))
    return [":".join([other[turn], *images])]


def images_of(board: Board) -> list[str]:
    family = damier.games.info(board.variant).family
    makers: dict[str, Callable[[], list[str]]] = {
        "loa": lambda: loa_images(board.fen()),
        "chess": lambda: chess_images(board.fen()),
        "draughts": lambda: draughts_images(board.fen(), len(board.squares)),
    }
    return makers[family]()


@pytest.mark.parametrize("variant", EVERY_GAME)
def test_images_have_the_same_perft(variant: str) -> None:
    for board in walk(damier.board(variant), 21):
        if board.ply % 9 or (board.variant == "frisian" and "+" in board.fen()):
            continue  # a Frisian king's run has no place in the image
        counts = [board.perft(depth) for depth in (1, 2)]
        for fen in images_of(board):
            image = damier.board(variant, fen)
            assert [image.perft(depth) for depth in (1, 2)] == counts, fen


def symmetries_of(board: Board) -> int:
    """How many images the rules allow, the position itself included."""
    family = damier.games.info(board.variant).family
    if family == "chess":
        return 2 if board.fen().split()[2] == "-" else 1
    return 8 if family == "loa" else 2 if board.variant == "turkish" else 1


@pytest.mark.parametrize("variant", EVERY_GAME)
def test_the_images_of_a_board_are_as_good_for_the_side_to_move(variant: str) -> None:
    for board in walk(damier.board(variant), 22):
        if board.ply % 9:
            continue
        images = board.images()
        assert len(images) == symmetries_of(board)
        assert images[0] == board
        counts = [board.perft(depth) for depth in (1, 2)]
        for image in images:
            assert type(image) is type(board)
            assert image.turn == board.turn
            assert image.key == image.fresh_key()
            assert damier.board(variant, image.fen()) == image
            assert [image.perft(depth) for depth in (1, 2)] == counts
            assert board in image.images()


def test_en_passant_is_mirrored() -> None:
    board = damier.chess.Board("4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1")
    assert board.images()[1].fen() == "3k4/8/8/8/6pP/8/8/3K4 b - h3 0 1"
