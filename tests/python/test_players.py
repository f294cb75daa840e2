"""Players: the same seed chooses the same moves, and a win at once is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

import damier
from damier._core import StopFlag
from damier.players import KINDS, Kind, OnePlyPlayer, Player, RandomPlayer, player

GAMES = ["loa", "chess", "international"]


def line(board: damier.Board, chooser: Player, plies: int) -> list[str]:
    played = []
    for _ in range(plies):
        move = chooser.play(board).move
        played.append(board.text(move))
        board.push(move)
    return played


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("spec", ["random:seed=7", "oneply:seed=7,games=2"])
def test_same_seed_same_game(game: str, spec: str) -> None:
    assert line(damier.board(game), player(spec), 6) == line(damier.board(game), player(spec), 6)


@pytest.mark.parametrize("game", GAMES)
def test_seeds_differ(game: str) -> None:
    assert len({tuple(line(damier.board(game), RandomPlayer(seed), 4)) for seed in range(6)}) > 1


@pytest.mark.parametrize(
    ("game", "fen"),
    [
        ("loa", "8/8/8/2x5/3x4/o7/4x3/7o x"),
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"),
        ("international", "W:W28,50:B23"),
    ],
)
def test_oneply_wins_at_once(game: str, fen: str) -> None:
    board: damier.Board = damier.board(game, fen)
    before, us = board.fen(), board.turn
    for seed in range(5):
        choice = OnePlyPlayer(seed, games=1).play(board).move
        assert board.fen() == before
        board.push(choice)
        outcome = board.outcome()
        assert outcome is not None
        assert outcome.winner == us
        board.pop()


def test_oneply_does_not_let_the_opponent_win_at_once() -> None:
    # White threatens mate by Ra8: the b pawn must wait.
    board = damier.chess.Board("6k1/5ppp/8/8/8/1p6/8/R3K3 b - - 0 1")
    for seed in range(5):
        choice = OnePlyPlayer(seed, games=1).play(board).move
        board.push(choice)
        assert not any(text.endswith("#") for text in map(board.text, board.legal_moves))
        board.pop()


def test_nobody_chooses_where_there_is_no_move() -> None:
    mated = damier.chess.Board("7k/5KQ1/8/8/8/8/8/8 b - - 0 1")
    for chooser in (RandomPlayer(), OnePlyPlayer()):
        with pytest.raises(damier.MoveError, match="no legal move"):
            chooser.play(mated)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("", "'' is not a kind of player"),
        ("foo", "'foo' is not a kind of player, expected one of engine, learnt, random, oneply, minimax"),
        ("random:sed=1", "'sed' is not a key of random, expected one of seed"),
        ("random:7", "'7' is not a key of random"),
        ("engine:depth=1,depth=2", "depth is given twice"),
        ("random:seed=x", "seed is 'x', expected a whole number"),
        ("oneply:games=0", "games is 0, expected 1 to 10000"),
        ("engine:level=11", "level is 11, expected 1 to 10"),
        ("engine:elo=9999", "elo is 9999, expected "),
        ("engine:depth=0", "depth is 0, expected a whole number of at least 1"),
        ("engine:depth=1_000", "depth is '1_000', expected a whole number"),
        ("engine:depth=\u0663", "expected a whole number"),
        ("engine:nodes=9999999999999999999", "expected a whole number"),
        ("engine:time=1_0", "time is '1_0', expected a number"),
        ("engine:time=\u0663", "expected a number"),
        ("engine:time=nan", "time is 'nan', expected a number"),
        ("engine:set=null_move:1_0", "expected NAME:NUMBER"),
        ("engine:time=-1", "time is -1.0, expected more than 0 seconds"),
    ],
)
def test_bad_specs_are_refused_in_a_line(spec: str, words: str) -> None:
    with pytest.raises(damier.DamierError) as caught:
        player(spec)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("mtdf:depth=1,eval=nosuch", "'nosuch' is not an evaluation"),
        ("alphabeta:depth=99", "depth is 99"),
        ("pvs:ordering=best", "'best' is not an ordering"),
        ("alphabeta:aspiration=20", "aspiration needs iterative deepening"),
        ("mcts:nodes=99999999", "simulations is 99999999"),
    ],
)
def test_options_that_are_wrong_for_the_game_are_refused_before_it_begins(spec: str, words: str) -> None:
    with pytest.raises(damier.DamierError, match=words):
        player(spec).new_game(damier.board("loa"), 0)


def test_options_are_tried_by_no_dice_of_the_game() -> None:
    played, chooser = [], player("mcts:nodes=20")
    for _ in range(2):
        chooser.new_game(damier.board("loa"), 5)
        played.append(line(damier.board("loa"), chooser, 6))
    assert played[0] == played[1]


def test_a_new_kind_is_a_line_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def scripted(path: Path, seed: int = 0) -> Player:
        made.append((path, seed))
        return RandomPlayer(seed)

    monkeypatch.setitem(KINDS, "scripted", Kind(scripted, {"path": Path, "seed": int}, bare="path"))
    player("scripted:/tmp/engine,seed=4")
    assert made == [(Path("/tmp/engine"), 4)]


def test_textbook_players_deepen_as_long_as_their_time_lasts() -> None:
    board = damier.loa.Board()
    shallow = player("alphabeta:time=60,depth=2").play(board)  # the depth ends it long before
    assert (shallow.depth, shallow.stopped) == (2, False)
    assert shallow.score == player("alphabeta:depth=2").play(board).score
    cut = player("minimax:time=0.05").play(board)  # not even the fifth of sixty plies can be reached
    assert cut.move in board.legal_moves
    assert cut.stopped
    assert cut.depth < 5
    limited = player("minimax").play(board, damier.Limit(time=0.05))
    assert limited.depth < 5
    assert player("minimax:depth=1").play(board, damier.Limit(time=60)).depth == 1


def test_a_textbook_player_with_time_left_can_be_stopped() -> None:
    stop = StopFlag()
    stop.set()
    board = damier.loa.Board()
    assert player("alphabeta:time=600").play(board, stop=stop).move in board.legal_moves
