"""Whatever the game, what is written is read back as the same tree."""

from __future__ import annotations

import random
from typing import Any

import pytest
from common import EVERY_GAME
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier import records
from damier.records import Game, Node

VARIANTS = EVERY_GAME

words = st.text(max_size=40).map(lambda text: " ".join(text.replace("}", ")").split()))
characters = st.characters(exclude_categories=["Cc", "Cs"])  # neither control characters nor halves of others
values = st.text(characters, max_size=20).map(lambda text: " ".join(text.split())).filter(lambda text: text != "?")
tags = st.dictionaries(st.sampled_from(["Event", "White", "Black", "Annotator", "TimeControl", "Elo_2"]), values)


def random_game(variant: str, rng: random.Random, comments: list[str], headers: dict[str, str]) -> Game:
    """A game from a random position, its moves varied and commented at random."""
    board: Any = damier.board(variant)
    for _ in range(rng.choice([0, 0, 30])):
        if board.legal_moves and not board.outcome():
            board.push(rng.choice(list(board.legal_moves)))
    start = board.fen()
    game = Game(variant, None if start == damier.board(variant).fen() else start, headers)
    game.fen = game.fen and game.board().start_fen()
    game.result = rng.choice(records.RESULTS[:3])
    game.root.comment = rng.choice(comments)
    grow(game.root, game.board(), rng, comments, 0)
    return game


def grow(node: Node, board: Any, rng: random.Random, comments: list[str], depth: int) -> None:
    played = 0
    for _ in range(rng.randrange(6 if depth else 40)):
        moves = list(board.legal_moves)
        if not moves:
            break
        rng.shuffle(moves)
        main = remarked(node, moves[0], rng, comments)
        while depth < 4 and rng.random() < 0.15 and len(moves) > len(node.variations):
            side = remarked(node, moves[len(node.variations)], rng, comments)
            if not board.variant.startswith("loa"):  # SGF has no place for it
                side.before = rng.choice(comments)
            board.push(side.move)
            grow(side, board, rng, comments, depth + 1)
            board.pop()
        board.push(main.move)
        played += 1
        node = main
    for _ in range(played):
        board.pop()


def remarked(node: Node, move: Any, rng: random.Random, comments: list[str]) -> Node:
    child = node.add(move)
    if rng.random() < 0.2:
        child.comment = rng.choice(comments)
        child.nags = tuple(rng.randrange(256) if rng.random() < 0.3 else rng.randrange(1, 7) for _ in range(2))
    return child


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), comments=st.lists(words, min_size=1, max_size=5), headers=tags)
def test_written_and_read_again(variant: str, seed: int, comments: list[str], headers: dict[str, str]) -> None:
    game = random_game(variant, random.Random(seed), comments, headers)
    format = damier.games.info(variant).record_format
    text = records.text(game)
    (again,) = records.parse(text, format)
    assert again == game
    assert records.text(again) == text


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    comment=st.text().map(lambda text: text.replace("\r", "\n").replace("\t", " ").strip()),
    kept=st.dictionaries(st.sampled_from(["LB", "XY", "GC"]), st.lists(values, min_size=1, max_size=3)),
)
def test_sgf_keeps_lines_and_unknown_properties(seed: int, comment: str, kept: dict[str, list[str]]) -> None:
    game = random_game("loa", random.Random(seed), [""], {})
    game.end().comment = "\n".join(" ".join(line.split()) for line in comment.split("\n")).strip()
    game.end().properties = {name: [records.sgf.escaped(value) for value in values] for name, values in kept.items()}
    (again,) = records.parse(records.text(game), "sgf")
    assert again == game


@settings(max_examples=20, deadline=None)
@given(
    seeds=st.lists(st.tuples(st.sampled_from(["english", "international", "paris"]), st.integers(0, 999)), max_size=5)
)
def test_many_games_in_one_file(seeds: list[tuple[str, int]]) -> None:
    games = [random_game(variant, random.Random(seed), ["so", ""], {}) for variant, seed in seeds]
    text = "\n".join(records.text(game) for game in games)
    assert list(records.parse(text, "pdn")) == games
