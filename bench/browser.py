"""How the pages feel on a slow phone: frames while pieces glide, and how soon a first move is possible.

    python bench/browser.py [--slowdown 4] [--moves 12]

Debian's Chromium on a phone-sized viewport, its processor slowed down as the developer tools do it, against a server of
its own. A frame counts as late when more than 1.5 of its 60ths of a second have passed since the one before.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from page import print_page

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/browser"))

from board_page import BoardPage
from site_of import Site

FRAME_MS = 1000 / 60
FRAMES = """() => new Promise(resolve => {
    const times = [];
    const step = now => {
        times.push(now);
        const gliding = document.querySelector(".piece.gliding");
        if (gliding || times.length < 20) requestAnimationFrame(step);
        else resolve(times.slice(1).map((time, i) => time - times[i]));
    };
    requestAnimationFrame(step);
})"""


def frames(board: BoardPage, moves: int) -> list[float]:
    """Milliseconds between frames while moves are gone back and forward through."""
    found: list[float] = []
    for number in range(moves):
        board.page.click(f".steps button >> nth={1 if number % 2 == 0 else 2}", no_wait_after=True)
        found += board.page.evaluate(FRAMES)
    return found


def first_move_s(context: Any, url: str) -> float:
    """Seconds from opening the first page to a piece that may be moved."""
    page = context.new_page()
    page.goto(url, wait_until="commit")
    page.click(".start >> nth=0")
    page.wait_for_selector("[data-state=may_move]", state="attached")
    took: float = page.evaluate("performance.now() / 1000")
    page.close()
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slowdown", type=float, default=4.0, help="how many times slower the processor is")
    parser.add_argument("--moves", type=int, default=12, help="moves that are animated")
    parser.add_argument("--write", type=Path, help="keep the page as a file")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Site(Path(folder) / "web.db") as site, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        opened = [first_move_s(context, site.url) for _ in range(3)]
        page = context.new_page()
        page.goto(f"{site.url}/analyse/chess?moves=e4+e5+Nf3+Nc6+Bc4+Bc5")
        board = BoardPage(page)
        page.get_by_role("switch", name="Engine on").uncheck(force=True)
        slow = context.new_cdp_session(page)
        slow.send("Emulation.setCPUThrottlingRate", {"rate": given.slowdown})
        gaps = frames(board, given.moves)
        browser.close()
    late = sum(gap > 1.5 * FRAME_MS for gap in gaps)
    lines = [
        f"first move possible after {min(opened):.2f} s, the best of {len(opened)}; {max(opened):.2f} s the worst",
        f"frames at {given.slowdown:g}x slowdown: {1000 / statistics.median(gaps):.0f} a second by the median, "
        f"{1000 / statistics.mean(gaps):.0f} by the mean, {late} of {len(gaps)} late",
    ]
    print_page(lines, given.write)


if __name__ == "__main__":
    main()
