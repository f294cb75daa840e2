"""Draw browser.png, the picture of the pages in the README: a review on a laptop, a game on a phone.

    python docs/images/make_browser.py

Needs the pages (`make web`), Playwright and Chromium, as the tests of the browser do.
"""

from __future__ import annotations

import base64
import shutil
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2] / "tests/browser"))

from board_page import BoardPage, import_game, new_game
from site_of import Site

OPERA = """[White "Paul Morphy"]
[Black "Duke of Brunswick"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""
PAGE = """<!doctype html><style>
    body {{ margin: 0; width: 1600px; height: 880px; position: relative; background: #fff }}
    img {{ position: absolute; display: block; border-radius: 14px; box-shadow: 0 0 0 1px #0002, 0 18px 50px #0004 }}
    .laptop {{ left: 30px; top: 30px; width: 1240px }}
    .phone {{ right: 30px; bottom: 30px; width: 340px; border: 9px solid #1b1a18; border-radius: 34px }}
</style><img class="laptop" src="{laptop}"><img class="phone" src="{phone}">"""


def laptop(browser: Any, url: str) -> bytes:
    """The review of a game."""
    page = browser.new_page(viewport={"width": 1280, "height": 800}, device_scale_factor=1.5, locale="en-GB")
    page.goto(url)
    page.goto(url + import_game(page, OPERA))
    BoardPage(page)
    page.get_by_role("tab", name="Review").click()
    page.click(".review .start")
    page.wait_for_selector(".review .graph", timeout=120_000)
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.querySelectorAll('.engine li .moves button').length > 12")
    page.wait_for_timeout(4000)
    return bytes(page.screenshot())


def phone(browser: Any, url: str) -> bytes:
    """A game of Lines of Action, in the dark."""
    size = {"width": 390, "height": 780}
    page = browser.new_page(viewport=size, device_scale_factor=1.5, color_scheme="dark", locale="en-GB")
    page.goto(url)
    board = new_game(page, "loa", opponent="Level", side="Black")
    dice = Random(7)
    for _ in range(6):
        board.wait_for_turn()
        before = len(board.moves())
        board.play_by_clicks(dice)
        board.wait_for_moves(before + 2)
    board.wait_for_turn()
    board.click(board.squares("[data-state=may_move]")[2])
    page.wait_for_timeout(600)
    return bytes(page.screenshot())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Site(Path(folder) / "web.db") as site, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        shots = {"laptop": laptop(browser, site.url), "phone": phone(browser, site.url)}
        page = browser.new_page(viewport={"width": 1600, "height": 880})
        told = {name: f"data:image/png;base64,{base64.b64encode(shot).decode()}" for name, shot in shots.items()}
        page.set_content(PAGE.format(**told))
        page.screenshot(path=Path(__file__).with_name("browser.png"))
        browser.close()


if __name__ == "__main__":
    main()
