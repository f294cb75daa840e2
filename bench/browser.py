"""How the pages feel on a slow phone: frames while pieces glide or are dragged, and how soon a first move is possible.

    python bench/browser.py [--slowdown 4] [--moves 12] [--runs 3] [--write docs/results/web.md]

Debian's Chromium on a phone-sized viewport, its processor slowed down as the developer tools do it, against a server of
its own. Frames are those that the compositor reports, as the developer tools count them: each 60th of a second in which
a piece is on its way either shows it at its new place or is dropped. The best of several runs is shown, as other work
on the machine can only make things slower.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import sync_playwright

from page import print_page

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/browser"))

from board_page import MOVES, BoardPage, new_game
from site_of import Site

PHONE = {"width": 390, "height": 844}
OPENING = "/analyse/chess?moves=e4+e5+Nf3+Nc6+Bc4+Bc5"
TRACED = ["cc", "benchmark", "blink.user_timing"]
# A person who clicks as soon as there is something to click.
EAGER = """
    const at = window.at = {};
    const look = () => {
        const start = document.querySelector(".start");
        if (start && at.ready === undefined) { at.ready = performance.now(); start.click(); }
        if (document.querySelector("[data-state=may_move]")) at.move = performance.now();
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
"""


class Frames(NamedTuple):
    """Frames in which a piece was on its way."""

    shown: int
    dropped: int

    @property
    def rate(self) -> float:
        return 60 * self.shown / max(1, self.shown + self.dropped)

    def row(self, name: str) -> str:
        return f"| {name} | {self.shown + self.dropped} | {self.dropped} | {self.rate:.1f} |"


def frames_of(events: list[dict[str, Any]], *, dragging: bool) -> Frames:
    """Frames shown and dropped while a piece glides, or between the marks of a drag."""
    marks = {event["name"]: event["ts"] for event in events if event["name"] in ("drag", "drop") and "ts" in event}
    states = []
    for event in events:
        about = event.get("args", {}).get("frame_reporter")
        if event["name"] != "PipelineReporter" or not about:
            continue
        wanted = marks["drag"] <= event["ts"] <= marks["drop"] if dragging else about["has_compositor_animation"]
        if wanted:
            states.append(about["state"])
    shown = sum(state.startswith("STATE_PRESENTED") for state in states)
    return Frames(shown, states.count("STATE_DROPPED"))


def steps(board: BoardPage, moves: int) -> None:
    """Go back and forward through the moves of a game."""
    for number in range(moves):
        board.page.keyboard.press("ArrowLeft" if number % 2 == 0 else "ArrowRight")
        board.page.wait_for_timeout(400)


def quiet_steps(board: BoardPage, moves: int) -> None:
    """The same without an engine."""
    engine_off(board)
    steps(board, moves)


def engine_off(board: BoardPage) -> None:
    board.page.get_by_role("switch", name="Engine on").uncheck(force=True)


def drag(board: BoardPage, moves: int) -> None:
    """Carry a piece about and put it back where it was."""
    engine_off(board)
    home, corners = board.middle("e2"), [board.middle("g3"), board.middle("b6")]
    board.page.mouse.move(*home)
    board.page.mouse.down()
    board.page.mouse.move(*corners[0], steps=5)
    board.page.evaluate("() => { performance.mark('drag'); }")
    for number in range(moves):
        board.page.mouse.move(*corners[(number + 1) % 2], steps=20)
    board.page.evaluate("() => { performance.mark('drop'); }")
    board.page.mouse.move(*home, steps=5)
    board.page.mouse.up()


def play(board: BoardPage, moves: int) -> None:
    """Play against an engine that answers at once."""
    for _ in range(moves // 2):
        if not board.wait_for_turn():
            return
        board.tap(board.squares(MOVES)[0])
        while targets := board.squares("[data-state=may_land]"):
            board.tap(targets[0])
        board.page.wait_for_timeout(600)


SCENES: tuple[tuple[str, str, Callable[[BoardPage, int], None]], ...] = (
    ("going through a game of chess", OPENING, quiet_steps),
    ("the same while the engine analyses", OPENING, steps),
    ("playing international draughts against level 1", "/", play),
    ("dragging a piece around", "/analyse/chess", drag),
)


@contextmanager
def phone(browser: Any, slowdown: float) -> Iterator[Any]:
    """A page of a browser that knows nothing of the site."""
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    yield page
    context.close()


def scene(browser: Any, url: str, do: Callable[[BoardPage, int], None], given: argparse.Namespace) -> Frames:
    with phone(browser, given.slowdown) as page:
        page.goto(url)
        board = new_game(page, "international", opponent="Level", side="White") if do is play else BoardPage(page)
        browser.start_tracing(page=page, categories=TRACED)
        do(board, given.moves)
        events = json.loads(browser.stop_tracing())["traceEvents"]
    return frames_of(events, dragging=do is drag)


def first_move_ms(browser: Any, url: str, slowdown: float) -> tuple[float, float]:
    """From opening the first page until it can be clicked, and until a piece may be moved."""
    with phone(browser, slowdown) as page:
        page.add_init_script(EAGER)
        page.goto(url, wait_until="commit")
        page.wait_for_function("() => window.at.move !== undefined")
        ready, move = page.evaluate("[window.at.ready, window.at.move]")
    return ready, move


def lines(site: Site, browser: Any, given: argparse.Namespace) -> Iterator[str]:
    yield "`python bench/browser.py --write docs/results/web.md`"
    yield ""
    yield f"From opening the first page, with an empty cache; the best of {2 * given.runs} runs."
    yield ""
    yield "| processor | page loaded, ms | first move possible, ms |"
    yield "|---|---|---|"
    for slowdown in (1.0, given.slowdown):
        times = [first_move_ms(browser, site.url, slowdown) for _ in range(2 * given.runs)]
        ready, move = (min(column) for column in zip(*times, strict=True))
        yield f"| {f'{slowdown:g} times slower' if slowdown > 1 else 'as it is'} | {ready:.0f} | {move:.0f} |"
    yield ""
    runs = f"the best of {given.runs} runs of {given.moves} moves, load average {os.getloadavg()[0]:.1f}"
    yield f"Frames on a processor {given.slowdown:g} times slower; {runs}."
    yield ""
    yield "| | frames | dropped | frames per second |"
    yield "|---|---|---|---|"
    for name, path, do in SCENES:
        found = [scene(browser, site.url + path, do, given) for _ in range(given.runs)]
        yield max(found, key=lambda each: each.rate).row(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slowdown", type=float, default=4.0, help="how many times slower the processor is")
    parser.add_argument("--moves", type=int, default=12, help="moves that are animated")
    parser.add_argument("--runs", type=int, default=3, help="of everything, of which the best is shown")
    parser.add_argument("--write", type=Path, help="keep the section in a page")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Site(Path(folder) / "web.db") as site, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        print_page(lines(site, browser, given), given.write, section="On a slow phone")
        browser.close()


if __name__ == "__main__":
    main()
