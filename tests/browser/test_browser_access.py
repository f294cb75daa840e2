"""Everyone: keyboards, screen readers, French, small screens, dark rooms."""

from __future__ import annotations

import gzip
import random
import re

import pytest
from board_page import BoardPage, import_game, new_game

READY = {  # what a page shows once it is whole
    "/": ".start",
    "/analyse/chess": ".engine li .moves button",
    "/games": ".list li",
    "/settings": ".choice",
    "/play/nothing": "text=This game cannot be shown",
    "/nowhere": "text=Page not found",
}
MORPHY = """[White "Morphy"]
[Black "Duke"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 1-0
"""
OUTSIDE = """() => [...document.querySelectorAll("button, a:not(.skip), label, input, select, h1, h2, p, td, th")]
    .filter(each => !each.closest(".visually-hidden"))
    .map(each => [each, each.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && (box.left < -1 || box.right > document.documentElement.clientWidth + 1))
    .map(([each]) => `${each.tagName} ${each.textContent.trim().slice(0, 30)}`)"""
# Fonts differ from machine to machine: somewhat wider letters must fit, too.
WIDER = """
    const wider = new CSSStyleSheet();
    wider.replaceSync("* { letter-spacing: 0.04em !important }");
    document.adoptedStyleSheets.push(wider);
"""
SHIFTS = """
    window.shift = 0;
    const add = entries => entries.forEach(entry => window.shift += entry.hadRecentInput ? 0 : entry.value);
    const seer = new PerformanceObserver(list => add(list.getEntries()));
    seer.observe({type: "layout-shift", buffered: true});
    window.shifted = () => { add(seer.takeRecords()); return window.shift; };
"""


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
    assert any(word in heard[-1] for word in ("You won", "You lost", "Draw"))


