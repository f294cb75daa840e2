"""What a person does on a board, by pointer, finger or keys."""

from __future__ import annotations

import random
from typing import Any

MOVES = "[data-state=may_move], [data-state=must_capture]"


class BoardPage:
    """The board of a page; squares are found by their names, and what may be done by what the cells say."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.wait_for_selector(".board .piece")

    def cell(self, square: str) -> Any:
        return self.page.locator(f'[data-square="{square}"]')

    def middle(self, square: str) -> tuple[float, float]:
        box = self.cell(square).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, *squares: str) -> None:
        for square in squares:
            self.page.mouse.click(*self.middle(square))

    def tap(self, *squares: str) -> None:
        for square in squares:
            self.page.touchscreen.tap(*self.middle(square))

    def drag(self, start: str, end: str) -> None:
        self.page.mouse.move(*self.middle(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.middle(end), steps=4)
        self.page.mouse.up()

    def squares(self, selector: str) -> list[str]:
        found: list[str] = self.page.locator(selector).evaluate_all("cells => cells.map(cell => cell.dataset.square)")
        return found

    def moves(self) -> list[str]:
        """The moves of the list, once it has been told of the last one."""
        found: list[str] = self.page.locator(".moves button").all_inner_texts()
        return found

    def wait_for_moves(self, count: int) -> None:
        self.page.wait_for_function("n => document.querySelectorAll('.moves button').length >= n", arg=count)

    def wait_for_turn(self) -> bool:
        """Wait until it is one's turn; False once the game is over."""
        self.page.wait_for_selector(f"{MOVES}, .status.over", state="attached")
        return self.page.locator(".status.over").count() == 0

    # Keys.

    def go_to_board(self) -> None:
        for _ in range(60):
            if self.page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
                return
            self.page.keyboard.press("Tab")
        raise AssertionError("Tab never comes to the board")

    def go_to(self, square: str) -> None:
        """Walk to a square with the arrow keys."""
        for _ in range(60):
            here = self.page.evaluate("document.activeElement.dataset.square")
            if here == square:
                return
            (x, y), (to_x, to_y) = self.middle(here), self.middle(square)
            rows = "ArrowUp" if to_y < y else "ArrowDown"
            self.page.keyboard.press(rows if abs(y - to_y) > 3 else "ArrowLeft" if to_x < x else "ArrowRight")
        raise AssertionError(f"the arrow keys do not lead to {square}")

    def play_by_keys(self, rng: random.Random) -> None:
        """Play any legal move, landing by landing, and take the first piece where one must be chosen."""
        self.go_to(rng.choice(self.squares(MOVES)))
        self.page.keyboard.press("Enter")
        while targets := self.squares("[data-state=may_land]"):
            self.go_to(rng.choice(targets))
            self.page.keyboard.press("Enter")
            if self.page.locator(".choice").count():
                self.page.wait_for_function("() => document.activeElement.closest('.choice')")
                self.page.keyboard.press("Enter")

    def play_by_clicks(self, rng: random.Random, *, fingers: bool = False) -> None:
        press = self.tap if fingers else self.click
        press(rng.choice(self.squares(MOVES)))
        while targets := self.squares("[data-state=may_land]"):
            press(rng.choice(targets))
            if self.page.locator(".choice").count():
                self.page.click(".choice button >> nth=0")


def import_game(page: Any, text: str) -> str:
    """Import a game; the address of its analysis."""
    found = page.evaluate(
        """async text => (await fetch("/api/games/import", {
            method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify({text})
        })).json()""",
        text,
    )
    return f"/analyse/game/{found['games'][0]['id']}"


def new_game(page: Any, variant: str, *, opponent: str = "Person", side: str | None = None, fen: str = "") -> BoardPage:
    """Begin a game by the dialog of the first page, in English."""
    page.click(".more >> nth=0")
    page.select_option("dialog select >> nth=0", variant)
    page.get_by_label(opponent, exact=True).check()
    if opponent == "Level":
        page.locator("dialog input[type=range]").fill("1")
    if side:
        page.get_by_label(side, exact=True).check()
    if fen:
        page.click("dialog summary")
        page.fill("dialog details input", fen)
    page.click("dialog button.primary")
    page.wait_for_url("**/play/*")
    return BoardPage(page)
