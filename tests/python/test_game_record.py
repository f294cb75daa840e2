"""One game record for all: it goes through every format and comes back the same."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from common import EVERY_GAME, walk

import damier
from damier import records
from damier.records import Entrant, GameRecord


def played(game: str, seed: int, plies: int = 60) -> GameRecord:
    """A random game with all that can be said of it."""
    dice = random.Random(seed)
    board = damier.board(game)
    for _ in walk(board, seed, plies=plies):
        pass
    opening = min(4, board.ply)
    rest = range(board.ply - opening)
    return GameRecord.from_board(
        board,
        white=Entrant("Anne", "engine:nodes=5"),
        black=Entrant("Bob", "random"),
        scores=tuple(dice.choice((None, dice.randrange(-900, 900))) for _ in rest),
        depths=tuple(dice.randrange(1, 30) for _ in rest),
        nodes=tuple(dice.randrange(10**6) for _ in rest),
        seconds=tuple(dice.randrange(10**5) / 1000 for _ in rest),
        opening="random 7",
        opening_plies=opening,
        event="damier match",
        round="7.1",
        date="2026.05.17",
    )


@pytest.mark.parametrize("game", EVERY_GAME)
def test_boards_and_records_are_two_sides_of_a_game(game: str) -> None:
    record = played(game, 5)
    board = record.board()
    assert (record.plies, tuple(board.codes().tolist())) == (board.ply, record.moves)
    assert record.texts() == damier.games.line_of(damier.board(game), board.moves)
    assert record.with_notation() == record
    assert record.with_notation().texts() == record.texts()
    assert len(record.states()) == record.plies + 1
    assert GameRecord.from_board(board).variant == record.variant


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_sheet_is_written_as_the_tree_is(game: str) -> None:
    """Without a board, from texts alone, comes out what comes out of a tree that is played again."""
    for seed in range(3):
        record = played(game, seed)
        assert records.text(record) == records.text(record.with_notation()) == records.text(record.to_game())


@pytest.mark.parametrize("game", ["chess", "chess960", "english", "frisian", "loa", "loa6:olympiad"])
def test_a_record_comes_back_from_a_file(game: str) -> None:
    for seed in range(3):
        record = played(game, seed)
        format = damier.games.info(game).record_format
        again = GameRecord.from_game(next(records.parse(records.text(record), format, variant=game)))
        assert (again.variant, again.fen, again.moves, again.plies) == (game, record.fen, record.moves, record.plies)
        assert (again.white.name, again.black.name, again.round, again.date) == ("Anne", "Bob", "7.1", "2026.05.17")
        assert (again.result, again.reason, again.event) == (record.result, record.reason, "damier match")
        before = (None,) * record.opening_plies
        assert again.scores == before + record.scores
        assert again.seconds == pytest.approx(before + record.seconds)
        known = [
            depth if score is not None else None for depth, score in zip(record.depths, record.scores, strict=True)
        ]
        assert again.depths == (*before, *known)


def test_positions_in_the_middle_of_a_game_are_numbered_on() -> None:
    for turn in ("w", "b"):
        board = damier.chess.Board(f"4k3/8/8/8/8/8/4P3/4K3 {turn} - - 0 31")
        for text in ("Kd1", "Kd8", "Kc1") if turn == "w" else ("Kd8", "Kd1", "Kc8"):
            board.play(text)
        record = GameRecord.from_board(board)
        assert records.text(record) == records.text(record.to_game())


def test_comments_of_people_are_no_scores() -> None:
    (game,) = records.parse("1. e4 {best by test} e5 {-0.5 is what I thought} 2. Nf3 {+0.31/14 1.2s} *", "pgn")
    record = GameRecord.from_game(game)
    assert record.scores == (None, -50, 31)
    assert record.seconds == (None, None, 1.2)
    (game,) = records.parse("1. e4 {best by test} e5 *", "pgn")
    assert GameRecord.from_game(game).scores == ()


def test_mates_keep_their_distance() -> None:
    for value in (31999, 31997, 31990, -31998, -31990):
        record = GameRecord("chess", None, (26380,), 1, scores=(value,), depths=(3,))
        again = GameRecord.from_game(record.to_game())
        assert damier.engine.Score(again.scores[0] or 0).mate == damier.engine.Score(value).mate


def test_points_are_whites() -> None:
    record = GameRecord("loa")
    assert [replace(record, result=result).white_points for result in ("1-0", "0-1", "1/2-1/2", "*")] == [
        1,
        0,
        0.5,
        0.5,
    ]
