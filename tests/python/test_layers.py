"""The rooms of the house and who may look into whom: every include and import is checked."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from common import ROOT

CPP = ROOT / "cpp" / "damier"
PYTHON = ROOT / "python" / "damier"

# Each C++ room with those it may include besides itself.
ROOMS = {
    "base": set(),
    "game": {"base"},
    "eval": {"base", "game"},
    "games/loa": {"base", "game", "eval"},
    "games/chess": {"base", "game", "eval"},
    "games/draughts": {"base", "game", "eval"},
    "search": {"base", "game", "eval"},
    "endgame": {"base", "game", "eval"},
}
ROOMS["engine"] = set(ROOMS)
ROOMS["play"] = {"base", "game", "eval", "search", "engine"}
ROOMS["bindings"] = set(ROOMS)

# Each Python part with those it may import besides itself; packages and modules alike.
PARTS = {
    "_core": set(),
    "version": set(),
    "files": {"_core"},
    "drawing": {"_core"},
    "board": {"_core", "drawing"},
    "jobs": {"_core", "version"},
}
FACES = ("loa", "chess", "draughts")
PARTS |= {face: {"_core", "drawing", "board"} for face in FACES}
PARTS["games"] = {"_core", "board", *FACES}
PARTS["batch"] = {"_core", "board", "games"}
BOARDS = {"_core", "version", "files", "drawing", "board", "games", *FACES}
PARTS["envs"] = {"_core", "batch", "games"}
PARTS |= {"weights": BOARDS, "nnue": BOARDS | {"weights"}, "patterns": BOARDS | {"nnue", "weights"}}
PARTS["eval"] = BOARDS | {"nnue", "patterns", "weights"}
PARTS["engine"] = BOARDS | {"eval"}
PARTS["scorers"] = BOARDS | {"eval", "weights"}
PARTS["records"] = BOARDS | {"engine"}
PARTS["textbook"] = BOARDS | {"engine", "eval"}
PARTS["protocols"] = BOARDS | {"engine"}
PARTS["puct"] = BOARDS | {"batch", "weights"}
PARTS["players"] = BOARDS | {"engine", "textbook", "protocols", "scorers", "weights", "batch", "puct"}
PARTS["terminal"] = BOARDS | {"engine", "players"}
PARTS["storage"] = BOARDS | {"engine", "records"}
PARTS["arena"] = BOARDS | {"engine", "players", "jobs", "records", "storage"}
PARTS["lab"] = PARTS["arena"] | {"arena", "batch", "eval", "nnue", "patterns", "puct", "scorers", "textbook", "weights"}
PARTS["reproduce"] = PARTS["lab"] | {"lab"}
PARTS["web"] = BOARDS | {"engine", "eval", "players", "records", "storage", "textbook", "weights"}
PARTS["cli"] = set(PARTS)
PARTS["__init__"] = set(PARTS)
PARTS["__main__"] = {"cli"}


def room_of(path: str) -> str:
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "games" else parts[0]


def test_every_include_goes_one_way() -> None:
    wrong = []
    for file in sorted([*CPP.rglob("*.h"), *CPP.rglob("*.cpp")]):
        room = room_of(file.relative_to(CPP).as_posix())
        assert room in ROOMS, f"{file} lies in no known room"
        for included in re.findall(r'#include "damier/([^"]+)"', file.read_text()):
            if room_of(included) != room and room_of(included) not in ROOMS[room]:
                wrong.append(f"{file.relative_to(CPP)} includes {included}")
    assert wrong == []


def test_only_bindings_know_python() -> None:
    for file in [*CPP.rglob("*.h"), *CPP.rglob("*.cpp")]:
        if "bindings" not in file.parts:
            assert not re.search(r"#include [<\"](nanobind|Python\.h)", file.read_text()), file


def test_includes_are_written_in_full() -> None:
    for file in [*CPP.rglob("*.h"), *CPP.rglob("*.cpp")]:
        for included in re.findall(r'#include "([^"]+)"', file.read_text()):
            assert included.startswith("damier/"), f"{file} includes {included}"


def imported_parts(file: Path) -> set[str]:
    parts = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            parts |= {alias.name for alias in node.names if alias.name.startswith("damier")}
        elif isinstance(node, ast.ImportFrom) and node.level:
            assert file.parent.name == "_core", f"{file} imports relatively, which hides the way"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("damier"):
            module = node.module or ""
            parts |= {f"damier.{alias.name}" for alias in node.names} if module == "damier" else {module}
    return {part.split(".")[1] if "." in part else "__init__" for part in parts}


def test_every_import_goes_one_way() -> None:
    wrong = []
    for file in sorted(PYTHON.rglob("*.py")):
        part = file.relative_to(PYTHON).parts[0].removesuffix(".py")
        assert part in PARTS, f"{file} belongs to no known part"
        for imported in imported_parts(file) - {part}:
            if imported in PARTS and imported not in PARTS[part]:
                wrong.append(f"{file.relative_to(PYTHON)} imports {imported}")
    assert wrong == []


def test_files_stay_readable() -> None:
    """A file past 500 lines usually holds two ideas."""
    sources = [*CPP.rglob("*.h"), *CPP.rglob("*.cpp"), *PYTHON.rglob("*.py")]
    assert [file.name for file in sources if len(file.read_text().splitlines()) > 500] == []
