"""One server for all journeys, Debian's Chromium, and pages whose console must stay clean."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from site_of import Site

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "python/damier/web/static/index.html"
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
LAPTOP = {"width": 1280, "height": 800}
UNSEEN = """() => {
    Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = shutil.which("chromium")
    if not path:
        pytest.skip("chromium is not installed")
    if not PAGES.exists():
        pytest.skip("the pages are not built: make web")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The server of all journeys that leave nothing behind but games."""
    with Site(tmp_path_factory.mktemp("site") / "web.db") as started:
        yield started


@pytest.fixture(scope="session")
def second_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("second") / "web.db") as started:
        yield started


@pytest.fixture
def own_site(second_site: Site) -> Site:
    """A server with an empty database, to be killed or to keep settings: one for all, as a start takes two seconds."""
    second_site.empty()
    return second_site


@pytest.fixture
def visit(chromium: Any, site: Site) -> Iterator[Callable[..., Any]]:
    """Open pages of the site as one person; any error in a console fails the test when it ends."""
    with visitor(chromium, site) as open_page:
        yield open_page


@pytest.fixture
def visit_own(chromium: Any, own_site: Site) -> Iterator[Callable[..., Any]]:
    """The same for a server of one's own."""
    with visitor(chromium, own_site) as open_page:
        yield open_page


@contextmanager
def visitor(chromium: Any, site: Site) -> Iterator[Callable[..., Any]]:
    contexts, errors = [], []

    def open_page(
        path: str = "/",
        *,
        phone: bool = False,
        size: tuple[int, int] | None = None,
        locale: str = "en-GB",
        again: Any = None,
    ) -> Any:
        viewport = {"width": size[0], "height": size[1]} if size else PHONE if phone else LAPTOP
        context = (
            again.context
            if again
            else chromium.new_context(viewport=viewport, has_touch=phone, locale=locale, reduced_motion="reduce")
        )
        if not again:
            contexts.append(context)
            context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("console", lambda said: said.type == "error" and not site.killed and errors.append(said.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(site.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def no_violations() -> Callable[[Any], None]:
    """Ask axe about a page."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: make web")
    source = AXE.read_text()

    def check(page: Any, *, dark: bool = False, only: list[str] | None = None) -> None:
        """With `dark` in the dark as well, where only colours differ; `only` names the rules to ask for."""
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate(source)
            page.evaluate(UNSEEN)  # an engine that analyses meanwhile would take the processor from axe
        asked = {"resultTypes": ["violations"]} | ({"runOnly": only} if only else {})
        found = page.evaluate("asked => axe.run(document, asked)", asked)["violations"]
        if dark:
            page.emulate_media(color_scheme="dark")
            page.wait_for_selector("html[data-theme=dark]")
            rules = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
            found += page.evaluate("rules => axe.run(document, rules)", rules)["violations"]
            page.emulate_media(color_scheme="light")
        assert [(each["id"], each["nodes"][0]["target"]) for each in found] == []

    return check
