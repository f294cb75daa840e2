"""Whatever is given to a command is taken or refused in one line; no traceback reaches a user."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import damier
from damier.cli.app import PANELS, root, run
from damier.eval import Layer, Network

BROKEN = ("\udcff", "\x1b[31m", "[/]", "", "x" * 5000)  # a byte that is not text, an escape, markup, nothing, too much
NUMBERS = ("x", "nan", "1_000", "\u0663", "-1", "0x10", "9" * 5000, "")
GAMES = ("show", "analyse", "eval", "play", "bench", "ladder")
POSITIONS = ("show", "analyse", "eval", "play", "compare")
LIMITS = ("depth", "nodes", "threads", "multipv")
FILES = (
    "deep.toml",
    "long.toml",
    "bytes.toml",
    "empty.toml",
    "huge.toml",
    "folder",
    "bytes.epd",
    "huge.epd",
    "digit.epd",
)

CASES: list[list[str]] = [
    *([command, text] for command in GAMES for text in BROKEN if command != "ladder" or text),
    *(["perft", text, "1"] for text in BROKEN),
    *(["compare", text] for text in BROKEN),
    *(["trace", text, "--out", "t.svg"] for text in BROKEN),
    *(["match", text, "random", "random"] for text in BROKEN),
    *(["selfplay", text, "--games", "1", "--out", "new"] for text in BROKEN),
    *(["simulate", text, "--games", "1"] for text in BROKEN),
    *(["learn", "classic", text, "--games", "folder", "--out", "w.h"] for text in BROKEN),
    *([command, "chess", "--fen", text] for command in POSITIONS for text in BROKEN),
    *(["simulate", "chess", "--games", "1", "--fen", text] for text in BROKEN),
    *(["selfplay", "chess", "--games", "1", "--out", "new", "--fen", text] for text in BROKEN),
    *([command, "chess", "--moves", f"e4 {text or '?'}"] for command in ("show", "analyse", "eval") for text in BROKEN),
    *(["analyse", "loa", "--eval", text] for text in BROKEN),
    *(["eval", "loa", "--eval", text] for text in BROKEN if text),
    *(["compare", "loa", "--algorithms", text] for text in BROKEN),
    *(["compare", "loa", "--ordering", text] for text in BROKEN),
    *(["compare", "loa", "--plot", text] for text in BROKEN),
    *(["trace", "loa", "--out", text] for text in BROKEN),
    *(["match", "loa5", text, "random", "--games", "2"] for text in BROKEN),
    *(["match", "loa5", f"engine:eval={text or '?'}", "random", "--games", "2"] for text in BROKEN),
    *(["match", "loa5", f"uci:{text}", "random", "--games", "2"] for text in BROKEN),
    *(["match", "loa5", f"random:{text or '?'}", "random", "--games", "2"] for text in BROKEN),
    *(["play", "loa5", "--white", text or "?", "--black", "random"] for text in BROKEN),
    *(["match", "loa5", "random", "random", "--sprt", text or ","] for text in BROKEN),
    *(["match", "loa5", "random", "random", "--openings", text or "."] for text in BROKEN),
    *(["match", "loa5", "random", "random", "--tc", text or "+"] for text in BROKEN),
    *(["database", text or "none.db"] for text in BROKEN),
    *(["database", f"{text}://x"] for text in BROKEN),
    *([text or "-"] for text in BROKEN),
    *([f"--{text or 'x'}"] for text in BROKEN),
    *(["analyse", "loa5", f"--{option}", text] for option in LIMITS for text in NUMBERS),
    *(["analyse", "loa5", "--time", text] for text in NUMBERS),
    *(["perft", "loa5", text] for text in NUMBERS),
    *(["play", "loa5", f"--{option}", text] for option in ("level", "elo") for text in NUMBERS),
    *(["match", "loa5", f"engine:{key}={text}", "random"] for key in ("nodes", "time", "elo") for text in NUMBERS),
    *(["match", "loa5", f"mcts:nodes={text}", "random"] for text in NUMBERS),
    *(["match", "loa5", "random", "random", option, text] for option in ("--games", "--nodes") for text in NUMBERS),
    *(["sprt", "--counts", f"1,2,3,4,{text}", "--bounds", "0,5"] for text in NUMBERS),
    *(["sprt", "--counts", "1,2,3,4,5", "--bounds", f"0,{text}"] for text in NUMBERS),
    *(["sprt", "--counts", "1,2,3,4,5", "--bounds", "0,5", "--alpha", text] for text in NUMBERS),
    *(["compare", "loa5", option, text] for option in ("-d", "--hash", "--aspiration") for text in NUMBERS),
    *(["simulate", "loa5", "--games", text] for text in NUMBERS),
    *(["selfplay", "loa5", "--games", "1", "--out", "new", "--nodes", text] for text in NUMBERS),
    *(["suite", name] for name in FILES if name != "empty.toml"),
    *(["tournament", name] for name in FILES),
    *(["tune", name] for name in FILES),
    *(["database", name] for name in FILES),
    *(["database", "none.db", "--export", name] for name in FILES),
    *(["match", "loa5", "random", "random", "--games", "2", "--openings", name] for name in FILES),
    *(["selfplay", "loa5", "--games", "1", "--out", "new", "--weights", name] for name in FILES),
    *(["learn", "classic", "loa", "--games", name, "--out", "w.h"] for name in FILES),
    *(["match", "loa5", "random", "random", "--games", "2", "--out", name] for name in FILES if name != "folder"),
    *(["simulate", "loa5", "--games", "1", "--out", name] for name in FILES if name != "folder"),
    ["show", "loa", "--svg", "folder"],
    ["show", "loa", "--svg", "no/such/folder.svg"],
    ["bench", "loa5", "--write", "folder"],
    ["trace", "loa5", "-d", "1", "--out", "no/such/tree.svg"],
    ["compare", "loa5", "-d", "1", "--plot", "no/such/nodes.svg"],
]  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of files that no command should be given."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "deep.toml").write_text("a = " + "[" * 3000 + "]" * 3000)
    (tmp_path / "long.toml").write_text(".".join(["a"] * 3000) + " = 1\n")
    (tmp_path / "bytes.toml").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "empty.toml").write_text("")
    (tmp_path / "huge.toml").write_text("games = " + "9" * 5000)
    (tmp_path / "bytes.epd").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "huge.epd").write_text("6k1/5ppp/8/8/8/8/8/R3K3 w - - dm " + "9" * 5000 + ";\n")
    (tmp_path / "digit.epd").write_text("6k1/5ppp/8/8/8/8/8/R3K3 w - - dm \u0661;\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(case: list[str]) -> str:
    return " ".join(word[:20] for word in case).encode("ascii", "backslashreplace").decode()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("case", CASES, ids=shown)
def test_bad_input_is_one_line(case: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code = run(case)
    printed = capsys.readouterr()
    assert code in (1, 2)
    assert printed.out == ""
    assert printed.err.startswith("damier")
    assert printed.err.count("\n") == 1
    assert printed.err.rstrip("\n").isprintable()
    assert len(printed.err) < 700


REFUSED = [
    (2, ["frobnicate"], "No such command 'frobnicate'"),
    (2, ["show"], "Missing argument 'GAME'"),
    (2, ["show", "chess", "--flp"], "No such option: --flp"),
    (2, ["perft", "chess"], "Missing argument 'DEPTH'"),
    (2, ["perft", "chess", "-1"], "'DEPTH'"),
    (2, ["perft", "chess", "1000"], "'DEPTH'"),
    (2, ["perft", "chess", "deep"], "'DEPTH'"),
    (2, ["perft", "chess", "2", "--threads", "0"], "'--threads'"),
    (2, ["perft", "chess", "0", "--divide"], "--divide needs a DEPTH of at least 1"),
    (1, ["perft", "go", "2"], "'go' is not a game, expected one of loa"),
    (1, ["show", "loa9"], "'loa9' is not a game"),
    (1, ["show", "loa6:nonsense"], "'loa6:nonsense' is not a game"),
    (1, ["show", "chess", "--fen", "nonsense"], "--fen: "),
    (1, ["show", "chess", "--fen", ""], "--fen: "),
    (1, ["show", "loa", "--fen", "8/8 x"], "--fen: "),
    (1, ["show", "english", "--fen", "W:W99:B1"], "--fen: "),
    (1, ["show", "chess", "--moves", "e4 e5 Ke3"], "--moves, move 3: 'Ke3' is illegal"),
    (1, ["show", "chess", "--moves", "héhé"], "--moves, move 1: "),
    (1, ["show", "chess", "--moves", "e4 \udcff"], "--moves, move 2: "),
    (1, ["show", "chess", "--fen", "\udcff"], "--fen: "),
    (1, ["show", "loa", "--moves", "b1-b3 b1"], "--moves, move 2: "),
    (1, ["show", "international", "--moves", "32-29"], "--moves, move 1: "),
    (1, ["show", "chess", "--fen", "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "--moves", "Ra3"], "fits R1a3 and R5a3"),
    (1, ["show", "loa", "--svg", "/nowhere/board.svg"], "/nowhere/board.svg: No such file or directory"),
    (1, ["show", "loa", "--svg", "/"], "/: Is a directory"),
    (1, ["play", "loa", "--white", "wizard"], "player 'wizard': 'wizard' is not a kind of player"),
    (1, ["play", "loa", "--black", "random:seed=x"], "seed is 'x'"),
    (1, ["play", "go"], "'go' is not a game"),
    (2, ["play", "loa", "--level", "11"], "'--level'"),
    (2, ["play", "loa", "--level", "3", "--elo", "1500"], "give --level or --elo, not both"),
    (2, ["play", "loa", "--white", "random", "--level", "3"], "--level and --elo are for the opponent"),
    (1, ["play", "loa", "--elo", "9999"], "elo is 9999, expected "),
    (1, ["analyse", "go"], "'go' is not a game"),
    (1, ["analyse", "chess", "--fen", "nonsense"], "--fen: "),
    (1, ["analyse", "chess", "--eval", "nonsense"], "'nonsense' is not an evaluation of this game"),
    (1, ["analyse", "chess", "--hash", "99999999999"], "hash is 99999999999, expected 1 to "),
    (1, ["analyse", "chess", "--hash", "4000000"], "a table of 4000000 MiB does not fit into the "),
    (2, ["analyse", "chess", "--threads", "1000000000"], "'--threads'"),
    (2, ["analyse", "chess", "--time", "0"], "'--time'"),
    (2, ["analyse", "chess", "--time", "nan"], "'--time'"),
    (2, ["analyse", "chess", "--depth", "-3"], "'--depth'"),
    (2, ["analyse", "chess", "--nodes", "0"], "'--nodes'"),
    (2, ["analyse", "chess", "--multipv", "0"], "'--multipv'"),
    (1, ["bench", "go"], "'go' has no bench, expected one of loa"),
    (1, ["suite", "/nowhere.epd"], "/nowhere.epd: No such file or directory"),
    (2, ["compare"], "Missing argument 'GAME'"),
    (2, ["compare", "loa", "--depth", "0"], "'--depth'"),
    (2, ["compare", "loa", "--depth", "99"], "'--depth'"),
    (2, ["compare", "loa", "--plot", "nodes.gif"], "expected a name ending in .svg"),
    (2, ["compare", "loa", "--algorithms", ","], "no algorithm is named"),
    (1, ["compare", "loa", "--algorithms", "minmax"], "'minmax' is not an algorithm"),
    (1, ["compare", "go"], "'go' is not a game"),
    (1, ["compare", "loa", "--fen", "nonsense"], "--fen: "),
    (1, ["compare", "loa", "--eval", "vibes"], "'vibes' is not an evaluation"),
    (1, ["compare", "loa", "--aspiration", "5"], "aspiration needs iterative deepening"),
    (1, ["compare", "loa", "--depth", "1", "--plot", "/nowhere/nodes.svg"], "/nowhere/nodes.svg: No such file"),
    (2, ["trace", "loa"], "Missing option '--out'"),
    (2, ["trace", "loa", "--out", "tree.pdf"], "tree.pdf should end in .json, .dot or .svg"),
    (2, ["trace", "loa", "--out", "tree.svg", "--cap", "0"], "'--cap'"),
    (1, ["trace", "loa", "--out", "/nowhere/tree.svg", "--depth", "1"], "/nowhere/tree.svg: No such file"),
    (1, ["trace", "loa", "--out", "/nowhere/tree.svg", "--ordering", "x"], "'x' is not an ordering"),
]


def assert_refused(capsys: pytest.CaptureFixture[str], code: int, args: list[str], words: str) -> None:
    """A command leaves with a code, and one line that says why."""
    assert run(args) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert words in printed.err
    assert printed.err.startswith("damier")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("code", "args", "words"), REFUSED, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_what_was_wrong_is_said(code: int, args: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(capsys, code, args, words)


PATH_OPTIONS = [
    ["match", "loa5", "random", "random", "--games", "2", "--out"],
    ["tournament", "cup.toml", "--out"],
    ["tune", "space.toml", "--out"],
    ["ladder", "loa5", "--out"],
    ["ladder", "loa5", "--write"],
    ["simulate", "loa5", "--games", "1", "--out"],
    ["selfplay", "loa5", "--games", "1", "--out"],
    ["learn", "classic", "loa5", "--out", "w.safetensors", "--games"],
    ["learn", "classic", "loa5", "--games", "folder", "--out"],
    ["learn", "td", "loa5", "--out", "w.safetensors", "--games"],
    ["trace", "loa5", "--out"],
    ["compare", "loa5", "--plot"],
    ["show", "loa5", "--svg"],
    ["bench", "loa5", "--write"],
    ["database", "none.db", "--export"],
]


@pytest.mark.parametrize("case", PATH_OPTIONS, ids=shown)
def test_an_empty_name_is_not_the_current_folder(
    case: list[str], capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    before = sorted(here.rglob("*"))
    for args in ([*case, ""], [*case[:-1], f"{case[-1]}="]):
        words = f"'{case[-1]}': it is empty, expected the name of a file or folder"
        assert_refused(capsys, 2, args, words)
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize("command", ["tournament", "tune", "suite"])
def test_an_empty_file_name_is_refused(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(capsys, 2, [command, ""], "'' is empty, expected the name of a file or folder")


@pytest.mark.parametrize("option", ["--skip", "--every", "--mix", "--prior", "--steps", "--threads", "--seed"])
@pytest.mark.parametrize("number", ["1_0", "\u0661", "\uff11"])
def test_numbers_of_nested_commands_are_in_plain_digits(
    option: str, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for given in ([option, number], [f"{option}={number}"]):
        args = ["learn", "classic", "loa5", "--games", "none", "--out", "w.safetensors", *given]
        assert_refused(capsys, 2, args, f"'{option}': {number!r} is not a number in plain digits")


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("module", ["damier._core", "damier.chess", "typer", "damier.cli.app", "damier.engine"])
def test_ctrl_c_while_loading_is_quiet(module: str) -> None:
    done = python(f"""
