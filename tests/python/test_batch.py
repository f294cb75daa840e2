"""Many boards at once: every board of a batch is played exactly as a board of its own."""

from __future__ import annotations

import gc
import threading

import chess as peer
import numpy as np
import pytest
from common import EVERY_GAME
from test_symmetry import placement_of, rows_of, transposed

import damier
from damier import _core

GAMES = pytest.mark.parametrize("game", EVERY_GAME)


def offered(batch: damier.BoardBatch, i: int) -> dict[int, damier.Move]:
    """The legal moves of a board by action."""
    return {int(action): batch.move(i, int(action)) for action in np.flatnonzero(batch.legal_mask()[i])}


@GAMES
@pytest.mark.parametrize("view", ["mover", "white"])
def test_every_board_is_played_as_one_of_its_own(game: str, view: str) -> None:
    """Moves, turns, draws by the past and results, through finished games and those that follow them."""
    batch = damier.BoardBatch(game, 4, view=view)
    batch.reset(seed=len(game))
    boards = batch.boards()
    finished = 0
    for _ in range(350):
        for i, board in enumerate(boards):
            outcome = board.outcome()
            assert batch.outcome(i) == outcome
            assert (batch.turns()[i], batch.plies()[i]) == (board.turn.value, board.ply)
            moves = offered(batch, i)
            assert sorted(moves.values()) == ([] if outcome else sorted(board.legal_moves))
            assert all(
                action < batch.action_count and batch.action(i, move) == action for action, move in moves.items()
            )
        actions = batch.random_actions()
        for i, board in enumerate(boards):
            if board.outcome():
                boards[i] = damier.board(game)
                finished += 1
            else:
                board.push(batch.move(i, actions[i]))
        batch.play(actions)
    assert finished > 0
    for i, board in enumerate(boards):
        copy = batch.board(i)
        assert (copy.fen(), copy.moves, type(copy)) == (board.fen(), board.moves, type(board))


@GAMES
def test_the_compact_list_says_what_the_mask_says(game: str) -> None:
    batch = damier.BoardBatch(game, 5)
    mask = batch.legal_mask()
    for _ in range(120):
        actions, ends = batch.legal_actions()
        rows = [sorted(actions[first:last]) for first, last in zip([0, *ends[:-1]], ends, strict=True)]
        assert rows == [list(np.flatnonzero(row)) for row in mask]
        batch.play(batch.random_actions())


