"""Journeys of people who analyse, and keep their games."""

from __future__ import annotations

import json
import re

from board_page import BoardPage, import_game

MORPHY = """[White "Morphy"]
[Black "Duke"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 1-0
"""


def test_lines_stream_and_can_be_followed(visit):
    page = visit("/analyse/loa")
    board = BoardPage(page)
    page.wait_for_selector(".engine li .moves button")
    page.wait_for_selector(".arrow.best", state="attached")
    assert page.inner_text(".engine li >> nth=0 >> .moves").startswith("1. ")
    page.click(".engine li >> nth=0 >> .moves button >> nth=1")
    page.wait_for_function("() => document.querySelectorAll('[role=region] button').length === 2")
    page.wait_for_url(re.compile(r"moves=[^+]+\+[^+]+$"))  # both of them
    page.reload()
    BoardPage(page)
    page.wait_for_function("() => document.querySelectorAll('[role=region] button').length === 2")
    assert board.page.locator(".engine [role=switch]").is_checked()


def test_the_terms_of_an_evaluation_are_drawn(visit):
    page = visit("/analyse/loa")
    BoardPage(page)
    page.get_by_role("tab", name="Terms").click()
    page.wait_for_selector(".point", state="attached")
    page.click(".terms tbody button:has-text('piece b8')")  # a network says what each piece is worth
    page.wait_for_selector(".mark", state="attached")
    page.select_option(".terms select", "classic")
    page.click(".terms tbody button:has-text('Groups')")
    page.wait_for_selector(".mark.group", state="attached")
    page.select_option(".terms select", "bing")  # a network has no terms that are places: these are there all the same
    page.wait_for_selector(".terms td:has-text('Network'), .terms th:has-text('Network')")
    page.click("[aria-label='On the board'] >> text=Groups")
    page.wait_for_selector(".mark.group", state="attached")


def test_a_game_is_imported_reviewed_commented_and_exported(visit):
    page = visit("/analyse/loa")
    page.get_by_role("button", name="Import games").click()
    page.fill("dialog textarea", MORPHY)
    page.click("dialog button.primary")
    page.wait_for_url("**/analyse/game/*")
    BoardPage(page)
    page.get_by_role("tab", name="Review").click()
    page.select_option(".review select", label="20k")
    page.click(".review .start")
    page.wait_for_selector(".review .graph", timeout=120_000)
    assert page.locator(".review tbody tr >> nth=0 >> td").all_inner_texts() != ["–", "–"]
    page.get_by_label("Show all moves").check()
    assert page.locator(".review .move").count() == 14
    page.click(".review .move >> nth=3")
    page.get_by_role("tab", name="Moves").click()
    page.wait_for_selector(".moves [aria-current]:has-text('d6')")
    page.get_by_label("Dubious move").click()
    page.fill("textarea", "Philidor's defence")
    page.keyboard.press("Tab")
    page.wait_for_selector(".comment:has-text('Philidor')")
    with page.expect_download() as download:
        page.click("a:has-text('PGN')")
    text = download.value.path().read_text()
    assert "Philidor's defence" in text
    assert "2. Nf3 d6" in text


def test_my_games_are_found_continued_and_deleted(visit_own):
    page = visit_own("/games")
    page.wait_for_selector("text=No games yet")
    page.goto(page.url.replace("/games", "/"))
    page.click(".start >> nth=2")
    BoardPage(page).wait_for_turn()
    page.goto(page.url.partition("/play/")[0] + "/games")
    page.click(".list a >> nth=0")
    page.wait_for_url("**/play/*")
    page.goto(page.url.partition("/play/")[0] + "/games")
    page.fill("input[type=search]", "nobody of that name")
    page.wait_for_selector("text=No games found")
    page.fill("input[type=search]", "")
    page.click("button[title=Delete]")
    page.click("dialog button.primary")
    page.wait_for_selector("text=No games yet")


def test_what_cannot_be_shown_says_so(visit):
    page = visit("/play/nothing")
    page.wait_for_selector("text=This game cannot be shown")
    page.goto(page.url.replace("/play/nothing", "/analyse/chess?fen=rubbish"))
    page.wait_for_selector("text=This position cannot be shown")
    page.goto(page.url.partition("/analyse")[0] + "/nowhere")
    page.wait_for_selector("text=Page not found")


def test_a_large_tree_is_edited_by_small_messages(visit):
    replies = " ".join(f"(1... {file}6 2. a4 a5)" for file in "abcdfgh")
    page = visit("/analyse/chess")
    frames: list[str] = []

    def hear(frame: str) -> None:
        frames.append(frame)

    page.on("websocket", lambda socket: socket.on("framereceived", hear))
    page.goto(page.url.partition("/analyse")[0] + import_game(page, f"1. a3 e6 {replies} 2. h3 h6 *"))
    BoardPage(page)
    page.click(".moves button:has-text('c6')")
    page.wait_for_selector(".moves [aria-current]:has-text('c6')")
    page.get_by_label("Good move").click()
    page.wait_for_selector(".moves [aria-current]:has-text('c6!')")
    page.fill("textarea", "Why not?")
    page.keyboard.press("Tab")
    page.wait_for_selector(".moves .muted:has-text('Why not?')")
    page.click(".editor button >> nth=-1")
    page.wait_for_function("() => document.querySelectorAll('[role=region] button').length === 22")
    page.reload()
    BoardPage(page)
    page.wait_for_function("() => document.querySelectorAll('[role=region] button').length === 22")
    changes = [change["tree"] for change in map(json.loads, frames) if change["type"] == "change"]
    assert [len(change["nodes"]) for change in changes] == [1, 1, 0]
    assert [len(change["children"]) for change in changes] == [0, 0, 1]
