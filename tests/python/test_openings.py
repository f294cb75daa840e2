"""Openings: random ones and those of files in every format; errors in a file are one line each."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from common import EVERY_GAME, ROOT, walk

import damier
from damier import DamierError, records
from damier.arena import Book, Opening, openings
from damier.engine import Engine, Limit
from damier.games import Board

GOLDEN = ROOT / "tests" / "golden" / "records"


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def unfinished(game: str, plies: int) -> list[Board]:
    """Boards after some random moves, those left out that are over."""
    boards = [list(walk(damier.board(game), seed, plies=plies))[-1] for seed in range(6)]
    return [board for board in boards if not board.outcome(claim_draw=True)]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_random_openings(game: str) -> None:
    some, again, other = openings("random:5", game, 1), openings("random:5", game, 1), openings("random:5", game, 2)
    assert some.count is None
    for index in range(8):
        opening = some[index]
        board = opening.board(game)
        assert board.ply == 5 + index % 2
        assert board.outcome(claim_draw=True) is None
        assert opening == again[index]
    assert [some[index] for index in range(8)] != [other[index] for index in range(8)]
    assert some[10**6] == again[10**6]


@pytest.mark.parametrize("game", ["loa", "chess", "chess960", "russian"])
def test_balanced_openings(game: str) -> None:
    """The engine expects nearly as much for either side; each opening depends only on its number and the seed."""
    some, again = openings("balanced:8", game, 3), openings("balanced:8", game, 3)
    plain = openings("random:8", game, 3)
    expected = {"random": [0.0] * 12, "balanced": [0.0] * 12}
    for index in range(12):
        for name, opening in (("random", plain[index]), ("balanced", some[index])):
            board = opening.board(game)
            assert board.ply == 8 + index % 2
            with Engine(game, hash=1) as judge:
                expected[name][index] = judge.play(board, Limit(nodes=2000)).score.expectation()
        assert some[index] == again[index]
    assert all(0.4 <= each <= 0.6 for each in expected["balanced"])
    assert not all(0.4 <= each <= 0.6 for each in expected["random"])
    assert len({some[index].codes for index in range(12)}) == 12


def test_chess960_begins_anywhere() -> None:
    some = openings("random:0", "chess960")
    assert len({some[index].fen for index in range(20)}) > 15
    board = some[3].board("chess960")
    assert (board.variant, board.ply, board.start_fen()) == ("chess960", 1, some[3].fen)


def test_long_random_openings_are_looked_for() -> None:
    """Most random games of this length have ended: an opening is found all the same."""
    some = openings("random:60", "loa5")
    assert [len(some[index].codes) for index in range(70)] == [60, 61] * 35


@pytest.mark.parametrize(
    ("game", "suffix"),
    [("chess", "pgn"), ("chess960", "pgn"), ("loa", "sgf"), ("loa6", "sgf"), ("russian", "pdn"), ("rennes", "pdn")],
)
@pytest.mark.parametrize("compressed", ["", ".gz"])
def test_games_of_a_file(tmp_path: Path, game: str, suffix: str, compressed: str) -> None:
    boards = unfinished(game, plies=10)
    path = tmp_path / f"book.{suffix}{compressed}"
    records.write([records.Game.from_board(board) for board in boards], path)

    book = openings(str(path), game, shuffled=False)
    assert book.count == len(boards)
    for index, board in enumerate(boards):
        assert book[index].board(game).fen() == board.fen()
        assert book[index].board(game).moves == board.moves
    assert book[len(boards) + 1] == book[1]

    short = openings(f"{path}:4", game, shuffled=False)
    assert [short[index].codes for index in range(len(boards))] == [
        book[index].codes[:4] for index in range(len(boards))
    ]


@pytest.mark.parametrize("game", ["chess", "chess960", "loa", "loa5:olympiad", "international", "italian"])
@pytest.mark.parametrize("suffix", ["epd", "fen", "txt", "fen.gz"])
def test_lines_of_a_file(tmp_path: Path, game: str, suffix: str) -> None:
    boards = unfinished(game, plies=8)
    text = "# positions\n\n" + "".join(f"{board.fen()}\n" for board in boards)
    path = tmp_path / f"book.{suffix}"
    path.write_bytes(gzip.compress(text.encode()) if suffix.endswith("gz") else text.encode())
    book = openings(str(path), game, shuffled=False)
    assert [book[index].board(game).fen() for index in range(book.count or 0)] == [board.fen() for board in boards]
    assert book[0] == Opening(boards[0].fen(), (), f"book.{suffix}, line 3")


def test_real_files() -> None:
    suite = openings(str(ROOT / "tests" / "suites" / "mates.epd"), "chess", shuffled=False)
    assert suite.count == 42
    assert suite[0].name.startswith("Morphy")
    draughts = openings(f"{GOLDEN / 'international.pdn'}:6", "international")
    assert (draughts.count, len(draughts[0].codes)) == (1, 6)
    assert isinstance(draughts, Book)
    assert draughts.skipped == 1


def test_names_come_from_the_file(tmp_path: Path) -> None:
    text = '[Opening "Italian"]\n1. e4 e5 2. Nf3 Nc6 3. Bc4 *\n\n[ECO "C60"]\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n1. d4 *\n'
    book = openings(written(tmp_path / "x.pgn", text), "chess", shuffled=False)
    assert [book[index].name for index in range(3)] == ["Italian", "C60", "x.pgn, game 3"]


def test_the_seed_decides_the_order(tmp_path: Path) -> None:
    text = "".join(f"1. {move} *\n\n" for move in (f"{file}{rank}" for rank in "34" for file in "abcdef"))
    path = written(tmp_path / "x.pgn", text)
    orders = [[openings(path, "chess", seed)[index].codes for index in range(12)] for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])
    assert len(set(orders[0])) == 12


def test_other_rules_of_the_same_board_will_do(tmp_path: Path) -> None:
    path = written(
        tmp_path / "x.sgf", "(;GM[9]SZ[8]RU[simultaneous draws; no move passes; repetition 3];B[b1-b3];W[a2-c2])"
    )
    assert next(records.read(path)).variant == "loa:olympiad"
    assert len(openings(path, "loa")[0].codes) == 2
    with pytest.raises(DamierError, match=r"x\.sgf: game 1 is of loa:olympiad, expected loa6"):
        openings(path, "loa6")


def test_games_that_are_over_are_skipped(tmp_path: Path) -> None:
    mate = "1. f3 e5 2. g4 Qh4# 0-1\n\n"
    path = written(tmp_path / "x.pgn", mate + "1. e4 *\n\n" + mate)
    book = openings(path, "chess")
    assert isinstance(book, Book)
    assert (book.count, book.skipped) == (1, 2)
    assert openings(f"{path}:3", "chess").count == 3
    stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n"
    with pytest.raises(
        DamierError, match=r"^y\.fen: only games that are over, expected at least one opening of chess$"
    ):
        openings(written(tmp_path / "y.fen", stalemate), "chess")


def test_a_file_may_be_named_like_a_number_of_plies(tmp_path: Path) -> None:
    (tmp_path / "x.pgn").write_text("1. e4 e5 *")
    with pytest.raises(DamierError, match="from 0 to 200"):
        openings(f"{tmp_path}/x.pgn:999", "chess")
    assert openings(f"{tmp_path}/x.pgn:1", "chess")[0].board("chess").ply == 1


@pytest.mark.parametrize(
    ("name", "text", "game", "words"),
    [
        ("x.pgn", "1. e4 *\n\n1. e4 Nf9 *", "chess", "x.pgn:3: 'Nf9' is not a legal chess move here"),
        ("x.pgn", "", "chess", "x.pgn: nothing, expected at least one opening of chess"),
        ("x.pgn", '[Variant "chess960"]\n1. e4 *', "chess", "x.pgn: game 1 is of chess960, expected chess"),
        ("x.pgn", "1. e4 *", "loa", "variant is 'loa', expected a game that PGN records"),
        (
            "x.pdn",
            "1. 32-28 *\n\n1. 32-27\n1-2 *",
            "international",
            "x.pdn:4: '1-2' is not a legal international move here",
        ),
        (
            "x.pdn",
            '[GameType "25"]\n1. c3-d4 *',
            "international",
            "x.pdn: game 1 is of russian, expected international",
        ),
        ("x.sgf", "(;GM[9]\n;B[b1-b4])", "loa", "x.sgf:2: 'b1-b4' is not a legal loa move here"),
        ("x.epd", "# fine\n4k3/8/8/8/8/8/8/4K2R w K - id 1;\n8/8 w - -", "chess", "x.epd:3: "),
        ("x.fen", "W:W50:B1\n\nW:W99:B1", "international", "x.fen:3: "),
        ("x.txt", "garbage", "loa", "x.txt:1: "),
        ("x.fen.gz", "this is not compressed", "loa", "x.fen.gz"),
        ("x.doc", "", "loa", "expected random:PLIES, balanced:PLIES or a file whose name ends with .pgn"),
    ],
)
def test_bad_files(tmp_path: Path, name: str, text: str, game: str, words: str) -> None:
    with pytest.raises(DamierError) as caught:
        openings(written(tmp_path / name, text), game)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("random", "loa", "expected a number of plies from 0 to 200"),
        ("random:", "loa", "expected a number of plies from 0 to 200"),
        ("random:-1", "loa", "expected a number of plies from 0 to 200"),
        ("random:201", "loa", "expected a number of plies from 0 to 200"),
        ("random:200", "loa5", "random games of loa5 end before 200 plies"),
        ("random:4", "go", "'go' is not a game"),
        ("missing.pgn", "chess", "missing.pgn: No such file"),
        ("missing.epd", "chess", "missing.epd: No such file"),
        ("", "chess", "expected random:PLIES, balanced:PLIES or a file"),
        (".", "chess", "expected random:PLIES, balanced:PLIES or a file"),
    ],
)
def test_bad_texts(text: str, game: str, words: str) -> None:
    with pytest.raises(DamierError) as caught:
        openings(text, game)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