@GAMES
def test_planes_hold_the_pieces(game: str) -> None:
    """Each side's pieces where they are drawn; Black's view is White's, turned and with the sides exchanged."""
    batch = damier.BoardBatch(game, 3, view="white")
    batch.reset(seed=2, opening_plies=7)
    for _ in range(20):
        white, black = batch.planes(side=damier.Side.WHITE).copy(), batch.planes(side=damier.Side.BLACK).copy()
        for i, board in enumerate(batch.boards()):
            pieces = len(board.planes())
            places = {(rank, file) for name, file, rank in board.squares if board.piece(name)}
            assert {(int(r), int(f)) for r, f in np.argwhere(white[i, :pieces].sum(axis=0))} == places
            own = [int(white[i, k].sum()) for k in range(pieces)]
            assert own == [int(bits).bit_count() for bits in board.planes()]
            assert [int(black[i, k].sum()) for k in range(pieces)] == own[pieces // 2 :] + own[: pieces // 2]
            assert (white[i, -3] == board.turn.value).all()
            assert (white[i, -2] == board.occurrences - 1).all()
            assert np.allclose(white[i, -1], board.quiet_plies / 100)
        batch.play(batch.random_actions())
    assert (batch.planes(dtype="uint8")[:, :-1] == batch.planes()[:, :-1]).all()
    assert np.allclose(batch.planes(dtype="uint8")[:, -1] / 100, batch.planes()[:, -1])


def swapped_loa(fen: str) -> str:
    placement, side = fen.split()
    rows = transposed(rows_of(placement)[::-1])[::-1]
    return f"{placement_of(rows).translate(str.maketrans('xo', 'ox'))} {'o' if side == 'x' else 'x'}"


def swapped_chess(fen: str) -> str:
    return peer.Board(fen).mirror().fen()


def swapped_english(fen: str) -> str:
    """The board rotated by half a turn, with the sides exchanged."""
    turn, *fields = fen.split(":")
    sides, counters = fields[:2], fields[2:]
    swap = {"W": "B", "B": "W"}
    images = []
    for side in sides:
        names = [name for name in side[1:].split(",") if name]
        turned = [f"{'K' if name[0] == 'K' else ''}{33 - int(name.removeprefix('K'))}" for name in names]
        images.append(swap[side[0]] + ",".join(turned))
    return ":".join([swap[turn], *images, *counters])


@pytest.mark.parametrize(
    ("game", "swapped"), [("loa", swapped_loa), ("chess", swapped_chess), ("english", swapped_english)]
)
def test_both_sides_see_the_same_board_and_the_same_actions(game: str, swapped: object) -> None:
    """A position with the sides exchanged has the same planes and the same actions for the side to move."""
    assert callable(swapped)
    batch = damier.BoardBatch(game, 2)
    for seed in range(60):
        board = damier.board(game)
        board.play_at_random(4 + seed % 23, seed=seed)
        batch.put(0, damier.board(game, board.fen()))
        batch.put(1, damier.board(game, swapped(board.fen())))
        assert (batch.legal_mask()[0] == batch.legal_mask()[1]).all()
        planes = batch.planes()
        black = planes.shape[1] - 3
        assert (np.delete(planes[0], black, axis=0) == np.delete(planes[1], black, axis=0)).all()
        assert (planes[0, black] != planes[1, black]).all()


def test_chess_numbers_every_promotion_and_plays_castling_as_king_takes_rook() -> None:
    batch = damier.BoardBatch("chess", 1)
    batch.put(0, damier.chess.Board("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1"))
    board = batch.board(0)
    actions = [batch.action(0, board.parse(text)) for text in ("b8=Q", "b8=N", "b8=B", "b8=R")]
    assert actions[0] < 1792 <= min(actions[1:])
    assert len(set(actions)) == 4
    assert str(batch.move(0, batch.action(0, board.parse("O-O")))) == "e1h1"
    castling, en_passant = batch.planes()[0, 12:14]
    assert (castling.sum(), en_passant.sum()) == (4, 0)


@pytest.mark.parametrize(
    ("game", "fen"),
    [
        ("international", "W:WK26:B8,9,11,12,24,27,28,31,33,36,39,44,45"),
        ("frisian", "W:WK25:B8,12,17,19,20,21,23,26,27,28,32,33,41"),
    ],
)
def test_captures_between_the_same_squares_have_actions_of_their_own(game: str, fen: str) -> None:
    batch = damier.BoardBatch(game, 1)
    batch.put(0, damier.board(game, fen))
    moves = offered(batch, 0)
    assert sorted(moves.values()) == sorted(batch.board(0).legal_moves)
    ends = [(move.from_square, move.to_square) for move in moves.values()]
    assert sum(action >= 2500 for action in moves) == len(ends) - len(set(ends)) > 20


def test_captures_that_have_no_action_are_not_offered() -> None:
    """A composed position with 327 captures more than pairs of squares: 256 of them have a number."""
    batch = damier.BoardBatch("turkish", 1)
    batch.put(0, damier.board("turkish", "W:WKh1:Ba5,b2,b3,b5,b6,b7,c4,d4,e4,f4,g2,g3,g5,g6,g7,h2"))
    board, moves = batch.board(0), offered(batch, 0)
    assert len(set(moves.values())) == len(moves) == len(board.legal_moves) - (327 - 256)
    assert all(move in board.legal_moves for move in moves.values())
    assert {(move.from_square, move.to_square) for move in moves.values()} == {
        (move.from_square, move.to_square) for move in board.legal_moves
    }
    batch.play([max(moves)])
    assert batch.board(0).peek() == moves[max(moves)]


def state(batch: damier.BoardBatch) -> list[object]:
    return [batch.planes().tolist(), batch.plies().tolist(), batch.legal_mask().tolist(), batch.outcomes().tolist()]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (5000, "board 2: action 5000 does not exist, expected 0 to 1456"),
        (-2, "board 2: action -2 does not exist, expected 0 to 1456"),
        (0, "board 2: action 0 is illegal in "),
    ],
)
def test_an_illegal_action_changes_no_board(change: int, message: str) -> None:
    batch = damier.BoardBatch("loa", 3)
    batch.reset(seed=1, opening_plies=5)
    before = state(batch)
    actions = batch.random_actions()
    actions[2] = change
    with pytest.raises(damier.MoveError) as refused:
        batch.play(actions)
    assert str(refused.value).startswith(message)
    assert state(batch) == before


