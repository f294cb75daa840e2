"""Others read what we write, and we read what they write: python-chess for PGN, pydraughts for PDN."""

from __future__ import annotations

import importlib
import io
import random
from typing import Any

import pytest
from common import PEERS
from test_records import GOLDEN
from test_records_roundtrip import random_game

import damier
from damier import records
from damier.records import Game, Node

pgn = importlib.import_module("chess.pgn")


def same_tree(ours: Node, theirs: Any) -> None:
    """Compare trees move by move; python-chess writes castling as the king's move unless the game is Chess960."""
    pairs = [(ours, theirs)]
    while pairs:
        a, b = pairs.pop()
        assert len(a.variations) == len(b.variations)
        assert words(b.comment) == a.comment
        assert set(b.nags) == set(a.nags)
        assert a.before in ("", words(getattr(b, "starting_comment", "")))
        for child, other in zip(a.variations, b.variations, strict=True):
            board = b.board()
            assert board.parse_uci(str(other.move)) == board.parse_uci(castling(board, child.move))
            pairs.append((child, other))


def words(comment: Any) -> str:
    """A comment of python-chess, a text or a list of texts."""
    return " ".join((comment if isinstance(comment, str) else " ".join(comment)).split())


def castling(board: Any, move: Any) -> str:
    usual = {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}
    return usual[str(move)] if move.is_castling and not board.chess960 else str(move)


@pytest.mark.parametrize("variant", ["chess", "chess960"])
@pytest.mark.parametrize("seed", range(40))
def test_python_chess_reads_ours(variant: str, seed: int) -> None:
    game = random_game(variant, random.Random(seed), ["", "a comment", "two words"], {"White": "Anne, née B"})
    theirs = pgn.read_game(io.StringIO(records.text(game)))
    assert not theirs.errors
    assert theirs.headers["White"] == "Anne, née B"
    assert theirs.headers["Result"] == game.result
    same_tree(game.root, theirs)


@pytest.mark.parametrize("variant", ["chess", "chess960"])
@pytest.mark.parametrize("seed", range(40))
def test_we_read_python_chess(variant: str, seed: int) -> None:
    game = random_game(variant, random.Random(seed), ["", "a comment"], {"Black": "Anne"})
    theirs = pgn.read_game(io.StringIO(records.text(game)))
    (again,) = records.parse(str(theirs), "pgn")
    assert again == without_double_nags(game)


def without_double_nags(game: Game) -> Game:
    """python-chess keeps glyphs as a set and writes them sorted."""
    nodes = [game.root]
    while nodes:
        node = nodes.pop()
        node.nags = tuple(sorted(set(node.nags)))
        nodes.extend(node.variations)
    return game


def test_python_chess_reads_the_golden_file_alike() -> None:
    with (GOLDEN / "everything.pgn").open(encoding="utf-8") as stream:
        for game in records.read(GOLDEN / "everything.pgn"):
            theirs = pgn.read_game(stream)
            assert not theirs.errors
            assert len(list(theirs.mainline())) == len(list(game.mainline()))
            assert theirs.end().board().board_fen() == game.board(game.end()).fen().split()[0]


@pytest.mark.parametrize("variant", ["international", "english", "russian", "brazilian", "italian", "frisian"])
@pytest.mark.parametrize("seed", range(10))
def test_pydraughts_reads_ours(variant: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PEERS / "pydraughts")
    pdn = importlib.import_module("draughts.PDN")
    board: Any = damier.board(variant)
    rng = random.Random(seed)
    texts: list[str] = []
    while len(texts) < 60 and board.legal_moves and not board.outcome():
        move = rng.choice(list(board.legal_moves))
        texts.append(board.text(move))
        board.push(move)
    game = Game.from_board(board, {"White": "Anne"})
    (theirs,) = pdn.PDNReader(pdn_text=records.text(game)).games
    assert theirs.moves == texts
    assert theirs.tags["White"] == "Anne"
    assert theirs.values_to_variant[damier.draughts.GAME_TYPES[variant]] == theirs.variant
    assert records.pdn.RESULTS[theirs.game_ending] == game.result
