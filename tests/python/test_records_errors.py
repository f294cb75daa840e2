"""Broken records: one line says what is wrong, the other games are not lost, and nothing else ever comes out."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_records import GOLDEN, PAIRS

import damier
from damier import records
from damier.records import Game, RecordError
from damier.records.draft import MAX_DEPTH
from damier.records.sgf.syntax import MAX_DEPTH as MAX_SGF_DEPTH
from damier.records.writing import CONTROL

BROKEN = [
    # PGN
    ("pgn", "1. Nf9 *", "1: 'Nf9' is not a legal chess move here, expected one of a3, b3, c3, d3, ..."),
    ("pgn", "\n\n1. e4\ne5 2. Ke3 *", "4: 'Ke3' is not a legal chess move here, expected one of Ke2, a3, b3, c3, ..."),
    ("pgn", "1. f3 e5 2. g4 Qh4# 3. a3", "1: 'a3' is not a legal chess move here: the game is over, expected a result"),
    ("pgn", "1. e4 {a comment\nthat goes on", "1: this comment is never closed, expected '}'"),
    ("pgn", "1. e4\n(1. d4 (1. c4)\n*", "2: this variation is never closed, expected ')'"),
    ("pgn", "1. e4) *", "1: ')' closes no variation, expected '(' before it"),
    ("pgn", "(1. e4) *", "1: '(' opens a variation before any move, expected a move to vary first"),
    ("pgn", "1. e4 ((1. d4)) *", "1: '(' opens a variation before any move, expected a move to vary first"),
    ("pgn", "1. e4 } *", "1: '}' is out of place, expected a move, a comment, a variation or a result"),
    ("pgn", "1. e4 $12345 *", "1: '$12345' is not a glyph, expected $0 to $255"),
    ("pgn", '[Event "x"\n\n1. e4 *', '1: \'[Event "x"\' is not a tag, expected [Name "value"]'),
    (
        "pgn",
        '[White "x"]\n[FEN "8/8"]\n\n1. e4 *',
        "2: bad FEN: expected 6 fields, or 4 without counters, got 1 in '8/8'",
    ),
    ("pgn", '[Variant "Atomic"]\n\n1. e4', "1: the variant 'Atomic' is not played here, expected chess or chess960"),
    ("pgn", "\0\1\2\3", "1: '\\x00' is out of place, expected a move, a comment, a variation or a result"),
    # PDN
    ("pdn", "1. 32-28 17-22 2. 28-23", "1: '28-23' is not a legal international move here, expected one of 28x17"),
    ("pdn", '[GameType "27"]\n1. 1-2', "1: the GameType '27' is not played here, expected one of 20 international,"),
    ("pdn", '[GameType "\u0662\u0660"]\n1. 1-2', "1: the GameType '\u0662\u0660' is not played here, expected"),
    ("pdn", '[GameType "x"]\n1. 1-2', "1: the GameType 'x' is not played here, expected one of 20 international,"),
    ("pdn", '[Variant "go"]\n1. 1-2', "1: the variant 'go' is not played here, expected one of english,"),
    ("pdn", '[GameType "20"]\n[FEN "W:W99:B1"]\n*', "2: "),
    (
        "pdn",
        '[GameType "20"]\n[FEN "B:W13,32,33,36,37,43:BK24,1"]\n1... 24x9',
        "3: '24x9' is ambiguous: 24x38x27x9 24x42x31x9",
    ),
    # SGF
    ("sgf", "(;GM[1])", "1: the game is GM[1], expected GM[9], Lines of Action"),
    ("sgf", "(;GM[9]SZ[19])", "1: the board size is '19', expected 5 to 8"),
    (
        "sgf",
        "(;GM[9]\n;B[b1-b4])",
        "2: 'b1-b4' is not a legal loa move here, expected one of b1-h1, g1-a1, b8-h8, g8-a8, ...",
    ),
    ("sgf", "(;GM[9];W[a2-c2])", "1: W[a2-c2] is out of turn, expected a move of Black"),
    ("sgf", "(;GM[9];B[b1-b3]W[a2-c2])", "1: 2 moves in one node, expected one"),
    ("sgf", "(;GM[9];AB[b1])", "1: stones are added after the first node, expected moves only"),
    ("sgf", "(;GM[9]AB[z1]AW[b1])", "1: 'z1' is not a square of this board, expected one such as b1"),
    ("sgf", "(;GM[9]AB[a1])", "1: LOA FEN: White (o) has no piece, expected 1 to 12"),
    ("sgf", "(;GM[9]SU[Parachute])", "1: the setup 'Parachute' has no stones, expected AB[...] and AW[...]"),
    ("sgf", "(;GM[9]SU[Custom]PL[W])", "1: the setup 'Custom' has no stones, expected AB[...] and AW[...]"),
    ("sgf", "(;GM[9]AB[a1][c1:c3]AW[a4][b2:d2])", "1: c2 is in AB and in AW, expected one stone on a square"),
    ("sgf", "(;GM[9]AE[a1:h8])", "1: LOA FEN: White (o) has no piece, expected 1 to 12"),
    ("sgf", "(;GM[9]AE[j9])", "1: 'j9' is not a square of this board, expected one such as b1"),
    ("sgf", "(;GM[9]PL[foo])", "1: PL[foo] is not a player, expected B or W"),
    ("sgf", "(;GM[9]PL[])", "1: PL[] is not a player, expected B or W"),
    ("sgf", "(;GM[9]PL[W][B])", "1: PL[W B] is not a player, expected B or W"),
    ("sgf", "\n(;GM[9]\nC[open\n", "3: this value is never closed, expected ']'"),
    ("sgf", "\n(;GM[9]\n;B[b1-b3]", "2: this game is never closed, expected ')'"),
    ("sgf", "(;GM[9];B)", "1: the property B has no value, expected B[...]"),
    ("sgf", "(;[9])", "1: the value '9' has no property, expected one such as C[...]"),
    ("sgf", "(\n(;B[b1-b3]))", "2: '(' comes before any node, expected ';'"),
    ("sgf", "(;GM[9];b[b1-b3])", "1: 'b' is out of place, expected a node such as ;B[b1-b3]"),
    ("sgf", "(;GM[9]%)", "1: '%' is out of place, expected a property such as B[b1-b3]"),
    ("sgf", "(;GM[9];B[b1-b3]NAG[x])", "1: NAG[x] is not a glyph, expected a number"),
    ("sgf", "\nno game", "2: no game in this file, expected '(;'"),
]


@pytest.mark.parametrize(("format", "text", "expected"), BROKEN)
def test_one_line_says_it(tmp_path: Path, format: str, text: str, expected: str) -> None:
    path = tmp_path / f"broken.{format}"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        list(records.read(path))
    message = str(caught.value)
    assert message.startswith(f"broken.{format}:{expected}")
    assert "\n" not in message
    assert isinstance(caught.value, damier.DamierError)


def nested(format: str, depth: int) -> str:
    if format == "sgf":
        return "(;GM[9]" + "(;B[b1-b3]" + "(" * (depth - 2) + ")" * depth
    inner, outer = ("1. e4", "1. d4") if format == "pgn" else ("1. 32-28", "1. 33-28")
    return outer + f" ({inner}" * depth + ")" * depth + " *"


@pytest.mark.parametrize(("format", "limit"), [("pgn", MAX_DEPTH), ("pdn", MAX_DEPTH), ("sgf", MAX_SGF_DEPTH)])
def test_nesting_has_a_limit(format: str, limit: int) -> None:
    assert len(list(records.parse(nested(format, limit), format))) == 1
    with pytest.raises(RecordError, match=f"nested too deeply, expected at most {limit} levels"):
        list(records.parse(nested(format, 100_000), format))


def test_tags_hold_no_control_characters() -> None:
    for game in ("chess", "international"):
        assert '[White "?[31mred?"]' in records.text(Game(game, headers={"White": "\x1b[31mred\x07"}))
    assert "\x1b" not in records.text(Game("loa", headers={"White": "\x1b[31mred\x07"}))


def test_writing_has_the_same_limit() -> None:
    game = Game("chess")
    board = game.board()
    node = game.root
    for move in ["Nf3", "Nf6", "Ng1", "Ng8"] * (MAX_DEPTH // 4 + 1):
        node.add(next(iter(board.legal_moves)))  # type: ignore[arg-type]
        node = node.add(board.parse(move))
        board.play(move)
    with pytest.raises(RecordError, match="nested too deeply"):
        records.text(game)


GOOD = {
    "pgn": '[Event "{}"]\n[White "Anne"]\n\n1. e4 e5 *\n\n',
    "pdn": '[Event "{}"]\n[GameType "20"]\n\n1. 32-28 *\n\n',
    "sgf": "(;GM[9]EV[{}];B[b1-b3])\n",
}


@pytest.mark.parametrize(("format", "text", "expected"), BROKEN)
def test_other_games_survive(format: str, text: str, expected: str) -> None:
    good = GOOD[format]
    broken = text if text.lstrip().startswith(("[", "(;")) or format == "sgf" else f'[Event "broken"]\n\n{text}'
    errors: list[RecordError] = []
    found = list(
        records.parse(good.format("one") + broken + "\n\n" + good.format("two"), format, on_error=errors.append)
    )
    assert [found[0].headers["Event"], found[-1].headers["Event"]] == ["one", "two"]
    assert len(found) == 2
    assert len(errors) == (0 if "no game" in expected else 1)


WITHOUT_TAGS = [
    ("1. 9-14 22-18 2. 5-6 1-0\n1. 10-15 *\n1. 11-15 0-1", 1, ["10-15", "11-15"]),
    ("1. 9-14 5-6 1-0 1. 10-15 * 1. 11-16 0-1", 1, ["10-15", "11-16"]),
    ("1. 10-15 *\n1. 9-14 5-6\n22-18 {won\n1-0\n} ; * yes\n% 1-0\n5-9 1-0\n1. 11-15 *", 1, ["10-15", "11-15"]),
    ("1. 9-14 } 22-18 1-0\n1. 10-15 *", 1, ["10-15"]),
    ("1. 9-14 [x] 22-18 1-0\n1. 10-15 *", 1, ["10-15"]),
    ("1. 9-14 (1. 5-6 22-18 1-0) 22-18 *\n1. 10-15 *", 2, ["10-15"]),  # ends too early, is refused again
    ("1. 9-14 (1. 10-14 *\n1. 9-14 22-18 *\n1. 10-15 *", 1, ["10-15"]),  # the error shows in the second game
    ("1. 9-14 5-6 {\n22-18 1-0\n1. 10-15 *", 1, []),  # a comment that is never closed
    ("1. 9-14 5-6\n\n1. 10-15 *\n1. 11-15 *", 1, ["11-15"]),  # no result before the second game
]


@pytest.mark.parametrize(("text", "failures", "firsts"), WITHOUT_TAGS)
def test_other_games_survive_without_tags(text: str, failures: int, firsts: list[str]) -> None:
    errors: list[RecordError] = []
    games = list(records.parse(text, "pdn", on_error=errors.append))
    assert [str(game.root.variations[0].move) for game in games] == firsts
    assert len(errors) == failures


@pytest.mark.parametrize("broken", ["} * ", "[ * ", "5-6 * ", "(1. 5-6 * "])
def test_many_broken_games_in_one_line(broken: str) -> None:
    errors: list[RecordError] = []
    text = "1. 9-14 *\n" + broken * 5_000 + "1. 10-15 *"
    assert len(list(records.parse(text, "pdn", on_error=errors.append))) == 2
    assert len(errors) == 5_000


def test_tags_show_best_where_a_game_begins() -> None:
    text = '[White "a"]\n1. 9-14 5-6 1-0\n1. 10-15 *\n[White "b"]\n1. 11-15 *\n'
    assert [game.headers["White"] for game in records.parse(text, "pdn", on_error="skip")] == ["b"]
    text = '1. 9-14 5-6 {\n\n[White "b"]\n1. 11-15 *\n'
    assert [game.headers["White"] for game in records.parse(text, "pdn", on_error="skip")] == ["b"]
    text = "1. e4 Nf9 1-0\n1. d4 *\n"
    assert [str(game.end().move) for game in records.parse(text, "pgn", on_error="skip")] == ["d2d4"]


def test_variations_of_a_broken_game_are_no_games() -> None:
    text = "(;GM[9]\n;B[b1-b3]%\n(;W[a2-c2])\n(;W[a4-c4])\n  (;B[b1-b3]))\n(;EV[next]GM[9])"
    errors: list[RecordError] = []
    assert [game.headers for game in records.parse(text, "sgf", on_error=errors.append)] == [{"Event": "next"}]
    assert [error.line for error in errors] == [2]


def test_skip_reports_nothing() -> None:
    text = '[White "a"]\n1. e4 Nf9 *\n[White "b"]\n1. d4 *\n'
    assert [game.headers["White"] for game in records.parse(text, "pgn", on_error="skip")] == ["b"]


def test_games_before_the_error_are_given() -> None:
    games = records.parse("1. e4 *\n1. Nf9 *", "pgn")
    assert next(games).result == "*"
    with pytest.raises(RecordError, match="<text>:2: 'Nf9'"):
        next(games)


def test_damaged_archive(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn.gz"
    data = gzip.compress(b"1. e4 e5 *\n" * 10_000)
    for damaged in (data[: len(data) // 2], b"no archive", data[:20] + b"\0" * 20 + data[40:]):
        path.write_bytes(damaged)
        with pytest.raises(RecordError, match=r"games.pgn.gz:.*damaged"):
            list(records.read(path))


def test_stream_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes("1. e4 {déjà} *".encode("latin-1"))
    with path.open(encoding="utf-8") as stream, pytest.raises(RecordError, match=r"games.pgn:1: the stream is not in"):
        list(records.read(stream))


def test_wrong_arguments() -> None:
    with pytest.raises(RecordError, match=r"games.txt: cannot tell the format from the name, expected .pgn"):
        records.read("games.txt")
    with pytest.raises(RecordError, match="'fen' is not a format, expected one of pgn, pdn, sgf"):
        records.parse("", "fen")
    with pytest.raises(RecordError, match="on_error is 'stop'"):
        records.parse("", "pgn", on_error="stop")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("format", "variant", "known"),
    [
        ("pgn", "loa", "PGN records: chess, chess960"),
        ("pgn", "ludo", "PGN records: chess, chess960"),
        ("pdn", "chess", "PDN records: english, international, "),
        ("pdn", "ludo", "PDN records: english, international, "),
        ("pdn", "", "PDN records: english, international, "),
        ("sgf", "chess", "SGF records: loa, loa5, loa6, loa7, loa:olympiad, "),
        ("sgf", "loa9", "SGF records: loa, loa5, loa6, loa7, loa:olympiad, "),
    ],
)
def test_variant_of_another_format(tmp_path: Path, format: str, variant: str, known: str) -> None:
    message = f"^variant is '{variant}', expected a game that {known}"
    with pytest.raises(RecordError, match=message):
        records.parse("", format, variant=variant)
    with pytest.raises(RecordError, match=message):
        records.read([], format, variant=variant)
    with pytest.raises(RecordError, match=message):
        records.read(tmp_path / f"games.{format}", variant=variant)


@pytest.mark.parametrize("variant", [*damier.GAMES, "loa6:bing"])
def test_variant_where_a_record_does_not_say(variant: str) -> None:
    format = damier.games.info(variant).record_format
    (game,) = records.parse("(;GM[9])" if format == "sgf" else '[White "Anne"]\n*', format, variant=variant)
    assert game.variant == variant


def reads_or_complains(text: str, format: str) -> None:
    """Whatever is read can be written, and is then read as the same, but for control characters in headers; errors are
    one line each.
    """
    errors: list[RecordError] = []
    for game in records.parse(text, format, on_error=errors.append):
        (again,) = records.parse(records.text(game), format)
        assert records.text(again) == records.text(game)
        assert again == game or any(CONTROL.search(value) for value in game.headers.values())
    assert not [error for error in errors if "\n" in str(error) or not str(error).startswith("<text>:")]


FORMATS = st.sampled_from(["pgn", "pdn", "sgf"])
PIECES = st.sampled_from(
    [
        *(
            "e4",
            "e5",
            "Nf3",
            "0-0",
            "O-O-O",
            "--",
            "32-28",
            "17-22",
            "9-14",
            "c3-d4",
            "b1-b3",
            "1.",
            "$",
            "$3",
            "!",
            "(?)",
        ),
        *("*", "1-0", "2-0", "1/2-1/2", "(", ")", "{", "}", "[", "]", ";", ":", "%", '"', '"]', "\\", "\n", "\n\n"),
        *('[GameType "25"]', '[Event "x"]', '[FEN "', '[White "', "\ud800", "\ufeff", "\0", "é"),
        *("(;", "GM[9]", ";B[", ";W[a2-c2]", "C[", "AB[a1]", "SZ[5]", "RU[x]", "HD[x y]", "RE[W+T]", "TE[1]", "NAG[7]"),
    ]
)


@settings(max_examples=150, deadline=None)
@given(text=st.text(), format=FORMATS)
def test_any_text(text: str, format: str) -> None:
    reads_or_complains(text, format)


@settings(max_examples=400, deadline=None)
@given(pieces=st.lists(PIECES, max_size=40), format=FORMATS, blank=st.sampled_from(["", " "]))
def test_any_mixture(pieces: list[str], format: str, blank: str) -> None:
    reads_or_complains(blank.join(pieces), format)


@settings(max_examples=300, deadline=None)
@given(name=st.sampled_from(PAIRS), edits=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), PIECES), max_size=4))
def test_any_mutation(name: str, edits: list[tuple[float, int, str]]) -> None:
    text = (GOLDEN / name).read_text(encoding="utf-8")
    for place, length, piece in edits:
        at = int(place * len(text))
        text = text[:at] + piece + text[at + length :]
    reads_or_complains(text, Path(name).suffix[1:])


@settings(max_examples=100, deadline=None)
@given(data=st.binary(), format=FORMATS)
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes, format: str) -> None:
    path = tmp_path_factory.getbasetemp() / f"junk.{format}"
    path.write_bytes(data)
    errors: list[RecordError] = []
    list(records.read(path, on_error=errors.append))
    assert all(str(error).startswith(f"junk.{format}:") for error in errors)


def test_a_file_may_be_rewritten_from_itself(tmp_path: Path) -> None:
    path = tmp_path / "same.pgn"
    path.write_bytes((GOLDEN / "everything.pgn").read_bytes())
    before = list(records.read(path))
    assert records.write(records.read(path), path) == len(before)
    assert list(records.read(path)) == before


def test_writing_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "old.pgn"
    path.write_text("precious")

    def games() -> Iterator[Game]:
        yield Game("chess")
        raise KeyError("no more")

    with pytest.raises(KeyError):
        records.write(games(), path)
    assert path.read_text() == "precious"
    assert [file.name for file in tmp_path.iterdir()] == ["old.pgn"]


def test_files_that_cannot_be_opened_are_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"nofile\.pgn: No such file"):
        list(records.read(tmp_path / "nofile.pgn"))
    with pytest.raises(RecordError, match=r"x\.pgn: No such file"):
        records.write(Game("chess"), tmp_path / "nowhere" / "x.pgn")


def test_glyphs_that_would_not_be_read_are_not_written() -> None:
    game = Game("chess")
    game.add("e4")
    game.end().nags = (999,)
    with pytest.raises(RecordError, match=r"glyph \$999 of e2e4: expected \$0 to \$255"):
        records.text(game)
