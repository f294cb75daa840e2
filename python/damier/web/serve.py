"""Listening: a socket that is bound before anything is printed, with uvicorn behind it."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import replace

import uvicorn

from damier._core import DamierError
from damier.web.app import application
from damier.web.config import Config
from damier.web.security import kept_token, our_names

__all__ = ["bound", "for_host", "is_loopback", "listener", "url_of"]

PING_S = 2.0  # between questions whether a tab is still there; one whose network is gone closes nothing itself
USER_TIMEOUT_MS = 2500  # for sent data to be acknowledged, as the lines of an analysis that nobody gets are not
BACKLOG = 512


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def for_host(config: Config, host: str) -> Config:
    """The settings for an address: beyond this machine nobody gets in without a token."""
    if is_loopback(host):
        return config
    token = config.token or kept_token(config.token_file)
    return replace(config, token=token, hosts=config.hosts | our_names() | {host.lower()})


def bound(host: str, port: int) -> socket.socket:
    """A socket at an address; a port that is taken is reported."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # by which asyncio knows not to delay answers
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, USER_TIMEOUT_MS)
        found.bind((host, port))
        found.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        found.close()
        raise DamierError(f"cannot listen on {host} port {port}: {getattr(error, 'strerror', None) or error}") from None
    return found


def url_of(host: str, port: int, token: str | None) -> str:
    """The address to open in a browser.

    >>> url_of("127.0.0.1", 8000, None), url_of("::1", 80, "secret")
    ('http://127.0.0.1:8000/', 'http://[::1]:80/?token=secret')
    """
    shown = own_address() if host in ("0.0.0.0", "::", "") else host
    name = f"[{shown}]" if ":" in shown else shown
    return f"http://{name}:{port}/" + (f"?token={token}" if token else "")


def own_address() -> str:
    """The address by which other machines of the network know this one, or its name where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def listener(config: Config) -> uvicorn.Server:
    """Uvicorn with our application; `run(sockets=[...])` serves until it is told to exit."""
    return uvicorn.Server(
        uvicorn.Config(
            application(config),
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws_per_message_deflate=False,  # states are small, and 200 compressors are not
            ws_max_size=config.largest_message,
            ws_ping_interval=PING_S,
            ws_ping_timeout=2 * PING_S,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=3,
            h11_max_incomplete_event_size=64 * 1024,
        )
    )
