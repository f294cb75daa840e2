"""The loader gives the positions of stored games, all of them, once and shuffled, as a plain replay finds them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import chess as peer
import numpy as np
import pytest
from data_runs import play_until

import damier
from damier.arena.match import Match
from damier.games import Board
from damier.lab import Batch, Loader, import_games, self_play, simulate
from damier.lab.blocks import Block, Blocks
from damier.lab.sources import read_records
from damier.records import GameRecord
from damier.storage import read_games, shards_of
from damier.storage.database import Database

Row = tuple[bytes, float | None, float, int, int]  # features, score, result, ply, plies left
PIECES = {"loa": ("o", "x"), "chess": ("PNBRQK", "pnbrqk"), "draughts": ("wW", "bB")}


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.lab.selfplay.SHARD_GAMES", 4)


def planes_of(board: Board) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The board piece by piece, as the side to move sees it: its pieces stand where White's stand at the start."""
    family = damier.games.info(board.variant).family
    white, black = PIECES[family]
    black_moves = board.turn.name == "BLACK"
    letters = black + white if black_moves else white + black
    size = 1 + max(rank for _, _, rank in board.squares)
    planes = np.zeros((len(letters), size, size), np.uint8)
    for name, file, rank in board.squares:
        if (letter := board.piece(name)) is None:
            continue
        row, column = rank, file
        if black_moves and family == "loa":
            row, column = file, rank
        elif black_moves:
            row = size - 1 - rank
            column = file if family == "chess" or board.variant == "turkish" else size - 1 - file
        planes[letters.index(letter), row, column] = 1
    return planes


def described(board: Board, features: str) -> bytes:
    return (planes_of(board) if features == "planes" else board.features(features)).tobytes()


def positions(record: GameRecord) -> Iterator[tuple[Board, damier.Move, float | None]]:
    """Each position of a game with the move played there and its score."""
    board = damier.board(record.variant, record.fen)
    scores = (None,) * record.opening_plies + (record.scores or (None,) * record.plies)
    for move, score in zip(record.board().moves, scores, strict=False):
        yield board, move, score
        board.push(move)


def rows_of(
    games: Iterator[GameRecord], features: str, keep: Callable[[Board, damier.Move, float | None], bool] | None = None
) -> Counter[Row]:
    rows: Counter[Row] = Counter()
    for record in games:
        for board, move, score in positions(record):
            if keep is None or keep(board, move, score):
                white = record.white_points
                result = white if board.turn.name == "WHITE" else 1 - white
                rows[described(board, features), score, result, board.ply, record.plies - board.ply] += 1
    return rows


def given(batches: Iterator[Batch] | Loader) -> Counter[Row]:
    rows: Counter[Row] = Counter()
    for batch in batches:
        score = [None if np.isnan(value) else value for value in batch.score.tolist()]
        features = (row.tobytes() for row in batch.features)
        rows.update(
            zip(
                features,
                score,
                batch.result.tolist(),
                batch.ply.tolist(),
                batch.plies_left.tolist(),
                strict=True,
            )
        )
    return rows


@pytest.mark.usefixtures("small_shards")
@pytest.mark.parametrize(
    ("game", "features"),
    [
        ("loa", "planes"),
        ("loa", "bing"),
        ("loa6", "quads"),
        ("chess", "planes"),
        ("chess", "ocap"),
        ("chess960", "planes"),
        ("international", "planes"),
        ("international", "paris"),
        ("italian", "planes"),
        ("turkish", "planes"),
        ("rennes", "planes"),
    ],
)
def test_samples_are_what_a_replay_finds(tmp_path: Path, game: str, features: str) -> None:
    self_play(game, games=9, nodes=30, random_plies=6, seed=5, out=tmp_path / "selfplay")
    simulate(game, games=6, seed=7, out=tmp_path / "random")
    sources = [tmp_path / "selfplay", *shards_of(tmp_path / "random")]
    loader = Loader(game, sources, features=features, batch_size=100, shuffle_buffer=300, epochs=1)
    batches = list(loader)
    assert loader.games == 15
    assert {len(batch) for batch in batches[:-1]} == {100}
    assert given(iter(batches)) == rows_of(
        (record for source in sources for record in read_games(source)),
        features,
    )
    assert batches[0].features.dtype == (np.uint8 if features == "planes" else np.float32)
    assert batches[0].score.dtype == batches[0].result.dtype == np.float32
    assert batches[0].ply.dtype == batches[0].plies_left.dtype == np.int32


