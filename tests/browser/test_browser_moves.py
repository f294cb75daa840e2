"""Going through moves and adding to them: steps, variations, refusals, addresses."""

from __future__ import annotations

import json

from board_page import BoardPage, new_game

SHOWN = "[role=region] button[aria-current]"
COUNT = "() => document.querySelectorAll('[role=region] button').length"
ITALIAN = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6"


def address(moves: str) -> str:
    return "/analyse/chess?moves=" + moves.replace(" ", "+")


def between(page, *, held: str = "", alter=lambda message: message):
    """Stand between the page and the server: note what is asked, alter it, keep answers of a kind back for a while."""
    asked, waiting, gate = [], [], {"open": held == ""}

    def route(socket):
        server = socket.connect_to_server()
        kinds: dict[int, str] = {}

        def send(text):
            message = alter(json.loads(text))
            kinds[message["request"]] = message["type"]
            asked.append(message)
            server.send(json.dumps(message))

        def receive(text):
            if kinds.get(json.loads(text)["request"]) == held and not gate["open"]:
                waiting.append(text)
            else:
                socket.send(text)

        def let_go():
            gate["open"] = True
            for text in waiting:
                socket.send(text)

        socket.on_message(send)
        server.on_message(receive)
        gate["let_go"] = let_go

    page.route_web_socket("**/ws", route)
    return asked, gate


def test_a_long_address_is_asked_for_once_and_kept_with_one_message(visit):
    page = visit("/settings")
    asked, _ = between(page)
    page.goto(page.url.replace("/settings", address(ITALIAN)))
    page.wait_for_selector(f"{SHOWN}:has-text('d6')")
    assert page.locator("[role=region] button").all_inner_texts() == ITALIAN.split()
    assert len([message for message in asked if message["type"] == "position"]) == 1
    page.click("[role=region] button >> nth=0")
    page.wait_for_selector(f"{SHOWN}:has-text('e4')")
    BoardPage(page).click("c7", "c5")
    page.wait_for_selector(f".variation {SHOWN.split()[1]}:has-text('c5')")
    page.fill("textarea", "Sicilian")
    page.get_by_label("Good move").click()
    page.click("text=Save")
    page.wait_for_url("**/analyse/game/*")
    page.wait_for_selector(".variation:has-text('c5!'):has-text('Sicilian')")
    assert [message["type"] for message in asked if message["type"] in ("new", "add", "edit")] == ["new"]


def test_no_step_is_lost_while_a_position_is_on_its_way(visit):
    page = visit("/settings")
    _, gate = between(page, held="position")
    gate["open"] = True
    page.goto(page.url.replace("/settings", address(ITALIAN)))
    page.wait_for_selector(f"{SHOWN}:has-text('d6')")
    gate["open"] = False
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    gate["let_go"]()
    page.wait_for_selector(f"{SHOWN}:has-text('Bc5')")


def test_the_wheel_goes_through_the_moves(visit):
    page = visit(address("e4 e5 Nf3"))
    board = BoardPage(page)
    page.wait_for_selector(f"{SHOWN}:has-text('Nf3')")
    page.mouse.move(*board.middle("d4"))
    page.mouse.wheel(0, -100)
    page.wait_for_selector(f"{SHOWN}:has-text('e5')")
    page.mouse.wheel(0, 100)
    page.wait_for_selector(f"{SHOWN}:has-text('Nf3')")


def test_a_press_let_go_elsewhere_leaves_the_board_alive(visit):
    page = visit(address("e4"))
    board = BoardPage(page)
    for button in ("left", "right"):
        page.mouse.move(*board.middle("a4"))
        page.mouse.down(button=button)
        page.mouse.move(5, 5)
        page.mouse.up(button=button)
    board.click("e7", "e5")
    page.wait_for_selector(f"{SHOWN}:has-text('e5')")


def test_a_refused_variation_gives_the_board_back(visit):
    page = visit("/settings")
    refusing = {"on": True}

    def alter(message):
        return message | {"node": 999} if message["type"] == "branch" and refusing["on"] else message

    between(page, alter=alter)
    page.goto(page.url.replace("/settings", "/"))
    board = new_game(page, "chess")
    for squares in (("e2", "e4"), ("e7", "e5")):
        board.click(*squares)
        page.wait_for_selector(f"{SHOWN}:has-text('{squares[1]}')")
    page.click("[role=region] button >> nth=0")
    page.wait_for_selector("text=Play from here")
    board.click("c7", "c5")
    page.wait_for_selector(".toast.bad")
    refusing["on"] = False
    page.wait_for_selector("[data-square=c7][data-state=may_move]", state="attached")
    board.click("c7", "c5")
    page.wait_for_selector(f"{SHOWN}:has-text('c5')")


def test_a_review_of_a_variation_stays_on_it(visit):
    page = visit(address("e4 e5 Nf3"))
    board = BoardPage(page)
    page.wait_for_selector(f"{SHOWN}:has-text('Nf3')")
    page.click("[role=region] button >> nth=0")
    page.wait_for_selector(f"{SHOWN}:has-text('e4')")
    board.click("f7", "f6")
    page.wait_for_selector(f".variation {SHOWN.split()[1]}:has-text('f6')")
    board.click("d2", "d4")
    page.wait_for_selector(f".variation {SHOWN.split()[1]}:has-text('d4')")
    page.get_by_role("tab", name="Review").click()
    page.select_option(".review select", label="20k")
    page.click(".review .start")
    page.get_by_label("Show all moves").check()
    page.click(".review .move:has-text('f6')")
    page.get_by_role("tab", name="Moves").click()
    page.wait_for_selector(f".variation {SHOWN.split()[1]}:has-text('f6')")


def test_the_start_has_no_comment(visit):
    page = visit(address("e4"))
    page.wait_for_selector("textarea[maxlength='4000']")
    page.keyboard.press("Home")
    page.wait_for_selector("textarea[maxlength='4000']", state="detached")


def test_an_analysis_rests_while_nobody_looks(visit):
    page = visit(address("e4"))
    page.wait_for_selector(".engine li .moves button")
    working = "async () => (await (await fetch('/api/health')).json()).searches"
    assert page.evaluate(working) > 0
    page.evaluate("""() => {
        Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
    }""")
    page.wait_for_function(f"async () => (await ({working})()) === 0")
    page.evaluate("() => { delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange')); }")
    page.wait_for_function(f"async () => (await ({working})()) > 0")


def test_the_bar_rests_while_the_engine_is_off(visit):
    page = visit(address("e4 e5 Qh5 Nc6"))
    page.wait_for_selector("[role=meter]:not([aria-valuetext='not evaluated'])")
    page.get_by_role("switch", name="Engine on").uncheck(force=True)
    page.wait_for_selector("[role=meter][aria-valuetext='not evaluated']")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(f"{SHOWN}:has-text('Qh5')")
    assert page.get_attribute("[role=meter]", "aria-valuenow") == "50"
