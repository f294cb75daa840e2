"""Everyone: keyboards, screen readers, French, small screens, dark rooms."""

from __future__ import annotations

import random

import pytest
from board_page import BoardPage, new_game

ADDRESSES = ["/", "/analyse/chess", "/analyse/international", "/games", "/settings", "/play/nothing", "/nowhere"]


def test_a_whole_game_by_keys_alone_is_heard(visit):
    page = visit()
    board = new_game(page, "loa5", opponent="Level", side="Black")
    page.evaluate("""() => {
        window.heard = [];
        const hear = change => change.addedNodes.forEach(node => window.heard.push(node.textContent));
        new MutationObserver(changes => changes.forEach(hear))
            .observe(document.querySelector("[role=log]"), {childList: true});
    }""")
    board.wait_for_turn()
    page.mouse.move(0, 0)
    board.go_to_board()
    rng = random.Random(3)
    while board.wait_for_turn():
        before = len(board.moves())
        board.play_by_keys(rng)
        board.wait_for_moves(before + 1)
    heard = page.evaluate("window.heard.filter(text => text)")
    assert len(heard) >= len(board.moves())
    assert heard[0].startswith("Black: ")
    assert "wins" in heard[-1] or "Draw" in heard[-1]


@pytest.mark.parametrize("phone", [False, True], ids=["laptop", "phone"])
def test_axe_finds_nothing(visit, no_violations, phone):
    page = visit(phone=phone)
    site = page.url.rstrip("/")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        for address in ADDRESSES:
            page.goto(site + address)
            page.wait_for_selector("h1", state="attached")
            no_violations(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


def test_axe_finds_nothing_in_a_game(visit, no_violations):
    page = visit()
    page.click(".more >> nth=0")
    page.wait_for_selector("dialog")
    no_violations(page)
    page.keyboard.press("Escape")
    page.click(".start >> nth=1")
    board = BoardPage(page)
    assert board.wait_for_turn()
    board.click(board.squares("[data-state=may_move]")[0])
    no_violations(page)


def test_french(visit_own):
    page = visit_own(locale="fr-FR")
    page.wait_for_selector("h1:has-text('Choisissez un jeu')")
    assert page.get_attribute("html", "lang") == "fr"
    page.click(".start >> nth=0")
    BoardPage(page).wait_for_turn()
    assert page.inner_text(".status").startswith("À vous de jouer")
    page.goto(page.url.partition("/play/")[0] + "/settings")
    page.get_by_label("English").check(force=True)
    page.wait_for_selector("h1:has-text('Settings')")


def test_settings_are_remembered(visit_own):
    page = visit_own("/settings")
    page.get_by_label("Dark").check(force=True)
    page.get_by_label("Slate").check(force=True)
    with page.expect_response("**/api/settings"):
        page.get_by_role("switch", name="Large type").check()
    page.evaluate("localStorage.clear()")
    page.reload()
    page.wait_for_function("() => document.documentElement.dataset.type === 'large'")
    assert page.get_attribute("html", "data-theme") == "dark"
    assert page.get_by_label("Slate").is_checked()


def test_nothing_shifts_and_the_first_page_is_small(visit):
    page = visit()
    page.click(".start >> nth=0")
    BoardPage(page).wait_for_turn()
    shift = page.evaluate("""() => new Promise(resolve => {
        let sum = 0;
        const add = entry => sum += entry.hadRecentInput ? 0 : entry.value;
        new PerformanceObserver(list => list.getEntries().forEach(add))
            .observe({type: "layout-shift", buffered: true});
        setTimeout(() => resolve(sum), 100);
    })""")
    assert shift < 0.01