import sys
class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupts())
sys.argv = ["damier", "show", "loa"]
from damier.cli import main
main()
""")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


NO_THREADS = """
import os, resource, sys
from damier.cli.app import run
run(["analyse", "loa5", "--depth", "1"])  # libraries start threads of their own when they are loaded
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
if os.getuid() == 0:  # whom the limit does not bind
    os.setuid(65534)
sys.exit(run(["analyse", "loa", "--depth", "3"]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux to take the threads away")
def test_no_threads_left_is_reported() -> None:
    done = python(NO_THREADS)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("damier: the system has no thread")


NESTED = """
from damier.cli.app import run
from damier.storage.run import RunFolder
def deep(*_): return deep()
RunFolder._refuse_others = deep
raise SystemExit(run(["simulate", "loa5", "--games", "2", "--out", "run"]))
"""


def test_what_is_nested_too_deeply_is_not_taken_for_a_lack_of_threads(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", NESTED], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "damier: the input is nested too deeply\n")


@pytest.mark.parametrize("command", ["show loa", "games --json", "perft loa5 1", "analyse loa5 --depth 1"])
def test_a_closed_output_is_no_traceback(command: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m damier {command} >&-"], capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr


def test_a_damaged_network_is_refused_wherever_the_damage_is(tmp_path: Path) -> None:
    file = tmp_path / "net.safetensors"
    Network("quads", [Layer([[1.0] * 8])], name="sum").save(file, "loa")
    sound = file.read_bytes()
    for at in range(0, len(sound), 5):
        file.write_bytes(sound[:at] + bytes([sound[at] ^ 0xFF]) + sound[at + 1 :])
        with pytest.raises(damier.DamierError):
            Network.load(file)


@pytest.mark.parametrize("value", ["inf", "-inf", "nan", "1e999"])
def test_numbers_that_are_not_finite_are_bad_usage(capsys: pytest.CaptureFixture[str], value: str) -> None:
    assert run(["analyse", "loa", f"--time={value}"]) == 2
    assert "'--time': " in capsys.readouterr().err


@pytest.mark.parametrize("command", [name for names in PANELS.values() for name in names])
def test_every_number_in_a_help_text_has_a_name(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert run([command, "--help"]) == 0
    assert not re.search("--.*range>", capsys.readouterr().out)


@pytest.mark.parametrize("method", root("learn").commands["learn"].commands)
def test_every_number_in_the_help_of_a_method_has_a_name(capsys: pytest.CaptureFixture[str], method: str) -> None:
    assert run(["learn", method, "--help"]) == 0
    assert not re.search("--.*range>", capsys.readouterr().out)
