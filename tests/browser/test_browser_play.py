"""Journeys of people who play."""

from __future__ import annotations

import random
import re

import pytest
from board_page import BoardPage, new_game

LONGEST = 60  # moves of one's own, after which the journey ends by resigning


@pytest.mark.parametrize(("variant", "phone"), [("loa5", False), ("russian", False), ("chess", False), ("loa5", True)])
def test_a_whole_game_against_level_1(visit, variant, phone):
    page = visit(phone=phone)
    board = new_game(page, variant, opponent="Level")
    rng = random.Random(1)
    for played in range(LONGEST + 1):
        if not board.wait_for_turn():
            break
        if played == LONGEST:
            page.click("text=Resign")
            page.click("dialog button.primary")
            page.wait_for_selector(".status.over")
        else:
            before = len(board.moves())
            board.play_by_clicks(rng, fingers=phone)
            board.wait_for_moves(before + 1)
    assert page.locator(".status.over").count() == 1
    assert page.locator("text=Rematch").count() == 1
    if phone:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.locator("text=Rematch").bounding_box()["y"] < page.viewport_size["height"]  # without scrolling


@pytest.mark.parametrize("family", [0, 1, 2])
def test_one_click_begins_a_game(visit, family):
    page = visit()
    page.click(f".start >> nth={family}")
    board = BoardPage(page)
    assert board.wait_for_turn()
    assert "Level 3" in page.inner_text(".top")


def test_dragging_clicking_and_typing(visit):
    page = visit()
    board = new_game(page, "chess")
    board.drag("e2", "e4")
    board.wait_for_moves(1)
    board.click("d7", "d5")
    board.wait_for_moves(2)
    page.fill(".typed input", "ex")
    page.click(".offer")
    board.wait_for_moves(3)
    page.fill(".typed input", "Qd5")
    page.keyboard.press("Enter")
    assert page.locator(".typed input").get_attribute("aria-invalid") == "true"
    page.fill(".typed input", "Qxd5")
    page.keyboard.press("Enter")
    board.wait_for_moves(4)
    assert board.moves() == ["e4", "d5", "exd5", "Qxd5"]


def test_taking_a_move_back_and_going_another_way(visit):
    page = visit()
    board = new_game(page, "chess")
    for move in ("e4", "e5", "Nf3"):
        page.fill(".typed input", move)
        page.keyboard.press("Enter")
        page.wait_for_selector(f".moves button:has-text('{move}')")
    page.click("text=Take back")
    page.wait_for_function("() => document.querySelectorAll('.moves button[aria-current]').length === 1")
    page.click(".moves button >> nth=0")
    page.wait_for_selector("text=Play from here")
    board.click("c7", "c5")
    page.wait_for_selector(".variation button:has-text('e5')")  # what is played is the main line
    assert page.locator(".variation button:has-text('c5')").count() == 0


def test_taking_a_move_back_from_an_engine(visit):
    page = visit()
    board = new_game(page, "chess", opponent="Level", side="White")
    for move in ("e4", "d4"):
        page.fill(".typed input", move)
        page.keyboard.press("Enter")
        board.wait_for_moves(2)
        assert board.moves()[0] == move
        page.click("text=Take back")
        page.wait_for_selector("text=No moves yet")
        assert board.wait_for_turn()


@pytest.mark.parametrize(
    ("fen", "agreed"), [("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", True), ("3qk3/8/8/8/8/8/8/4K3 w - - 0 1", False)]
)
def test_an_engine_agrees_to_a_draw_when_it_is_worse(visit, fen, agreed):
    page = visit()
    board = new_game(page, "chess", opponent="Level", side="White", fen=fen)
    board.click("e1", "e2")
    board.wait_for_moves(2)
    page.click(".actions >> text=Draw")
    page.wait_for_selector(".status.over:has-text('Draw · agreement')" if agreed else "text=declined")


def test_promotion_asks_for_a_piece(visit):
    page = visit()
    board = new_game(page, "chess", fen="8/4P3/8/8/8/2k5/8/K7 w - - 0 1")
    board.click("e7", "e8")
    page.get_by_role("button", name="knight").click()
    board.wait_for_moves(1)
    assert board.moves() == ["e8=N"]


def test_a_capture_is_chosen_landing_by_landing(visit):
    page = visit()
    board = new_game(page, "international", fen="W:WK45,38:B23,33,21,25,42,22,40")
    assert set(board.squares("[data-state=must_capture]")) == {"38", "45"}
    board.click("45", "34")
    assert page.locator(".piece.taken").count() == 1  # it stays until the capture ends, and is seen to be gone
    board.click("18", "31")
    board.wait_for_moves(1)
    assert board.moves() == ["45x34x18x31x48"]


def test_a_game_survives_a_reload_and_a_second_tab(visit, site):
    page = visit()
    board = new_game(page, "loa")
    rng = random.Random(2)
    board.play_by_clicks(rng)
    board.wait_for_moves(1)
    page.reload()
    board = BoardPage(page)
    board.wait_for_moves(1)
    other = BoardPage(visit(page.url.removeprefix(site.url), again=page))
    other.wait_for_turn()
    other.play_by_clicks(rng)
    board.wait_for_moves(2)
    assert board.moves() == other.moves()


def test_a_game_survives_a_killed_server(visit_own, own_site):
    page = visit_own()
    board = new_game(page, "chess")
    board.click("e2", "e4")
    board.wait_for_moves(1)
    own_site.kill()
    page.wait_for_selector(".lost")
    board.click("e7", "e5")
    own_site.start()
    board.wait_for_moves(2)
    page.wait_for_selector(".lost", state="detached")
    assert board.moves() == ["e4", "e5"]


def test_a_hint_is_drawn_and_the_end_puts_everything_down(visit):
    page = visit()
    board = new_game(page, "chess")
    page.click("text=Hint")
    page.wait_for_selector(".arrow.best", state="attached")
    assert re.fullmatch(r"Hint: 1\. \S+ \S+ 2\. \S+", page.inner_text(".hint"))
    board.click("e2")
    page.wait_for_selector("[data-state=taken_up]", state="attached")
    page.click("text=Resign")
    page.click("dialog button.primary")
    page.wait_for_selector(".status.over")
    assert page.locator(".arrow").count() == 0
    assert board.squares("[data-state=taken_up]") == []


def test_setting_up_a_position(visit):
    page = visit()
    page.click("text=Set up a position")
    page.click("dialog >> text=Clear")
    page.wait_for_selector("dialog .problem:not(:empty)")
    for piece, square in (("white king", "e1"), ("black king", "e8"), ("white queen", "d1")):
        page.get_by_role("button", name=piece).click()
        page.locator(f'dialog [data-square="{square}"]').click(force=True)
    page.wait_for_selector("dialog .problem:empty", state="attached")
    assert page.locator("dialog textarea").input_value().startswith("4k3/8/8/8/8/8/8/3QK3 w")
    page.click("dialog >> text=Analyse")
    page.wait_for_url("**/analyse/chess?fen=*")
    BoardPage(page)
    assert page.locator(".piece").count() == 3