def test_axe_finds_nothing(visit, no_violations):
    page = visit()
    site = page.url.rstrip("/")
    game = import_game(page, MORPHY)
    for address, ready in (READY | {game: ".engine li .moves button"}).items():
        page.goto(site + address)
        page.wait_for_selector(ready)
        no_violations(page, dark=True)
    page.emulate_media(color_scheme="dark")
    for tab in ("Review", "Terms", "Engine"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_selector({"Review": ".review", "Terms": ".terms td", "Engine": ".options"}[tab])
        no_violations(page)


def test_axe_finds_nothing_on_a_phone(visit, no_violations):
    """Pages are the same there but for their layout: what depends on it is asked for."""
    page = visit(phone=True)
    site = page.url.rstrip("/")
    game = import_game(page, MORPHY)
    page.emulate_media(color_scheme="dark")
    for address in ("/", "/games", "/settings", game):
        page.goto(site + address)
        page.wait_for_selector((READY | {game: ".engine li .moves button"})[address])
        no_violations(page, only=["color-contrast", "target-size", "scrollable-region-focusable"])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


def test_axe_finds_nothing_in_dialogs_and_games(visit, no_violations):
    page = visit()
    for opener, ready in (
        (".more >> nth=0", "dialog form"),
        ("text=Import games", "dialog textarea"),
        ("text=Set up a position", "dialog .piece"),
    ):
        page.click(opener)
        page.wait_for_selector(ready)
        no_violations(page)
        page.keyboard.press("Escape")
    page.click(".start >> nth=1")
    board = BoardPage(page)
    assert board.wait_for_turn()
    board.click(board.squares("[data-state=may_move]")[0])
    no_violations(page)
    page.click("text=Resign")
    page.click("dialog button.primary")
    page.wait_for_selector(".status.over:has-text('You lost')")
    no_violations(page)


@pytest.mark.parametrize("size", [(320, 640), (1024, 768)], ids=["320", "1024"])
def test_large_french_type_fits(visit, size):
    page = visit(size=size)
    page.add_init_script(WIDER)
    site = page.url.rstrip("/")
    page.evaluate('localStorage.setItem(\'damier.settings\', \'{"large_type": true, "language": "fr"}\')')
    game = import_game(page, MORPHY)
    ready = READY | {game: ".engine li .moves button", game.replace("analyse/game", "play"): ".actions"}
    ready = {address: what for address, what in ready.items() if "text=" not in what}
    for address, what in ready.items():
        page.goto(site + address)
        page.wait_for_selector(what)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        assert page.evaluate(OUTSIDE) == [], address
    page.click(".actions button >> nth=-1")
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate("document.querySelector('.side').scrollHeight <= document.querySelector('.side').clientHeight")


def test_french(visit_own):
    page = visit_own(locale="fr-FR")
    page.wait_for_selector("h1:has-text('Choisissez un jeu')")
    assert page.get_attribute("html", "lang") == "fr"
    page.click(".start >> nth=1")
    board = BoardPage(page)
    board.wait_for_turn()
    assert page.inner_text(".status").startswith("À vous de jouer")
    board.play_by_clicks(random.Random(5))
    board.wait_for_turn()
    page.click("text=Abandonner")
    page.click("dialog button.primary")
    page.wait_for_selector(".status.over:has-text('Vous avez perdu')")
    top = board.middle("1")[1] < board.middle("50")[1]
    page.click("a:has-text('Analyser') >> nth=-1")
    page.wait_for_url("**/analyse/game/*")
    assert (BoardPage(page).middle("1")[1] < board.middle("50")[1]) == top  # seen from where one sat
    page.click("nav >> text=Mes parties")
    page.wait_for_selector(".list:has-text('Vous avez perdu')")
    assert not re.search(r"\b(You|Level|moves?|lost|Lines of Action,)\b", page.inner_text(".list"))
    page.goto(page.url.replace("/games", "/analyse/chess?fen=8/8/8/8/8/8/8/KK5k+w+-+-+0+1"))
    page.wait_for_selector("text=Blancs : 2 rois au lieu d’un.")
    page.click("nav >> text=Réglages")
    page.get_by_label("English").check(force=True)
    page.wait_for_selector("h1:has-text('Settings')")


def test_settings_survive_a_quick_reload_and_are_each_browsers_own(visit_own):
    page = visit_own("/settings")
    page.get_by_label("Dark").check(force=True)
    page.reload()
    page.wait_for_selector(".choice")
    assert page.get_attribute("html", "data-theme") == "dark"
    other = visit_own("/settings")
    other.wait_for_selector("html[data-theme=dark]")  # a new browser begins with what was chosen last
    with other.expect_response("**/api/settings"):
        other.get_by_label("Light").check(force=True)
    page.get_by_label("Slate").check(force=True)
    with page.expect_response("**/api/settings"):
        page.get_by_role("switch", name="Large type").check()
    page.evaluate("localStorage.clear()")  # the server knows them as well
    page.reload()
    page.wait_for_function("() => document.documentElement.dataset.type === 'large'")
    assert page.get_attribute("html", "data-theme") == "dark"
    assert page.get_by_label("Slate").is_checked()


def test_nothing_shifts(visit):
    for phone in (False, True):
        page = visit(phone=phone)
        page.context.add_init_script(SHIFTS)
        game = import_game(page, MORPHY)
        page.goto(page.url.rstrip("/") + game)
        page.wait_for_selector(".engine li .moves button")
        assert page.evaluate("shifted()") < 0.005
        page.goto(page.url.partition("/analyse")[0])
        page.click(".start >> nth=0")
        BoardPage(page).wait_for_turn()
        assert page.evaluate("shifted()") < 0.005


def test_the_first_page_is_small(visit):
    page = visit()
    page.wait_for_selector(".start")
    page.wait_for_load_state("networkidle")
    loaded = page.evaluate("performance.getEntriesByType('resource').map(each => each.name)")
    sizes = {url: len(gzip.compress(page.request.get(url).body())) for url in {page.url, *loaded}}
    assert sum(sizes.values()) < 250_000, sizes
    assert len(sizes) > 3
