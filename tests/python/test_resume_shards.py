"""Simulations and self-play that are resumed: shards are checked before their games are counted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from common import nested, out, refusal
from data_runs import play_until

import damier
from damier.lab import Simulation, self_play
from damier.storage import read_games, shards_of
from damier.storage.shards import METADATA_KEY


class EnoughError(Exception):
    pass


def edited(shard: Path, **columns: Any) -> None:
    """A shard with other columns and the same metadata, as a tool would leave it."""
    table = pq.read_table(shard)
    for name, values in columns.items():
        table = table.set_column(table.column_names.index(name), name, pa.array(values(table[name].to_pylist())))
    pq.write_table(table, shard)


@pytest.mark.parametrize("keeps_digest", [True, False])
@pytest.mark.parametrize(
    "change",
    [
        {"result": lambda held: ["x", *held[1:]]},
        {"result": lambda held: ["1/2-1/2", *held[1:]]},
        {"moves": lambda held: [held[0][:-2], *held[1:]]},
        {"plies": lambda held: [7, *held[1:]]},
        {"reason": lambda held: ["weather", *held[1:]]},
        {"reason": lambda held: ["repetition", *held[1:]]},
    ],
    ids=["unknown result", "result", "moves", "plies", "unknown reason", "reason"],
)
def test_a_shard_that_was_changed_is_played_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, change: Any, keeps_digest: bool
) -> None:
    asked: Any = {"games": 30, "seed": 1, "out": tmp_path, "resume": True}
    whole = damier.simulate("rennes", **asked)
    (shard,) = shards_of(tmp_path)
    before = [game.moves for game in read_games(tmp_path)]
    edited(shard, **change)
    if not keeps_digest:  # as those of the version before
        table = pq.read_table(shard)
        held = json.loads(table.schema.metadata[METADATA_KEY])
        del held["digest"]
        pq.write_table(table.replace_schema_metadata({METADATA_KEY: json.dumps(held).encode()}), shard)
    again = damier.simulate("rennes", **asked)
    assert (again.played, again.results, again.plies) == (30, whole.results, whole.plies)
    assert "games-000000.parquet: " in caplog.text
    assert "these games are not counted" in caplog.text
    assert [game.moves for game in read_games(tmp_path)] == before
    caplog.clear()
    assert damier.simulate("rennes", **asked).played == 0
    assert not caplog.text


def test_a_shard_that_cannot_be_read_is_played_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    damier.simulate("rennes", games=5, out=tmp_path)
    (shard,) = shards_of(tmp_path)
    shard.write_bytes(shard.read_bytes()[:200])
    assert damier.simulate("rennes", games=5, out=tmp_path, resume=True).played == 5
    assert "not a readable Parquet file" in caplog.text


@pytest.mark.parametrize(
    "metadata", [nested(), "[]", "7", '{"format": 1}', '{"format": {}, "x": "\\u001b"}', '{"format": 1, "variant": []}']
)
def test_metadata_of_others_are_one_line(tmp_path: Path, metadata: str) -> None:
    damier.simulate("rennes", games=3, out=tmp_path)
    (shard,) = shards_of(tmp_path)
    pq.write_table(pq.read_table(shard).replace_schema_metadata({METADATA_KEY: metadata.encode()}), shard)
    with pytest.raises(damier.DataError, match=r"games-000000.parquet: ") as raised:
        list(read_games(tmp_path))
    assert str(raised.value).isprintable()


def test_long_games_are_cut_into_pieces_by_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However a shard is cut, and whatever was there before, its bytes are the same."""
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    self_play("loa5", games=12, nodes=30, seed=2, out=whole)
    monkeypatch.setattr("damier.lab.simulation.SECONDS_HERE", 1e-9)  # one game per piece
    seen = []

    def enough(games: int) -> None:
        seen.append(games)
        if games == 7:
            raise EnoughError

    with pytest.raises(EnoughError):
        self_play("loa5", games=12, nodes=30, seed=2, out=cut, on_progress=enough)
    assert seen == list(range(1, 8))
    assert len(list(cut.glob("part-*.parquet"))) == 7
    again = self_play("loa5", games=12, nodes=30, seed=2, out=cut, threads=2, resume=True)
    assert (again.games, again.played) == (12, 5)
    assert not list(cut.glob("part-*"))
    assert shards_of(cut)[0].read_bytes() == shards_of(whole)[0].read_bytes()


