"""Boards drawn: every game gives sound SVG, and its text is what it was."""

from __future__ import annotations

import runpy
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import damier
from damier import chess, draughts, loa
from damier.drawing import THEMES
from damier.drawing.chart import chart

SVG = "{http://www.w3.org/2000/svg}"
NAMES = [*damier.GAMES, "loa6:olympiad"]


def parsed(board: damier.games.Board, **how: object) -> ET.Element:
    return ET.fromstring(board.svg(**how))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("flip", [False, True])
def test_svg_shows_each_piece_on_its_square(name: str, flip: bool) -> None:
    board = damier.board(name)
    picture = parsed(board, flip=flip)
    uses = [use for use in picture.iter(f"{SVG}use") if use.get("class") == "piece"]
    drawn = {group.get("id") for group in picture.iter(f"{SVG}g")}
    assert len(uses) == len(board.pieces()) == len({(use.get("x"), use.get("y")) for use in uses})
    assert {str(use.get("href"))[1:] for use in uses} <= drawn


@pytest.mark.parametrize("name", NAMES)
def test_svg_speaks_to_screen_readers(name: str) -> None:
    board = damier.board(name)
    picture = parsed(board)
    assert picture.get("role") == "img"
    assert picture[0].tag == f"{SVG}title"
    assert "to move" in str(picture[0].text)
    assert all(f" {square}" in str(picture[1].text) for square in board.pieces())


@pytest.mark.parametrize("theme", THEMES)
def test_last_move_and_arrows_are_drawn(theme: str) -> None:
    board = loa.Board()
    assert 'class="last"' not in board.svg(theme=theme)
    board.play("b1-b3")
    picture = board.svg(theme=theme, arrows=[("a2", "c4"), ("h2", "h2")])
    assert picture.count('class="last"') == 2
    assert picture.count('class="arrow"') == 2
    assert 'class="last"' not in board.svg(lastmove=False)
    ET.fromstring(picture)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG 2, 1 to 21."""

    def luminance(colour: str) -> float:
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_coordinates_can_be_read(name: str) -> None:
    theme = THEMES[name]
    assert contrast(theme.number, theme.dark) >= 4.5
    assert contrast(theme.label, theme.frame) >= 4.5


def test_the_trail_of_a_capture_goes_over_every_landing_square() -> None:
    board = draughts.Board("W:W34:B9,19,29", variant="international")
    board.play("34x3")
    assert board.svg().count('class="last"') == 4


def test_castling_marks_where_the_king_went() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    board.play("O-O")
    square = 'class="last" x="{}"'
    assert square.format(44 + 400) in board.svg()
    assert square.format(44 + 600) in board.svg()


def test_size_is_the_width_in_pixels() -> None:
    picture = parsed(chess.Board(), size=90)
    assert (picture.get("width"), picture.get("height")) == ("90", "90")
    assert chess.Board()._repr_svg_() == chess.Board().svg()


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"theme": "mud"}, "'mud' is not a theme, expected one of wood"),
        ({"size": 0}, "size is 0"),
        ({"arrows": [("a1", "z9")]}, "'z9' is not a square"),
    ],
)
def test_what_cannot_be_drawn_is_refused(how: dict[str, object], words: str) -> None:
    with pytest.raises(damier.DamierError, match=words):
        chess.Board().svg(**how)  # type: ignore[arg-type]


def test_the_picture_of_the_readme_is_fresh() -> None:
    images = Path(__file__).parents[2] / "docs" / "images"
    maker = runpy.run_path(str(images / "make_boards.py"))
    picture = (images / "boards.svg").read_text(encoding="utf-8")
    assert picture == maker["side_by_side"](maker["boards"]()), "run python docs/images/make_boards.py"
    ET.fromstring(picture)


CHESS_TEXT = """\
8  r  n  b  q  k  b  n  r
7  p  p  p  p  p  p  p  p
6  .  .  .  .  .  .  .  .
5  .  .  .  .  .  .  .  .
4  .  .  .  .  .  .  .  .
3  .  .  .  .  .  .  .  .
2  P  P  P  P  P  P  P  P
1  R  N  B  Q  K  B  N  R
   a  b  c  d  e  f  g  h"""

ENGLISH_TEXT = """\
 1     b     b     b     b  4
 5  b     b     b     b     8
 9     b     b     b     b  12
13  .     .     .     .     16
17     .     .     .     .  20
21  w     w     w     w     24
25     w     w     w     w  28
29  w     w     w     w     32"""

LOA5_FLIPPED = """\
1  ·  ●  ●  ●  ·
2  ○  ·  ·  ·  ○
3  ○  ·  ·  ·  ○
4  ○  ·  ·  ·  ○
5  ·  ●  ●  ●  ·
   e  d  c  b  a"""


def test_names_of_lines_stand_where_the_lines_end() -> None:
    """Those that end elsewhere are not moved out of each other's way."""
    values = {"short": [1.0, 2.0], "long": [2.0, 2.0, 2.0, 2.0, 2.0, 2.0], "same": [1.0, 1.0, 1.0, 1.0, 1.0, 2.0]}
    root = ET.fromstring(chart(values, title="", x="", y="", log=False))
    height = {text.text: float(text.attrib["y"]) for text in root.findall(".//{*}text") if text.text in values}
    assert height["long"] == height["same"] + 17
    assert height["long"] - 17 < height["short"] < height["long"]  # above the line of `long`


def test_no_name_lies_on_the_line_of_another() -> None:
    values = {"one": [5.0, 1.0, 1.1, 1.0], "two": [4.0, 1.2] + [1.0] * 9, "three": [5.0, 2.0] + [1.0] * 28}
    root = ET.fromstring(chart(values, title="", x="", y="", log=False))
    lowest = max(float(line.attrib["y1"]) for line in root.findall(".//{*}line"))
    height = {text.text: lowest - float(text.attrib["y"]) + 4 for text in root.findall(".//{*}text")}
    scale = height["1"]  # of the marks beside, the first there is
    assert min(height["one"], height["two"]) >= scale + 8
    assert height["three"] == pytest.approx(scale, abs=0.2)


def test_text_boards() -> None:
    assert str(chess.Board()) == CHESS_TEXT
    assert str(draughts.Board(variant="english")) == ENGLISH_TEXT
    assert damier.board("loa5").unicode(flip=True) == LOA5_FLIPPED


@pytest.mark.parametrize("name", NAMES)
def test_text_is_ascii(name: str) -> None:
    assert str(damier.board(name)).isascii()


@pytest.mark.parametrize("name", NAMES)
def test_repr_can_be_pasted(name: str) -> None:
    board = damier.board(name)
    board.push(next(iter(board.legal_moves)))  # type: ignore[arg-type]
    again = eval(repr(board), {"loa": loa, "chess": chess, "draughts": draughts})
    assert again == board
    assert again.variant == board.variant


def test_repr_shows_the_articles_that_differ() -> None:
    board = loa.Board(variant="loa6", simultaneous="draws", repetition=2)
    again = eval(repr(board), {"loa": loa})
    assert again.rules == board.rules
    assert repr(loa.Board()) == "loa.Board('1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x')"
