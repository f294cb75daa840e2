"""Access: who may connect, from where, and how often, checked before anything else sees a request.

A page of another site must not reach a server on this machine: neither by DNS rebinding (the Host header must be ours)
nor from its own page (the Origin must be the Host). Beyond this machine a token is needed.
"""

from __future__ import annotations

import hmac
import ipaddress
import os
import re
import secrets
import socket
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from html import escape
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, quote, urlencode, urlsplit

from damier._core import DamierError
from damier.web.config import Config
from damier.web.errors import RefusedError

__all__ = ["BROWSER_COOKIE", "HEADERS", "TOKEN_COOKIE", "Guard", "Rate", "browser_of", "kept_token"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

TOKEN = re.compile(r"[A-Za-z0-9_-]{16,200}")
BROWSER = re.compile(r"[A-Za-z0-9_-]{16}")
TOKEN_COOKIE, BROWSER_COOKIE = "damier_token", "damier_browser"
POLICY_CLOSE = 1008  # of websockets
CLIENTS = 4096  # whose rates are remembered

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
REFUSED = '<!doctype html><html lang="en"><title>damier</title><p>{}</p></html>\n'
HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def kept_token(file: Path) -> str:
    """The token in a file that only its owner reads; created on first use and kept, so that bookmarks stay valid."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            made = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(made, "w") as new:
                new.write(secrets.token_urlsafe(24))
        file.chmod(0o600)
        token = file.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not a token"
        raise DamierError(f"{file}: the token cannot be kept there: {reason}") from None
    if not TOKEN.fullmatch(token):
        raise DamierError(
            f"{file}: this is not a token, expected at least 16 letters and digits; delete it for a new one"
        )
    return token


class Rate:
    """A rate limit: requests per second in the long run, and a burst at once.

    >>> rate = Rate(2.0, 3)
    >>> [rate.allows(now) for now in (0.0, 0.0, 0.0, 0.0, 0.5, 0.5)]
    [True, True, True, False, True, False]
    """

    def __init__(self, per_second: float, burst: int) -> None:
        self.per_second, self.burst = per_second, burst
        self._left, self._when = float(burst), 0.0

    def allows(self, now: float) -> bool:
        """Whether one more request is allowed now."""
        self._left = min(float(self.burst), self._left + max(0.0, now - self._when) * self.per_second)
        self._when = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Guard:
    """Middleware before an app: refuses strangers, limits bodies and rates, and adds headers to every answer."""

    def __init__(self, app: App, config: Config) -> None:
        self.app, self.config = app, config
        self._rates: OrderedDict[str, Rate] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        try:
            self._check(scope)
        except RefusedError as refusal:
            await self._refuse(scope, receive, send, refusal)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
        elif token := self._offered(scope):
            await self._let_in(scope, send, token)
        else:
            await self._pass(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        headers = headers_of(scope)
        host = headers.get("host", "")
        if not is_our_host(host, self.config.hosts):
            raise RefusedError("forbidden", f"the host {host[:80]!r} is not one of this server's")
        origin = headers.get("origin")
        unsafe = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if unsafe and (origin is None or _netloc(origin) != host.lower()):
            raise RefusedError("forbidden", "a page of another site may not do this")
        if headers.get("sec-fetch-site") == "cross-site" and scope["path"].startswith("/api/"):
            raise RefusedError("forbidden", "a page of another site may not ask for this")
        if self.config.token and not self._offered(scope) and not self._has_token(scope):
            raise RefusedError("forbidden", "the token is missing or wrong: open the address that the server printed")
        if not self._rate(scope).allows(self.config.clock.now()):
            raise RefusedError("too_fast", f"expected at most {self.config.rate:g} requests a second")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > self.config.largest_body:
            raise RefusedError("too_large", f"expected at most {self.config.largest_body} bytes")

    def _rate(self, scope: Scope) -> Rate:
        client = str((scope.get("client") or ("?",))[0])
        if client not in self._rates:
            self._rates[client] = Rate(4 * self.config.rate, 4 * self.config.burst)  # an address may be a household
            if len(self._rates) > CLIENTS:
                self._rates.popitem(last=False)
        self._rates.move_to_end(client)
        return self._rates[client]

    def _is_token(self, text: str) -> bool:
        return bool(self.config.token) and hmac.compare_digest(text.encode(), str(self.config.token).encode())

    def _has_token(self, scope: Scope) -> bool:
        return self._is_token(cookies_of(scope).get(TOKEN_COOKIE, ""))

    def _offered(self, scope: Scope) -> str:
        """The right token in the address of a page that is opened."""
        if scope["type"] != "http" or scope["method"] != "GET" or not self.config.token:
            return ""
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        return given if self._is_token(given) else ""

    async def _let_in(self, scope: Scope, send: Send, token: str) -> None:
        """Put the token into a cookie and remove it from the address."""
        # Lax, or a link in a message would lead to a page without it; whatever changes something needs an Origin.
        cookie = f"{TOKEN_COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"
        rest = urlencode([pair for pair in parse_qsl(scope["query_string"].decode("latin-1")) if pair[0] != "token"])
        path = quote("/" + scope["path"].lstrip("/\\")) + (f"?{rest}" if rest else "")
        where = [(b"location", path.encode()), (b"set-cookie", cookie.encode())]
        await send({"type": "http.response.start", "status": 303, "headers": [*where, *own_headers()]})
        await send({"type": "http.response.body", "body": b""})

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        taken = 0
        known = browser_of(scope) is not None

        async def bounded() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self.config.largest_body:
                raise RefusedError("too_large", f"expected at most {self.config.largest_body} bytes")
            return message

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *own_headers()]
                if not known and scope["path"].startswith("/") and not scope["path"].startswith(("/api/", "/assets/")):
                    # Lax, or a link in a message would make a new browser of this one.
                    cookie = f"{BROWSER_COOKIE}={secrets.token_urlsafe(12)}; Path=/; HttpOnly; SameSite=Lax"
                    message["headers"].append((b"set-cookie", f"{cookie}; Max-Age=31536000".encode()))
            await send(message)

        await self.app(scope, bounded, with_headers)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, refusal: RefusedError) -> None:
        if scope["type"] == "websocket":
            await receive()  # its wish to connect
            await send({"type": "websocket.close", "code": POLICY_CLOSE, "reason": refusal.message[:120]})
            return
        if "text/html" in headers_of(scope).get("accept", "") and not scope["path"].startswith("/api/"):
            kind, body = b"text/html; charset=utf-8", REFUSED.format(escape(refusal.message)).encode()
        else:
            kind = b"application/json"
            body = refusal.failure.model_dump_json().encode()
        headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": refusal.status, "headers": [*headers, *own_headers()]})
        await send({"type": "http.response.body", "body": body})


def is_our_host(host: str, others: frozenset[str]) -> bool:
    """Whether a Host header names this machine: by a number, which nobody can bind to a name, or by one of its names.

    >>> [is_our_host(host, frozenset()) for host in ("localhost:8000", "127.0.0.1", "[::1]:80", "evil.example")]
    [True, True, True, False]
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    try:
        ipaddress.ip_address(name)
        return True
    except ValueError:
        return name == "localhost" or name in {other.lower() for other in others}


def _netloc(origin: str) -> str | None:
    """Host and port of an Origin header, None where it has none.

    >>> _netloc("http://LOCALHOST:8000"), _netloc("http://["), _netloc("null")
    ('localhost:8000', None, None)
    """
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


def our_names() -> frozenset[str]:
    """The names of this machine."""
    return frozenset({socket.gethostname().lower(), socket.getfqdn().lower()})


def headers_of(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def cookies_of(scope: Scope) -> dict[str, str]:
    try:
        jar = SimpleCookie(headers_of(scope).get("cookie", ""))
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in jar.items()}


def browser_of(scope: Scope) -> str | None:
    """What distinguishes this browser from others, if it says so."""
    found = cookies_of(scope).get(BROWSER_COOKIE, "")
    return found if BROWSER.fullmatch(found) else None


def own_headers() -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in HEADERS.items()]
