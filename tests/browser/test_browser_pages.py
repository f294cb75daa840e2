"""Journeys from page to page: addresses, links, focus."""

from __future__ import annotations

from board_page import BoardPage, new_game

FOCUSED = "document.activeElement.id"
MOVES = "() => document.querySelectorAll('[role=region] button').length"


def test_an_address_that_cannot_be_decoded_says_so(visit):
    page = visit("/analyse/%ff")
    page.wait_for_selector("text=Page not found")


def test_the_link_to_analysis_begins_anew(visit):
    page = visit("/analyse/chess?moves=e4+e5")
    page.wait_for_function(f"{MOVES} === 2")
    for _ in range(2):  # the second time from the address that it leads to
        page.click("nav >> text=Analyse")
        page.wait_for_function(f"{MOVES} === 0")
        board = BoardPage(page)
        board.click("e2", "e4")
        page.wait_for_function(f"{MOVES} === 1")


def test_the_focus_goes_to_the_new_page(visit):
    page = visit()
    page.focus("nav a:has-text('My games')")
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:has-text('My games')")
    page.wait_for_function(f"() => {FOCUSED} === 'main'")
    page.go_back()
    page.wait_for_selector(".start")
    page.wait_for_function(f"() => {FOCUSED} === 'main'")
    new_game(page, "loa5")
    page.wait_for_function(f"() => {FOCUSED} === 'main'")
    page.click("text=More")
    page.click("[aria-label=More] >> text=New game")
    address = page.url
    page.click("dialog button.primary")
    page.wait_for_url(lambda url: url != address)
    page.wait_for_function(f"() => {FOCUSED} === 'main'")