@pytest.mark.parametrize("manifest", [None, ""])
@pytest.mark.parametrize("games", [5, 12])  # a shard, and pieces of one
def test_shards_without_their_settings_are_refused(tmp_path: Path, manifest: str | None, games: int) -> None:
    play: Any = {"games": 12, "nodes": 30, "out": tmp_path}
    if games == 12:
        self_play("loa5", **play)
    else:
        play_until(games, "loa5", **play)
    (tmp_path / "run.json").unlink()
    if manifest is not None:
        (tmp_path / "run.json").write_text(manifest)
    before = sorted(path.name for path in tmp_path.iterdir())
    words = "holds games without run.json" if manifest is None else "these are not the settings of a self-play run"
    with pytest.raises(damier.DamierError, match=words):
        self_play("loa5", **play | {"nodes": 7, "resume": True})
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("stop", [None, 9, 11])  # in the shard that grows, and in the next one
def test_a_run_that_grows_is_as_if_it_had_been_as_long_from_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: int | None
) -> None:
    monkeypatch.setattr("damier.lab.selfplay.SHARD_GAMES", 5)
    whole, grown = tmp_path / "whole", tmp_path / "grown"
    self_play("loa5", games=13, nodes=30, seed=2, out=whole)
    self_play("loa5", games=7, nodes=30, seed=2, out=grown)
    started = json.loads((grown / "run.json").read_text())
    if stop:
        play_until(stop, "loa5", games=13, nodes=30, seed=2, out=grown, resume=True)
    again = self_play("loa5", games=13, nodes=30, seed=2, out=grown, resume=True)
    assert (again.games, again.played) == (13, 13 - (stop or 7))
    assert [file.read_bytes() for file in shards_of(grown)] == [file.read_bytes() for file in shards_of(whole)]
    assert not list(grown.glob("part-*"))
    assert json.loads((grown / "run.json").read_text()) == started | {"games": 13}
    with pytest.raises(damier.DamierError, match="has games 13 already, expected at least as many, not 7"):
        self_play("loa5", games=7, nodes=30, seed=2, out=grown, resume=True)


@pytest.mark.parametrize("name", ["truncated", "renumbered"])
def test_a_shard_with_other_games_is_played_again(tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str) -> None:
    damier.simulate("rennes", games=6, out=tmp_path)
    (shard,) = shards_of(tmp_path)
    before, table = shard.read_bytes(), pq.read_table(shard)
    if name == "truncated":
        pq.write_table(table.slice(0, 4), shard)
    else:
        pq.write_table(table.set_column(0, "number", pa.array(range(1, 7))), shard)
    assert damier.simulate("rennes", games=6, out=tmp_path, resume=True).played == 6
    words = {"truncated": "were changed after they were written", "renumbered": "not those numbered 0 to 5"}
    assert f"{words[name]}; these games are not counted" in caplog.text
    assert shard.read_bytes() == before


@pytest.mark.parametrize("command", [["simulate", "rennes"], ["selfplay", "loa5", "--nodes", "9"]])
def test_a_folder_of_shards_is_resumed_only_when_asked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: list[str]
) -> None:
    asked = *command, "--games", "4", "--out", str(tmp_path)
    out(capsys, *asked)
    assert "already; add --resume to continue, or name another folder" in refusal(capsys, *asked)
    assert "0 played in" in out(capsys, *asked, "--resume")


@pytest.mark.parametrize("play", [damier.simulate, self_play])
def test_in_python_too(tmp_path: Path, play: Callable[..., Simulation]) -> None:
    play("loa5", games=4, out=tmp_path)
    with pytest.raises(damier.DamierError, match="already; add --resume to continue, or name another folder"):
        play("loa5", games=5, out=tmp_path)
    assert play("loa5", games=5, out=tmp_path, resume=True).played == 1


def test_one_run_at_a_time_in_a_folder_of_shards(tmp_path: Path) -> None:
    def again(_: int) -> None:
        with pytest.raises(damier.DamierError, match="this simulation is being played by another process"):
            damier.simulate("rennes", games=5, out=tmp_path)

    damier.simulate("rennes", games=5, out=tmp_path, on_progress=again)