def test_every_kind_of_source(tmp_path: Path) -> None:
    """Shards, a folder of a match, files of records and a database, with starts of their own, all at once."""
    openings = tmp_path / "openings.epd"
    openings.write_text(
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n4k3/8/8/8/8/8/4P3/4K3 w - -\n"
    )
    database = tmp_path / "games.db"
    players = ("engine:nodes=30", "random")
    with Database(str(database)) as kept:
        Match("chess", *players, games=4, openings=str(openings), seed=1, out=tmp_path / "match", database=kept).run()
    simulate("chess", games=3, seed=2, out=tmp_path / "random")
    import_games(tmp_path / "match" / "games.pgn", tmp_path / "set")
    sources = [
        tmp_path / "match",
        tmp_path / "match" / "games.pgn",
        str(database),
        tmp_path / "random",
        tmp_path / "set",
    ]
    expected = rows_of(read_games(tmp_path / "random"), "planes") + rows_of(read_games(tmp_path / "set"), "planes")
    assert rows_of(read_games(tmp_path / "set"), "planes") == rows_of(read_records("chess", sources[1]), "planes")
    for source in sources[:3]:
        expected += rows_of(read_records("chess", source), "planes")
    assert given(Loader("chess", sources, epochs=1)) == expected
    assert any(score is not None for _, score, *_ in expected)


def is_quiet(board: Board) -> bool:
    family = damier.games.info(board.variant).family
    if family == "chess":
        return not peer.Board(board.fen()).is_check()
    return family == "loa" or not any(move.captured for move in board.legal_moves)


@pytest.mark.usefixtures("small_shards")
@pytest.mark.parametrize("game", ["loa", "chess", "english"])
def test_filters(tmp_path: Path, game: str) -> None:
    self_play(game, games=20, nodes=40, random_plies=5, seed=2, out=tmp_path)
    filters: dict[str, tuple[Any, Callable[[Board, Any, float | None], bool]]] = {
        "skip": (11, lambda board, move, score: board.ply >= 11),
        "in_check": (False, lambda board, move, score: is_quiet(board)),
        "tactical": (False, lambda board, move, score: not move.captured and (game != "chess" or not move.promotion)),
        "unscored": (False, lambda board, move, score: score is not None),
        "max_score": (80, lambda board, move, score: score is None or abs(score) <= 80),
    }
    everything = rows_of(read_games(tmp_path), "planes")
    for name, (value, keep) in filters.items():
        left = rows_of(read_games(tmp_path), "planes", keep)
        assert given(Loader(game, tmp_path, epochs=1, **{name: value})) == left, name
        assert left.total() < everything.total() or (game, name) == ("loa", "in_check")

    def all_of_them(board: Board, move: Any, score: float | None) -> bool:
        return all(keep(board, move, score) for _, keep in filters.values())

    together: Any = {name: value for name, (value, _) in filters.items()}
    assert given(Loader(game, tmp_path, epochs=1, **together)) == rows_of(read_games(tmp_path), "planes", all_of_them)

    third = [given(Loader(game, tmp_path, epochs=1, every=3, seed=seed)) for seed in (1, 2)]
    assert third[0] != third[1]
    for taken in third:
        assert taken <= everything
        assert 0.25 < taken.total() / everything.total() < 0.42


def same(ours: list[Batch], theirs: list[Batch]) -> bool:
    return len(ours) == len(theirs) and all(
        np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True)
        for one, other in zip(ours, theirs, strict=True)
        for name in ("features", "score", "result", "ply", "plies_left")
    )


@pytest.mark.usefixtures("small_shards")
def test_the_seed_gives_the_order(tmp_path: Path) -> None:
    self_play("loa", games=60, nodes=10, seed=1, out=tmp_path)

    def batches(seed: int, epochs: int = 1, **options: Any) -> list[Batch]:
        return list(Loader("loa", tmp_path, seed=seed, epochs=epochs, batch_size=64, shuffle_buffer=500, **options))

    first = batches(1)
    assert same(first, batches(1))
    assert not same(first, batches(2))
    assert given(iter(first)) == given(iter(batches(2)))
    loader = Loader("loa", tmp_path, seed=1, epochs=1, batch_size=64, shuffle_buffer=500)
    assert same(list(loader), list(loader))

    twice = batches(1, epochs=2)
    assert same(twice[: len(first)], first)
    assert not same(twice[len(first) :], first)
    assert given(iter(twice[len(first) :])) == given(iter(first))
    assert same(batches(3, symmetries=True, every=2), batches(3, symmetries=True, every=2))


def test_a_loader_without_end_goes_on(tmp_path: Path) -> None:
    plies = simulate("rennes", games=3, seed=1, out=tmp_path).plies
    batches = iter(Loader("rennes", tmp_path, batch_size=1000))
    assert [len(next(batches)) for _ in range(5)] == [plies] * 5


