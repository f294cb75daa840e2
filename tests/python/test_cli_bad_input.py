"""Whatever is given to a command is taken or refused in one line; no traceback reaches a user."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from common import assert_told_in_one_line

import damier
from damier.cli.app import run
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
        assert_told_in_one_line(capsys, 2, args, words)
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize("command", ["tournament", "tune", "suite"])
def test_an_empty_file_name_is_told(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_told_in_one_line(capsys, 2, [command, ""], "'' is empty, expected the name of a file or folder")


@pytest.mark.parametrize("option", ["--skip", "--every", "--mix", "--prior", "--steps", "--threads", "--seed"])
@pytest.mark.parametrize("number", ["1_0", "\u0661", "\uff11"])
def test_numbers_of_nested_commands_are_in_plain_digits(
    option: str, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for given in ([option, number], [f"{option}={number}"]):
        args = ["learn", "classic", "loa5", "--games", "none", "--out", "w.safetensors", *given]
        assert_told_in_one_line(capsys, 2, args, f"'{option}': {number!r} is not a number in plain digits")


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
run(["perft", "loa5", "1"])
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
if os.getuid() == 0:  # whom the limit does not bind
    os.setuid(65534)
sys.exit(run(["analyse", "loa", "--depth", "3"]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux to take the threads away")
def test_no_threads_left_is_told() -> None:
    done = python(NO_THREADS)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("damier: the system has no thread")


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
