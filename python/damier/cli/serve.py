"""`damier serve`: games and analysis in the browser."""

from __future__ import annotations

import gc
import os
import socket
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from damier._core import DamierError

DEFAULT_PORT = 8000


def serve(
    *,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, metavar="P", help=f"Port; {DEFAULT_PORT} or a free one by default."),
    ] = None,
    host: Annotated[str, typer.Option(metavar="H", help="Address to listen on; only this machine by default.")] = (
        "127.0.0.1"
    ),
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address, without opening it.")] = False,
    player: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="A file of `damier learn` to play against, besides those in players/ of the data folder; may be "
            "repeated.",
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|URL",
            help="Where games are kept; by default what DAMIER_DATABASE names, or a file in your data folder.",
        ),
    ] = None,
) -> None:
    """Play and analyse in the browser.

    Only this machine can reach it, unless --host says otherwise: then anyone who has the address, with its token, can.
    """
    from damier.web.config import Config, default_database  # noqa: PLC0415  (slow to load)
    from damier.web.learnt import ids_of  # noqa: PLC0415
    from damier.web.serve import for_host, listener, url_of  # noqa: PLC0415
    from damier.weights import read_weights  # noqa: PLC0415

    for file in player or ():
        read_weights(file)  # refuses one that is not there
    config = for_host(replace(Config(), database=database or default_database(), named=ids_of(player or ())), host)
    socket = _socket(host, port)
    _make_folder(config.database)
    where = url_of(host, socket.getsockname()[1], config.token)
    server = listener(config)
    print(f"damier is at {where} (Ctrl-C ends it)", flush=True)
    if not no_browser and _has_display():
        webbrowser.open(where)
    gc.freeze()  # or every full collection walks through all that was loaded, and no page is answered for 100 ms
    server.run(sockets=[socket])


def _socket(host: str, port: int | None) -> socket.socket:
    """The given port; without one the default port, or any free one."""
    from damier.web.serve import bound  # noqa: PLC0415

    if port is not None:
        return bound(host, port)
    try:
        return bound(host, DEFAULT_PORT)
    except DamierError:
        return bound(host, 0)


def _make_folder(database: str) -> None:
    from damier.storage.database.connect import url_of  # noqa: PLC0415

    url = url_of(database)
    if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)


def _has_display() -> bool:
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