def test_what_is_no_array_of_actions_is_refused() -> None:
    batch = damier.BoardBatch("loa", 3)
    for actions, message in (
        (np.zeros(2, dtype=np.int64), "2 actions for 3 boards, expected one for each"),
        (np.zeros(3), "actions are not whole numbers, expected an array of integers"),
    ):
        with pytest.raises(damier.DamierError, match=message):
            batch.play(actions)
    with pytest.raises(TypeError):
        batch.play(np.zeros((3, 1), dtype=np.int64))
    with pytest.raises(TypeError, match=r"^None is not a move, expected one of board.legal_moves$"):
        batch.action(0, None)  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"])
def test_actions_may_be_integers_of_any_size(dtype: str) -> None:
    batch, twin = damier.BoardBatch("loa5", 2), damier.BoardBatch("loa5", 2)
    small = min(actions for actions in np.flatnonzero(batch.legal_mask()[0]))
    batch.play(np.array([small, 0, small, 0], dtype=dtype)[::2])
    twin.play([small, small])
    assert batch.board(1).fen() == twin.board(0).fen()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("loa", 0), "n is 0, expected 1 to 1048576"),
        (("nope", 1), "'nope' is not a game, expected one of "),
    ],
)
def test_bad_batches_are_refused(arguments: tuple[str, int], message: str) -> None:
    with pytest.raises(damier.DamierError, match=message):
        damier.BoardBatch(*arguments)


def test_other_bad_arguments_are_refused() -> None:
    with pytest.raises(damier.DamierError, match="view is 'black', expected mover or white"):
        damier.BoardBatch("loa", 1, view="black")  # type: ignore[arg-type]
    batch = damier.BoardBatch("loa", 2)
    with pytest.raises(damier.DamierError, match="board is 2, expected 0 to 1"):
        batch.board(2)
    with pytest.raises(damier.DamierError, match="board is -1, expected 0 to 1"):
        batch.outcome(-1)
    with pytest.raises(damier.DamierError, match="dtype is 'float64', expected float32 or uint8"):
        batch.planes(dtype="float64")  # type: ignore[arg-type]
    with pytest.raises(damier.DamierError, match="the board is not one of loa"):
        batch.put(0, damier.board("loa5"))
    with pytest.raises(damier.DamierError, match="the boards are not ones of loa"):
        batch.take(damier.BoardBatch("chess", 2), np.array([0, 1]))
    with pytest.raises(damier.DamierError, match="board is 2, expected 0 to 1"):
        batch.take(batch, np.array([0, 2]))
    with pytest.raises(damier.MoveError, match="board 0: a move of another game is illegal in "):
        batch.action(0, damier.chess.Board().parse("e4"))


