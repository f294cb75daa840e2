"""Examples in docstrings and in the documentation run as written."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest
from common import ROOT

import damier

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(damier.__path__, "damier.")
    if not module.name.startswith(("damier._core", "damier.__main__"))
)
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


@pytest.mark.parametrize("name", ["damier", *MODULES])
def test_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8").failed == 0


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if "://" not in target and not (page.parent / target).exists()] == []


def test_every_game_has_a_page_under_the_same_headings() -> None:
    headings = ["Rules", "Variants", "Notation", "FEN", "Features", "Results"]
    for game in ("loa", "chess", "draughts"):
        lines = (ROOT / "docs" / f"{game}.md").read_text().splitlines()
        assert [line[3:] for line in lines if line.startswith("## ")] == headings
