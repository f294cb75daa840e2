"""python-chess as oracle: moves, notation, FEN and outcomes on thousands of random positions."""

from __future__ import annotations

import random

import chess as peer
import pytest

import damier
from damier import chess

GAMES = 8


def peer_outcome(board: peer.Board, *, claim_draw: bool) -> tuple[str, str] | None:
    outcome = board.outcome(claim_draw=claim_draw)
    if outcome is None:
        return None
    reason = outcome.termination.name.lower().replace("_", " ")
    names = {
        "seventyfive moves": "move limit",
        "fivefold repetition": "repetition",
    }
    return outcome.result(), names.get(reason, reason)


def our_outcome(board: chess.Board, *, claim_draw: bool) -> tuple[str, str] | None:
    outcome = board.outcome(claim_draw=claim_draw)
    return (outcome.result, outcome.reason) if outcome else None


def assert_same(board: chess.Board, oracle: peer.Board) -> None:
    assert board.fen() == oracle.fen(en_passant="legal")
    ours = {board.uci(move): board.san(move) for move in board.legal_moves}
    theirs = {oracle.uci(move): oracle.san(move) for move in oracle.legal_moves}
    assert ours == theirs, board.fen()
    assert board.is_check() == oracle.is_check()
    assert board.is_insufficient_material() == oracle.is_insufficient_material()
    for uci, san in ours.items():
        assert board.parse_uci(uci) == board.parse_san(san) == board.parse(san) == board.parse(uci)


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("seed", range(GAMES))
def test_random_games_agree(seed: int, chess960: bool) -> None:
    dice = random.Random(seed)
    fen = chess.start960(dice.randrange(960)) if chess960 else None
    board = chess.Board(fen, chess960=chess960)
    oracle = peer.Board(board.fen(), chess960=chess960)
    # Random play rarely castles or repeats, so half of the moves are chosen among the rarer kinds.
    while True:
        assert_same(board, oracle)
        assert our_outcome(board, claim_draw=False) == peer_outcome(oracle, claim_draw=False)
        if board.is_over():
            return
        moves = list(board.legal_moves)
        rare = [m for m in moves if m.is_castling or m.promotion or not board.is_irreversible(m)]
        move = dice.choice(rare if rare and dice.random() < 0.5 else moves)
        oracle.push_uci(board.uci(move))
        board.push(move)


def test_repetition_and_claims_agree() -> None:
    board, oracle = chess.Board(), peer.Board()
    for _ in range(5):
        for uci in ("g1f3", "g8f6", "f3g1", "f6g8"):
            # python-chess lets a side claim with the move it is about to make; we claim for the position on the board.
            assert board.is_over(claim_draw=True) == (oracle.is_repetition(3) or oracle.is_fivefold_repetition())
            assert board.is_over() == oracle.is_fivefold_repetition()
            if board.is_over():
                return
            board.push(board.parse_uci(uci))
            oracle.push_uci(uci)
    pytest.fail("five repetitions did not end the game")


@pytest.mark.parametrize("quiet", [98, 99, 100, 148, 149, 150])
def test_move_counts_agree(quiet: int) -> None:
    fen = f"4k3/8/8/8/8/8/8/4K2R w - - {quiet} 90"
    board, oracle = chess.Board(fen), peer.Board(fen)
    assert board.is_over() == oracle.is_seventyfive_moves()
    assert board.is_over(claim_draw=True) == oracle.is_fifty_moves()


def test_every_start_of_chess960_agrees() -> None:
    for number in range(960):
        board = chess.Board(chess.start960(number), chess960=True)
        assert board.fen() == peer.Board.from_chess960_pos(number).fen()
    with pytest.raises(damier.DamierError, match="number is 960, expected 0 to 959"):
        chess.start960(960)


def test_epd_agrees() -> None:
    line = 'rnbqkb1r/pp1p1ppp/4pn2/2p5/2PP4/5N2/PP2PPPP/RNBQKB1R w KQkq - bm d5 Nc3; id "two moves"; c0 "a; b";'
    board, operations = chess.Board.from_epd(line)
    oracle = peer.Board()
    theirs = oracle.set_epd(line)
    assert board.fen() == oracle.fen()
    assert operations["id"] == [theirs["id"]]
    assert operations["c0"] == [theirs["c0"]]
    assert [board.parse(text) for text in operations["bm"]] == [board.parse(oracle.uci(m)) for m in theirs["bm"]]
    assert chess.Board.from_epd(board.epd(operations)) == (board, operations)
