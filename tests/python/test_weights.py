"""Files of weights: written and read bit for bit, used wherever a name is, refused where they do not fit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from common import EVERY_GAME, ROOT
from dialogue import Partner

import damier
from damier import Engine, Limit, loa, players
from damier.cli.app import run
from damier.eval import Layer, Linear, Network, resolve
from damier.weights import Weights, read_weights

FILES = sorted((ROOT / "cpp" / "damier" / "games").rglob("*.safetensors"))
BUILT_IN = {read_weights(file).game: file for file in FILES if file.name.startswith("classic")}
NETS = {read_weights(file).game: file for file in FILES if file.name.startswith("nnue")}
# Variants that are judged by the weights of a relative.
RELATIVES = {"chess960": "chess", "italian": "english"} | dict.fromkeys(
    ("brazilian", "pool", "czech", "spanish"), "russian"
)


def refusal(path: Path, game: str = "loa") -> str:
    """What is said of a file that does not fit, in one line that names it."""
    with pytest.raises(damier.DamierError) as refused:
        damier.board(game).evaluator(str(path))
    line = str(refused.value)
    assert line.startswith(f"{path}: ")
    assert "\n" not in line
    return line.removeprefix(f"{path}: ")


def sealed(content: bytes) -> bytes:
    """A file edited after it was written, with the hash that it should have."""
    at = content.index(b'"sha256":"') + len(b'"sha256":"')
    blank = content[:at] + b"0" * 64 + content[at + 64 :]
    return content[:at] + hashlib.sha256(blank).hexdigest().encode() + content[at + 64 :]


def edited(path: Path, edit: Callable[[dict[str, Any]], object]) -> bytes:
    """A file with another header, and the hash that it should have."""
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    edit(header)
    text = json.dumps(header).encode().replace(b'"sha256": "', b'"sha256":"')
    return sealed(len(text).to_bytes(8, "little") + text + content[8 + length :])


@pytest.fixture
def net(tmp_path: Path) -> Path:
    chance = np.random.default_rng(3)
    layers = [Layer(chance.normal(0, 0.1, (2, 8)), chance.normal(0, 0.1, 2), "tanh"), Layer([[1.0, -1.0]])]
    Network("quads", layers, name="mine", scale=300).save(tmp_path / "net.safetensors", "loa")
    return tmp_path / "net.safetensors"


def test_every_game_has_weights_that_fit_its_file() -> None:
    for game in EVERY_GAME:
        family = game if game in BUILT_IN else RELATIVES.get(game, "loa")
        board = damier.board(game)
        evaluator = board.evaluator("classic")
        file = read_weights(BUILT_IN[family])
        groups = [(name, (size, 2)) for name, size, *_ in board.weight_groups(evaluator)]
        assert groups == [(name, tensor.shape) for name, tensor in file.tensors.items()]
        assert np.array_equal(np.concatenate(list(file.tensors.values())), board.weights(evaluator))
        assert tuple(map(float, file.metadata["calibration"].split())) == evaluator.calibration
        assert file.metadata["method"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_read_is_written_bit_for_bit(file: Path, tmp_path: Path) -> None:
    read_weights(file).save(tmp_path / "copy.safetensors")
    assert (tmp_path / "copy.safetensors").read_bytes() == file.read_bytes()


@pytest.mark.parametrize("game", ["loa", "chess", "english", "international", "turkish"])
def test_a_file_of_the_same_weights_plays_the_same_game(game: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.safetensors"
    copy.write_bytes(NETS.get(game, BUILT_IN[game]).read_bytes())  # the engine's own
    board, limit = damier.board(game), Limit(depth=6)
    with Engine(game) as usual, Engine(game, eval=str(copy)) as loaded:
        assert loaded.eval == str(copy)
        expected, result = usual.play(board, limit), loaded.play(board, limit)
    assert (result.move, result.nodes, result.score) == (expected.move, expected.nodes, expected.score)


def test_relatives_may_use_each_others_weights(tmp_path: Path) -> None:
    for game, relative in [
        ("italian", "russian"),
        ("frisian", "international"),
        ("loa6", "loa"),
        ("chess960", "chess"),
    ]:
        board = damier.board(game)
        assert np.array_equal(
            board.weights(board.evaluator(str(BUILT_IN[relative]))),
            damier.board(relative).weights(damier.board(relative).evaluator("classic")),
        )


def test_other_weights_judge_otherwise(tmp_path: Path) -> None:
    file = read_weights(BUILT_IN["chess"])
    heavy = dict(file.tensors) | {"material": file.tensors["material"] * 2}
    Weights("chess", "tapered", "classic", heavy, file.metadata).save(tmp_path / "heavy.safetensors")
    board = damier.board("chess", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")
    usual, other = board.evaluator("classic"), board.evaluator(str(tmp_path / "heavy.safetensors"))
    assert board.evaluate(other) > board.evaluate(usual) + 800
    assert other.calibration == usual.calibration


def test_linear_weights_and_networks_come_back(net: Path, tmp_path: Path) -> None:
    board = loa.Board()
    again = Network.load(net)
    assert (again.name, again.features, again.scale) == ("mine", "quads", 300)
    again.save(tmp_path / "again.safetensors", "loa")
    assert (tmp_path / "again.safetensors").read_bytes() == net.read_bytes()
    for eval in (str(net), net, again):
        assert board.evaluate(resolve(board, eval)) == board.evaluate(resolve(board, Network.load(net)))
    mine = Linear("quads", {"euler": -0.1}, calibration=(1 / 3, 77.7))
    mine.save(tmp_path / "mine.safetensors", "loa", provenance={"method": "été"})
    loaded = Linear.load(tmp_path / "mine.safetensors")
    assert np.asarray(loaded.weights).tolist() == [-0.1, 0, 0, 0, 0, 0, 0, 0]
    assert loaded.calibration == (1 / 3, 77.7)
    assert read_weights(tmp_path / "mine.safetensors").metadata["method"] == "été"
    with pytest.raises(damier.DamierError, match=r"net.safetensors: holds weights of kind network, expected linear"):
        Linear.load(net)


def test_paths_of_any_form_are_taken(net: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(net.parent)
    net.rename("classic")  # the name of an evaluation: a path object says that it is a file
    assert resolve(loa.Board(), Path("classic")).name == "./classic"
    assert resolve(loa.Board(), "classic").calibration == (0, 85)
    Path("classic").rename("é\udcff.safetensors")
    assert Network.load("é\udcff.safetensors").name == "mine"
    with pytest.raises(damier.DamierError, match="no such file"):
        loa.Board().evaluator("\ud800.safetensors")


def test_damage_is_reported_in_one_line(net: Path, tmp_path: Path) -> None:
    whole, bad = net.read_bytes(), tmp_path / "bad.safetensors"
    length = int.from_bytes(whole[:8], "little")
    for size in (0, 7, 8, 9, 100, 8 + length - 1, 8 + length, len(whole) - 1):
        bad.write_bytes(whole[:size])
        refusal(bad)
    for at in range(0, len(whole), 7):
        bad.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        refusal(bad)
    bad.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert "damaged: its content does not have the sha256" in refusal(bad)
    bad.write_bytes((2**63).to_bytes(8, "little") + whole[8:])
    assert "a header of 9223372036854775808 bytes" in refusal(bad)
    bad.write_bytes((10**5).to_bytes(8, "little") + b'{"a":' * 20000)
    assert "has 'a' in a tensor, expected dtype, shape and data_offsets" in refusal(bad)
    bad.write_bytes(b"// The weights of `classic`\n{1, 2}, {3, 4}\n")
    assert "not a safetensors file" in refusal(bad)


def test_what_is_not_a_file_is_refused_in_one_line(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.safetensors") == "no such file"
    assert refusal(tmp_path) == "not a file"
    assert refusal(Path("/dev/zero")) == "not a file"


def test_nets_of_older_versions_are_refused_in_one_line(tmp_path: Path) -> None:
    old = tmp_path / "old.npz"
    np.savez(old, features="quads", weights0=np.zeros((1, 8)))
    whole = old.read_bytes()
    for at in (10, len(whole) // 2, len(whole) - 10):
        old.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        assert "a numpy archive, which older versions wrote; save it again as .safetensors" in refusal(old)
    with pytest.raises(damier.DamierError, match="a numpy archive"):
        Network.load(old)


def test_files_for_something_else_are_refused(net: Path, tmp_path: Path) -> None:
    assert refusal(BUILT_IN["chess"]) == "holds weights for 'chess', not for a game of loa"
    assert refusal(BUILT_IN["international"], "english") == (
        "tensor 'man squares' has the shape [50, 2], expected [32, 2]"
    )
    assert refusal(net, "chess") == "holds weights for 'loa', not for a game of chess"
    bad = tmp_path / "bad.safetensors"

    def after(edit: Callable[[dict[str, Any]], object], of: Path = net) -> str:
        bad.write_bytes(edited(of, edit))
        return refusal(bad)

    assert "its metadata lack 'scale'" in after(lambda h: h["__metadata__"].pop("scale"))
    assert "'wings' is not a feature set of this game" in after(lambda h: h["__metadata__"].update(features="wings"))
    assert "made for other features by the name of 'quads'" in after(
        lambda h: h["__metadata__"].update(features_sha256="0" * 16)
    )
    assert "'relu6' is not an activation" in after(lambda h: h["__metadata__"].update(activations="tanh relu6"))
    assert "has 4 tensors, expected 2" in after(lambda h: h["__metadata__"].update(activations="tanh"))
    assert "its kind is 'tree'" in after(lambda h: h["__metadata__"].update(kind="tree"))
    assert "tensor 'layers.0.bias' has the shape [2], expected [4]" in after(
        lambda h: h["layers.0.weights"].update(shape=[4, 4])
    )
    assert "tensor 'layers.0.weights' has the shape [16], expected [outputs, inputs]" in after(
        lambda h: h["layers.0.weights"].update(shape=[16])
    )
    assert "has numbers of type I16, expected F32" in after(
        lambda h: h["layers.0.weights"].update(dtype="I16", shape=[4, 8])
    )
    assert "of type 'BOOL', expected I16, U64, F32 or F64" in after(
        lambda h: h["layers.0.weights"].update(dtype="BOOL")
    )
    loa_file = BUILT_IN["loa"]
    assert "'quads' is not a sum of weighted features" in after(
        lambda h: h["__metadata__"].update(features="quads"), loa_file
    )
    assert "has no tensor 'pairs'" in after(lambda h: h.update(couples=h.pop("pairs")), loa_file)


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    mine = Linear("quads", [0.0] * 8)
    with pytest.raises(
        damier.DamierError, match=r"no\.safetensors: the weights have \d+ bytes, expected at most 1 GiB"
    ):
        Weights("loa", "checkpoint", "td", {"much": np.broadcast_to(0.0, 2**27)}).save(tmp_path / "no.safetensors")
    with pytest.raises(damier.DamierError, match="expected a text of one line"):
        mine.save(tmp_path / "x.safetensors", "loa", provenance={"note": "two\nlines"})
    with pytest.raises(damier.DamierError, match=r"no/x.safetensors: No such file"):
        mine.save(tmp_path / "no" / "x.safetensors", "loa")
    with pytest.raises(damier.DamierError, match="'quads' is not a feature set of this game"):
        mine.save(tmp_path / "x.safetensors", "chess")
    with pytest.raises(damier.DamierError, match="need 8 weights, got 1"):
        Linear("quads", [1.0]).save(tmp_path / "x.safetensors", "loa")
    assert list(tmp_path.iterdir()) == []


def test_the_package_safetensors_agrees(net: Path, tmp_path: Path) -> None:
    peer = pytest.importorskip("safetensors.numpy")
    for file in (net, *BUILT_IN.values()):
        ours, theirs = read_weights(file).tensors, peer.load_file(file)
        assert ours.keys() == theirs.keys()
        for name, tensor in ours.items():
            assert tensor.dtype == theirs[name].dtype
            assert np.array_equal(tensor, theirs[name])
    mine = read_weights(net)
    metadata = dict(mine.metadata) | {"game": "loa", "kind": "network", "features": "quads", "sha256": "0" * 64}
    (tmp_path / "theirs.safetensors").write_bytes(sealed(peer.save(dict(mine.tensors), metadata=metadata)))
    board = loa.Board()
    assert board.evaluate(board.evaluator(str(tmp_path / "theirs.safetensors"))) == board.evaluate(
        board.evaluator(str(net))
    )


def test_commands_take_files(net: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", "loa", "--eval", str(net), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["eval"] == str(net)
    assert report["score"] == loa.Board().evaluate(loa.Board().evaluator(str(net)))
    assert run(["analyse", "loa", "--eval", str(net), "--depth", "2"]) == 0
    capsys.readouterr()
    for command in (["eval", "chess"], ["analyse", "chess", "--depth", "2"]):
        assert run([*command, "--eval", str(net)]) == 1
        error = capsys.readouterr().err
        assert "holds weights for 'loa', not for a game of chess" in error
        assert error.count("\n") == 1


def test_players_take_files(net: Path) -> None:
    board = loa.Board()
    for spec in (f"engine:depth=2,eval={net}", f"alphabeta:depth=2,eval={net}"):
        player = players.player(spec)
        player.new_game(board)
        assert player.play(board).move in board.legal_moves
        player.close()


def test_uci_takes_files(net: Path, tmp_path: Path) -> None:
    with Partner("uci") as uci:
        uci.send("uci")
        uci.expect("uciok")
        uci.send("setoption name UCI_Variant value loa", f"setoption name EvalFile value {net}", "eval")
        uci.expect(f"{net}: .* for the side to move")
        uci.send("setoption name UCI_Variant value chess")
        uci.expect("info string option EvalFile: .*holds weights for 'loa', not for a game of chess")
        uci.send("eval")
        uci.expect("nnue: .* for the side to move")
        uci.send(f"setoption name EvalFile value {BUILT_IN['chess']}", "eval")
        uci.expect(f"{BUILT_IN['chess']}: .* for the side to move")
        uci.send("setoption name EvalFile value", "eval")
        uci.expect("nnue: .* for the side to move")
        uci.send(f"setoption name EvalFile value {tmp_path}/none.net")
        uci.expect("info string option EvalFile: .*none.net: no such file")