def test_articles_are_those_of_the_board() -> None:
    """By the second occurrence a repetition draws, on the batch as on the board."""
    batch = damier.BoardBatch("loa", 1, repetition=2)
    board = damier.loa.Board(repetition=2)
    for text in ("b1-b3", "a2-c2", "b3-b1", "c2-a2"):
        batch.play([batch.action(0, board.play(text))])
    assert batch.outcome(0) == board.outcome()
    assert board.outcome()
    assert batch.board(0).articles == board.articles


def test_a_finished_board_begins_anew_and_one_that_is_left_stays() -> None:
    batch = damier.BoardBatch("loa5", 2)
    while not batch.outcomes().any():
        batch.play(batch.random_actions())
    over = int(batch.outcomes().argmax())
    outcome, plies = batch.outcome(over), batch.plies()[over]
    assert outcome
    assert _core.reasons()[batch.reasons()[over]] == outcome.reason
    assert batch.outcomes()[over] == 1 + _core.results().index(outcome.result)
    assert not batch.legal_mask()[over].any()
    batch.play([-1, -1])
    assert (batch.outcome(over), batch.plies()[over]) == (outcome, plies)
    batch.play([12345 if i == over else -1 for i in range(2)])
    assert (batch.outcome(over), batch.plies()[over], batch.reasons()[over]) == (None, 0, -1)


@GAMES
def test_the_same_seed_gives_the_same_games(game: str) -> None:
    def played(seed: int) -> list[str]:
        batch = damier.BoardBatch(game, 3)
        batch.reset(seed, opening_plies=4)
        assert batch.plies().tolist() == [4, 4, 4]
        for _ in range(30):
            batch.play(batch.random_actions())
        return [board.fen() for board in batch.boards()]

    assert played(1) == played(1) != played(2)


def test_games_that_begin_anew_have_an_opening_too() -> None:
    batch = damier.BoardBatch("loa5", 8)
    batch.reset(seed=3, opening_plies=6)
    begun = 0
    for _ in range(200):
        over = batch.outcomes() > 0
        batch.play(batch.random_actions())
        begun += int(over.sum())
        assert (batch.plies()[over] == 6).all()
    assert begun > 8


def test_arrays_are_seen_in_place_and_outlive_their_batch() -> None:
    batch = damier.BoardBatch("chess", 2)
    mask, plies, planes = batch.legal_mask(), batch.plies(), batch.planes()
    assert np.shares_memory(mask, batch.legal_mask())
    assert np.shares_memory(planes, batch.planes())
    assert not any(array.flags.writeable for array in (mask, plies, planes, batch.turns(), batch.outcomes()))
    before = mask.copy()
    batch.play(batch.random_actions(seed=5))
    assert plies.tolist() == [1, 1]
    assert (mask.sum(axis=1) == 20).all()
    assert mask.shape == before.shape
    kept = mask.copy()
    del batch
    gc.collect()
    assert (mask == kept).all()


@GAMES
def test_a_batch_takes_boards_of_another(game: str) -> None:
    roots, leaves = damier.BoardBatch(game, 3), damier.BoardBatch(game, 4)
    leaves.legal_mask()
    roots.reset(seed=1, opening_plies=5)
    leaves.take(roots, np.array([2, -1, 0, 2]))
    fens = [board.fen() for board in roots.boards()]
    assert [board.fen() for board in leaves.boards()] == [fens[2], damier.board(game).fen(), fens[0], fens[2]]
    assert (leaves.legal_mask()[0] == roots.legal_mask()[2]).all()
    leaves.play(leaves.random_actions())
    assert [board.fen() for board in roots.boards()] == fens
    roots.take(roots, np.array([1, 2, 0]))
    assert [board.fen() for board in roots.boards()] == [fens[1], fens[2], fens[0]]


def test_threads_that_share_a_batch_take_turns() -> None:
    batch = damier.BoardBatch("loa", 8)

    def look() -> None:
        for _ in range(200):
            batch.random_actions()
            batch.planes()
            batch.boards()
            batch.play(np.full(8, -1))

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert batch.plies().sum() == 0
