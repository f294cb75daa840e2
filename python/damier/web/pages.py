"""The built pages, read at the start so that an update under a running server changes nothing."""

from __future__ import annotations

import gzip
import mimetypes
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fastapi import Request, Response

__all__ = ["Pages"]

YEAR = "public, max-age=31536000, immutable"
NO_PAGES = (
    "<!doctype html><title>damier</title><p>The pages of damier are not built here. "
    "<code>make web</code> builds them; the programming interface is at <code>/api</code>."
)
SMALL = 1000  # bytes that are not worth compressing
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}


class File(NamedTuple):
    """A file, plain and compressed."""

    kind: str
    plain: bytes
    compressed: bytes | None


class Pages:
    """The files of a folder by their paths.

    >>> Pages(Path("/nowhere")).first().startswith(b"<!doctype html>")
    True
    """

    def __init__(self, folder: Path) -> None:
        found = (file for file in folder.rglob("*") if file.is_file())
        self._files = {file.relative_to(folder).as_posix(): file.read_bytes() for file in found}
        self._form = cache(self._form_of)

    def __contains__(self, path: str) -> bool:
        return path in self._files and path != "index.html"

    def first(self) -> bytes:
        """The first page, which knows its routes."""
        return self._files.get("index.html", NO_PAGES.encode())

    def answer(self, path: str, request: Request) -> Response:
        """A file in the smallest form the browser accepts; files with a hash in their names never change."""
        if path not in self:
            return Response(self.first(), media_type="text/html", headers={"cache-control": "no-cache"})
        file = self._form(path)
        headers = {"cache-control": YEAR if path.startswith("assets/") else "no-cache"}
        if file.compressed is None or "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(file.plain, media_type=file.kind, headers=headers)
        headers |= {"content-encoding": "gzip", "vary": "Accept-Encoding"}
        return Response(file.compressed, media_type=file.kind, headers=headers)

    def _form_of(self, path: str) -> File:
        plain = self._files[path]
        kind = TYPES.get(Path(path).suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
        text = kind.startswith("text/") or kind.endswith(("+xml", "/json"))
        return File(kind, plain, gzip.compress(plain, mtime=0) if text and len(plain) >= SMALL else None)
