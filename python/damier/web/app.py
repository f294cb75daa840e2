"""The application: pages, HTTP and the websocket, each passed to the part of the server that handles it."""

from __future__ import annotations

import asyncio
import pathlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Literal

from fastapi import FastAPI, Path, Query, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from damier._core import DamierError
from damier.web import exchange
from damier.web.catalogue import catalogue, families, our_version
from damier.web.config import Config
from damier.web.errors import STATUS, RefusedError
from damier.web.games import place_after, place_of
from damier.web.live import summary_of
from damier.web.messages import Failure, Health, ImportBody, Imported, PositionBody
from damier.web.pages import Pages
from damier.web.position import position_at
from damier.web.security import Guard, browser_of
from damier.web.server import Server
from damier.web.sockets import Tab
from damier.web.state import Catalogue, Game, GamePage, Position, Settings

__all__ = ["application"]

GameId = Annotated[str, Path(pattern=r"^[A-Za-z0-9]{1,32}$")]


def application(config: Config) -> Guard:
    """The server as an ASGI application."""

    server = Server(config)  # which reports a database that cannot be used

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        ready = asyncio.create_task(asyncio.to_thread(families))  # before the first page asks for them
        try:
            yield
            await ready
        finally:
            server.close()

    app = FastAPI(title="damier", version=our_version(), lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.server = server
    app.add_middleware(GZipMiddleware, minimum_size=2000, compresslevel=6)
    _add_errors(app)
    _add_facts(app)
    _add_games(app)
    _add_pages(app, config.static)
    return Guard(app, config)


def of(request: Request | WebSocket) -> Server:
    server: Server = request.app.state.server
    return server


def _add_errors(app: FastAPI) -> None:
    def failed(status: int, failure: Failure) -> JSONResponse:
        return JSONResponse(failure.model_dump(), status)

    @app.exception_handler(RefusedError)
    async def refused(_: Request, error: RefusedError) -> JSONResponse:
        return failed(error.status, error.failure)

    @app.exception_handler(DamierError)
    async def wrong(_: Request, error: DamierError) -> JSONResponse:
        return failed(422, Failure(code="malformed", message=" ".join(str(error).split())))

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return failed(422, Failure(code="malformed", message=f"{place}: {first['msg']}"[:300]))

    @app.exception_handler(HTTPException)
    async def unknown(_: Request, error: HTTPException) -> JSONResponse:
        code = {404: "not_found", 413: "too_large"}.get(error.status_code, "malformed")
        return failed(error.status_code, Failure.model_validate({"code": code, "message": str(error.detail)}))

    @app.exception_handler(Exception)
    async def internal(_: Request, error: Exception) -> JSONResponse:
        return failed(STATUS["internal"], Failure(code="internal", message="something went wrong here, and was logged"))


def _add_facts(app: FastAPI) -> None:
    @app.get("/api/health")
    async def health(request: Request) -> Health:
        server = of(request)
        pool = server.pool
        about = {"sockets": server.sockets, "searches": len(pool.running), "waiting": len(pool.waiting)}
        return Health(status="ok", version=our_version(), **about)

    @app.get("/api/catalogue")
    async def the_catalogue(request: Request) -> Catalogue:
        server = of(request)
        return await asyncio.to_thread(catalogue, server.config, server.learnt)

    @app.post("/api/position")
    async def the_position(body: PositionBody) -> Position:
        return await position_at(body.variant, body.fen, body.moves)

    @app.get("/api/settings")
    async def settings(request: Request) -> Settings:
        return await of(request).games.settings(browser_of(request.scope))

    @app.put("/api/settings")
    async def choose(request: Request, body: Settings) -> Settings:
        await of(request).games.choose(body, browser_of(request.scope))
        return body

    @app.websocket("/ws")
    async def talk(socket: WebSocket) -> None:
        server = of(socket)
        if server.sockets >= server.config.sockets:
            await socket.close(1013, "too many pages are open")
            return
        server.sockets += 1
        try:
            await Tab(socket, server).run()
        finally:
            server.sockets -= 1


def _add_games(app: FastAPI) -> None:
    @app.get("/api/games")
    async def some_games(
        request: Request,
        *,
        search: Annotated[str, Query(max_length=200)] = "",
        variant: Annotated[str | None, Query(max_length=64)] = None,
        result: Literal["1-0", "0-1", "1/2-1/2", "*"] | None = None,
        limit: Annotated[int, Query(ge=1, le=100)] = 30,
        before: Annotated[str | None, Query(max_length=100)] = None,
    ) -> GamePage:
        games, variants = of(request).games, exchange.variants_of(variant)
        place = place_of(before) if before else None
        page = partial(games.saved.page, search=search, variants=variants, result=result, limit=limit + 1, before=place)
        rows = await games.stored(page, reading=True)
        last = place_after(rows[limit - 1]) if len(rows) > limit else None
        return GamePage(games=[summary_of(row) for row in rows[:limit]], before=last)

    @app.post("/api/games/import")
    async def imported(request: Request, body: ImportBody) -> Imported:
        return await exchange.read_games(of(request).games, body)

    @app.get("/api/games/{id}")
    async def one_game(request: Request, id: GameId) -> Game:
        games = of(request).games
        return games.state(await games.get(id))

    @app.delete("/api/games/{id}", status_code=204)
    async def delete(request: Request, id: GameId) -> None:
        await of(request).games.delete(id)

    @app.get("/api/games/{id}/export")
    async def export(request: Request, id: GameId, format: Literal["pgn", "pdn", "sgf"] | None = None) -> Response:
        live = await of(request).games.get(id)
        kept = live.draft()  # which stays as it is meanwhile
        suffix, text = await asyncio.to_thread(lambda: exchange.written(kept.record(), format))
        kind = {"pgn": "application/x-chess-pgn", "sgf": "application/x-go-sgf"}.get(suffix, "text/plain")
        headers = {"content-disposition": f'attachment; filename="damier-{live.id}.{suffix}"'}
        return Response(text, media_type=f"{kind}; charset=utf-8", headers=headers)


def _add_pages(app: FastAPI, static: pathlib.Path) -> None:
    """Serve the built pages; any other address gets the first page, which knows its routes."""
    pages = Pages(static)

    @app.api_route("/api/{rest:path}", methods=["GET", "POST", "PUT", "DELETE"], include_in_schema=False)
    async def nothing(rest: str) -> Response:
        raise RefusedError("not_found", f"there is nothing at /api/{rest[:80]}")

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        if path.startswith("assets/") and path not in pages:
            raise RefusedError("not_found", "there is no such file")
        return pages.answer(path, request)