@pytest.mark.usefixtures("small_shards")
def test_positions_of_a_game_are_spread(tmp_path: Path) -> None:
    """With half of all positions in the buffer, two of a batch share a game about as often as by chance."""
    self_play("loa", games=200, nodes=10, seed=3, out=tmp_path)
    owners = defaultdict[tuple[bytes, int], set[int]](set)
    for number, record in enumerate(read_games(tmp_path)):
        for board, *_ in positions(record):
            owners[described(board, "planes"), board.ply].add(number)
    total = sum(record.plies for record in read_games(tmp_path))
    shared = neighbours = pairs = seen = 0
    chance = sum((record.plies / total) ** 2 for record in read_games(tmp_path))
    for batch in Loader("loa", tmp_path, batch_size=256, shuffle_buffer=total // 2, seed=1, epochs=1):
        found = [owners[row.tobytes(), ply] for row, ply in zip(batch.features, batch.ply.tolist(), strict=True)]
        games = [next(iter(owner)) if len(owner) == 1 else None for owner in found]
        known = Counter(game for game in games if game is not None)
        shared += sum(count * (count - 1) // 2 for count in known.values())
        pairs += known.total() * (known.total() - 1) // 2
        neighbours += sum(one == other is not None for one, other in pairwise(games))
        seen += len(games)
    assert shared / pairs < 2 * chance
    assert neighbours / seen < 3 * chance


@pytest.mark.usefixtures("small_shards")
def test_blocks_are_read_as_they_are_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    self_play("rennes", games=400, nodes=10, seed=1, out=tmp_path)
    read, given_back = [], Block.read
    monkeypatch.setattr(Block, "read", lambda block: read.append(block.path) or given_back(block))
    batches = iter(Loader("rennes", tmp_path, batch_size=50, shuffle_buffer=100, epochs=1))
    next(batches)
    assert len(read) < 20
    assert len(list(batches)) > 100
    assert sorted(read) == shards_of(tmp_path)


def loa_images(planes: np.ndarray[Any, Any]) -> set[bytes]:
    turned = [np.rot90(planes, quarter, (1, 2)) for quarter in range(4)]
    return {image.tobytes() for one in turned for image in (one, one[:, :, ::-1])}


@pytest.mark.parametrize("game", ["loa", "loa5"])
def test_symmetries_of_loa(tmp_path: Path, game: str) -> None:
    simulate(game, games=4, seed=1, out=tmp_path)
    images: dict[bytes, set[bytes]] = {}
    for record in read_games(tmp_path):
        for board, *_ in positions(record):
            images[described(board, "planes")] = loa_images(planes_of(board))
            assert {described(image, "planes") for image in board.images()} == loa_images(planes_of(board))
    home = {image: frozenset(group) for group in images.values() for image in group}
    plain = Counter(home[features] for features, *_ in given(Loader(game, tmp_path, epochs=1)).elements())
    seen = set()
    for seed in range(20):
        rows = given(Loader(game, tmp_path, epochs=1, seed=seed, symmetries=True))
        assert Counter(home[features] for features, *_ in rows.elements()) == plain
        seen |= {features for features, *_ in rows}
    assert len(seen) > 0.9 * len(home)  # 1 - (7/8)^20 = 0.93 are expected


def test_chess_is_mirrored_only_once_nobody_may_castle(tmp_path: Path) -> None:
    simulate("chess", games=3, seed=1, out=tmp_path)
    images: dict[bytes, set[bytes]] = defaultdict(set)
    for record in read_games(tmp_path):
        for board, *_ in positions(record):
            mirrored = [planes_of(board), planes_of(board)[:, :, ::-1]][: 1 + (board.fen().split()[2] == "-")]
            images[described(board, "planes")] |= {planes.tobytes() for planes in mirrored}
    seen = set()
    for seed in range(12):
        seen |= {row[0] for row in given(Loader("chess", tmp_path, epochs=1, seed=seed, symmetries=True))}
    assert seen == set().union(*images.values())
    assert len(seen) > len(images)


def test_draughts_on_dark_squares_has_no_symmetry(tmp_path: Path) -> None:
    simulate("english", games=3, seed=1, out=tmp_path)
    plain, turned = (given(Loader("english", tmp_path, epochs=1, symmetries=both)) for both in (False, True))
    assert plain == turned


def test_what_is_wrong_is_said_in_a_line(tmp_path: Path) -> None:
    simulate("rennes", games=4, seed=1, out=tmp_path / "rennes")
    simulate("loa", games=4, seed=1, out=tmp_path / "loa")
    shard = shards_of(tmp_path / "loa")[0]

    def refused(sources: Any, words: str, game: str = "loa", **options: Any) -> None:
        with pytest.raises(damier.DamierError) as error:
            next(iter(Loader(game, sources, **options)))
        assert words in str(error.value)
        assert "\n" not in str(error.value)

    other = shards_of(tmp_path / "rennes")[0]
    refused([tmp_path / "loa", tmp_path / "rennes"], f"{other}: holds games of rennes, expected loa")
    refused(tmp_path / "nowhere", "nowhere: No such file or directory")
    refused(tmp_path, "there is no games-*.parquet in this folder")
    refused([], "no sources: there are no games")
    refused(tmp_path / "loa", "'go' is not a game", game="go")
    refused(tmp_path / "loa", "'ocap' is not a feature set of this game, expected one of bing, quads", features="ocap")
    refused(tmp_path / "loa", "batch_size is 0, expected 1 to", batch_size=0)
    refused(tmp_path / "loa", "shuffle_buffer is 0, expected 1 to", shuffle_buffer=0)
    refused(tmp_path / "loa", "epochs is 0, expected at least 1", epochs=0)
    refused(tmp_path / "loa", "every is 0, expected 1 to", every=0)
    refused(tmp_path / "loa", f"{shard}: the filters leave no position of 4 games", unscored=False)

    whole = shard.read_bytes()
    shard.write_bytes(whole[: len(whole) // 2])
    refused(tmp_path / "loa", f"{shard}: not a readable Parquet file")
    shard.write_text("number,moves,plies,result,reason\n")
    refused(tmp_path / "loa", f"{shard}: not a readable Parquet file")

    pgn = tmp_path / "games.pgn"
    pgn.write_text('[Event "?"]\n\n1. e4 e5 *\n')
    refused(pgn, f"{pgn}: there are no finished games of chess", game="chess")
    pgn.write_text('[Event "?"]\n\n1. e4 e4 1-0\n')
    refused(pgn, "e4", game="chess")


def test_games_that_were_changed_are_refused(tmp_path: Path) -> None:
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    simulate("loa", games=4, seed=1, out=tmp_path)
    shard = shards_of(tmp_path)[0]
    table = pq.read_table(shard)
    moves = table["moves"].to_pylist()
    edited = table.set_column(
        table.column_names.index("moves"), "moves", pa.array([moves[0][:-2] + b"\0\0", *moves[1:]])
    )
    pq.write_table(edited, shard)
    with pytest.raises(damier.DataError, match="its games were changed after they were written"):
        list(Loader("loa", tmp_path, epochs=1))
    metadata = edited.schema.metadata[b"damier"].split(b', "digest"')[0] + b"}"  # as before there were digests
    pq.write_table(edited.replace_schema_metadata({b"damier": metadata}), shard)
    with pytest.raises(damier.DataError, match=r"games-000000.parquet: game 0: ply \d+: code 0 is not a legal move"):
        list(Loader("loa", tmp_path, epochs=1))


def test_what_a_run_left_unfinished_is_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.lab.selfplay.SHARD_GAMES", 4)
    play_until(7, "rennes", games=12, nodes=10, seed=1, out=tmp_path)
    games = Loader("rennes", iter([tmp_path]), epochs=1).games
    assert games == 4
    words = "left out; to complete them, run its `damier selfplay` command again with --resume"
    assert caplog.messages == [f"{tmp_path}: 3 unfinished pieces, 3 games in all, {words}"]


def test_torch_shares_the_memory(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    simulate("loa5", games=4, seed=1, out=tmp_path)
    batch = next(iter(Loader("loa5", tmp_path)))
    tensors = batch.to_torch()
    assert tensors.keys() == {"features", "score", "result", "ply", "plies_left"}
    tensors["result"][0] = 7
    assert batch.result[0] == 7
    assert tensors["features"].dtype == torch.uint8


def test_records_written_elsewhere_give_scores_of_the_mover(tmp_path: Path) -> None:
    """A score in a PGN comment is the mover's, as in shards."""
    (tmp_path / "games.pgn").write_text('[Event "?"]\n\n1. e4 {+0.35/12 0.21s} e5 {-0.20/11 0.20s} 1-0\n')
    batch = next(iter(Loader("chess", tmp_path / "games.pgn", epochs=1)))
    assert dict(
        zip(batch.ply.tolist(), zip(batch.score.tolist(), batch.result.tolist(), strict=True), strict=True)
    ) == {
        0: (35.0, 1.0),
        1: (-20.0, 0.0),
    }


def test_pairs_stay_together_in_every_source(tmp_path: Path) -> None:
    for name, count in (("odd", 25), ("even", 60)):
        simulate("rennes", games=count, seed=count, out=tmp_path / name)
    blocks = Blocks("rennes", [tmp_path / "odd", tmp_path / "even"])
    assert blocks.games == 85
    for block in blocks:
        held_out = set(blocks.numbers(block, held_out=True).tolist())
        assert held_out
        assert all((number ^ 1 in held_out) or (number ^ 1) >= block.games for number in held_out)
