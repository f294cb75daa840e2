"""HTTP: the catalogue, settings, lists of games, import and export, pages; and who is kept out."""

from __future__ import annotations

import re
import socket
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from fastapi import Request
from web_server import LEVEL1, RunningServer, running, small_config
from websockets.exceptions import InvalidStatus

import damier
from damier.cli.app import run
from damier.scorers import Neighbours
from damier.web.config import STATIC
from damier.web.learnt import ids_of
from damier.web.pages import Pages
from damier.web.reasons import REASONS
from damier.web.security import HEADERS
from damier.web.serve import USER_TIMEOUT_MS, bound, for_host
from damier.web.state import Settings

PGN = '[White "Anne"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 (1... c5 {Sicilian} 2. Nf3) 2. Qh5 Ke7 3. Qxe5# 1-0\n'
PDN = '[GameType "20"]\n[Result "*"]\n\n1. 32-28 19-23 2. 28x19 *\n'
SGF = "(;GM[9];B[b1-b3];W[a2-c2])"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("web")
    (folder / "static" / "assets").mkdir(parents=True)
    (folder / "static" / "index.html").write_text("<!doctype html><title>pages</title>")
    (folder / "static" / "assets" / "app-1234.js").write_text("1")
    with running(small_config(folder)) as server:
        yield server


def test_the_catalogue_has_every_game(server: RunningServer) -> None:
    found = server.get("/api/catalogue")
    variants = {variant["name"]: variant for family in found["families"] for variant in family["variants"]}
    assert set(variants) == set(damier.GAMES)
    assert (
        variants["international"]["geometry"]["columns"],
        len(variants["international"]["geometry"]["squares"]),
    ) == (
        10,
        50,
    )
    assert [level["level"] for level in variants["loa"]["levels"]] == list(range(1, 11))
    assert variants["loa:olympiad"]["articles"]["no_move"] == "passes"
    assert {algorithm["name"] for algorithm in found["algorithms"]} >= {"minimax", "mtdf", "mcts"}


def test_pages_outlive_their_files(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    script = tmp_path / "assets" / "app-1234.js"
    script.write_text("1")
    pages = Pages(tmp_path)
    script.unlink()  # as an update of the package below a running server does
    assert pages.answer("assets/app-1234.js", Request({"type": "http", "headers": []})).body == b"1"


def test_learnt_players_are_found_by_id(server: RunningServer) -> None:
    folder = server.config.players
    folder.mkdir(parents=True, exist_ok=True)
    from damier.eval import Linear  # noqa: PLC0415

    Linear("quads", [1, 2, 3, 4, 5, 6, 7, 8]).save(folder / "mine.safetensors", "loa")
    (folder / "broken.safetensors").write_bytes(b"what")
    assert {"id": "mine", "name": "mine (linear)", "variant": "loa", "analyses": True} in server.get("/api/catalogue")[
        "learnt"
    ]
    assert "broken" not in [player["id"] for player in server.get("/api/catalogue")["learnt"]]
    with server.tab() as tab:
        tab.new("loa", "white", {"kind": "learnt", "id": "mine"})
        assert tab.until(lambda game: game["position"]["ply"] == 1)["black"]["name"] == "mine"
        for id in ("broken", "../mine", str(folder / "mine.safetensors")):
            answer = tab.ask("new", variant="loa", side="white", opponent={"kind": "learnt", "id": id})
            assert answer["code"] in ("unknown_player", "malformed")
        wrong = {"kind": "learnt", "id": "mine"}
        assert tab.ask("new", variant="chess", side="white", opponent=wrong)["code"] == "unknown_player"


def test_files_that_are_named_play_too(tmp_path: Path) -> None:
    from damier.eval import Linear  # noqa: PLC0415

    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        Linear("quads", [1, 2, 3, 4, 5, 6, 7, 8], "quads-td").save(tmp_path / folder / "learnt.safetensors", "loa")
    named = ids_of(sorted(tmp_path.glob("*/learnt.safetensors")))
    with running(small_config(tmp_path, named=named)) as server:
        found = [player["name"] for player in server.get("/api/catalogue")["learnt"]]
        assert found == ["one (quads-td)", "two (quads-td)"]
        with server.tab() as tab:
            tab.new("loa", "white", {"kind": "learnt", "id": "two"})
            assert tab.until(lambda game: game["position"]["ply"] == 1)["black"]["name"] == "two"
            (tmp_path / "one" / "learnt.safetensors").unlink()
            wrong = {"kind": "learnt", "id": "one"}
            assert tab.ask("new", variant="loa", side="white", opponent=wrong)["code"] == "unknown_player"


def test_players_that_only_play_do_not_analyse(server: RunningServer) -> None:
    server.config.players.mkdir(parents=True, exist_ok=True)
    near = Neighbours("boards", np.zeros((4, 1), np.uint64), np.ones(4, np.float32), k=1)
    near.save(server.config.players / "near.safetensors", "rennes")
    found = {player["id"]: player["analyses"] for player in server.get("/api/catalogue")["learnt"]}
    assert found["near"] is False
    with server.tab() as tab:
        tab.new("rennes", "black", {"kind": "learnt", "id": "near"})
        assert tab.until(lambda game: game["position"]["ply"] == 1)["failure"] is None
        answer = tab.ask("analyse", variant="rennes", engine={"kind": "engine", "learnt": "near"})
        assert answer["code"] == "unknown_player"
        other = {"kind": "learnt", "id": "near"}
        assert tab.ask("new", variant="paris", side="black", opponent=other)["code"] == "unknown_player"


def test_settings_are_remembered(server: RunningServer) -> None:
    assert server.get("/api/settings") == Settings().model_dump()
    chosen = {**server.get("/api/settings"), "theme": "dark", "opponent": {"kind": "elo", "elo": 1500}}
    assert server.http.put("/api/settings", json=chosen).status_code == 200
    assert server.get("/api/settings") == chosen
    assert server.http.put("/api/settings", json={**chosen, "theme": "pink"}).status_code == 422
    assert server.http.put("/api/settings", json={**chosen, "path": "/etc"}).json()["code"] == "malformed"
    assert server.get("/api/settings") == chosen


def test_every_browser_has_settings_of_its_own(server: RunningServer) -> None:
    """A phone wants large type, and the laptop beside it does not."""
    headers = {"origin": server.origin}
    with httpx.Client(base_url=server.origin, headers=headers) as phone, httpx.Client(base_url=server.origin) as laptop:
        for browser in (phone, laptop):
            assert "SameSite=Lax" in browser.get("/").headers["set-cookie"]
        large, dark = (Settings.model_validate(part).model_dump() for part in ({"large_type": True}, {"theme": "dark"}))
        assert phone.put("/api/settings", json=large).status_code == 200
        assert laptop.get("/api/settings").json() == large  # to begin with
        assert laptop.put("/api/settings", json=dark, headers=headers).status_code == 200
        assert (phone.get("/api/settings").json(), laptop.get("/api/settings").json()) == (large, dark)
        assert "set-cookie" not in phone.get("/").headers
        phone.cookies.set("damier_browser", "made up")
        assert "set-cookie" in phone.get("/").headers


@pytest.mark.parametrize(("text", "variant", "plies"), [(PGN, "chess", 5), (PDN, "international", 3), (SGF, "loa", 2)])
def test_what_is_imported_is_exported(server: RunningServer, text: str, variant: str, plies: int) -> None:
    answer = server.http.post("/api/games/import", json={"text": text})
    assert answer.status_code == 200, answer.text
    (summary,) = answer.json()["games"]
    assert (summary["variant"], summary["plies"]) == (variant, plies)
    exported = server.http.get(f"/api/games/{summary['id']}/export")
    again = server.http.post("/api/games/import", json={"text": exported.text}).json()["games"][0]
    one, two = (server.get(f"/api/games/{id}")["tree"] for id in (summary["id"], again["id"]))
    assert one == two
    wrong = "sgf" if variant != "loa" else "pgn"
    assert server.http.get(f"/api/games/{summary['id']}/export", params={"format": wrong}).status_code == 422


def test_a_tree_is_imported_with_its_variations(server: RunningServer) -> None:
    summary = server.http.post("/api/games/import", json={"text": PGN}).json()["games"][0]
    assert (summary["white"]["name"], summary["result"], summary["reason"]) == ("Anne", "1-0", "checkmate")
    game = server.get(f"/api/games/{summary['id']}")
    assert [node["san"] for node in game["tree"]] == [None, "e4", "e5", "Qh5", "Ke7", "Qxe5#", "c5", "Nf3"]
    assert "1. e4 e5 (1... c5 {Sicilian} 2. Nf3) 2. Qh5" in server.http.get(f"/api/games/{summary['id']}/export").text


def test_broken_records_are_reported(server: RunningServer) -> None:
    answer = server.http.post("/api/games/import", json={"text": "1. e4 e9 *"})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_record")
    assert "'e9' is not a legal chess move here" in answer.json()["message"]
    assert (answer.json()["detail"], answer.json()["about"]) == ("illegal_move", {"what": "e9", "line": "1"})
    both = server.http.post("/api/games/import", json={"text": f'[White "X"]\n\n1. e4 e9 *\n\n{PGN}'}).json()
    assert (len(both["games"]), len(both["errors"])) == (1, 1)
    assert both["errors"][0]["about"]["line"] == "3"
    many = server.http.post("/api/games/import", json={"text": PGN * 205, "format": "pgn"}).json()
    assert (len(many["games"]), many["more"], both["more"]) == (200, True, False)


BAD_RECORDS = [
    ("1. Nf3 a6 2. d3 a5 3. Nd2", "ambiguous"),
    ("1. f3 e5 2. g4 Qh4# 3. a3", "finished"),
    ('[Variant "Atomic"]\n\n1. e4 *', "variant"),
    ('[FEN "8/8/8/8/8/8/8/K7 w - - 0 1"]\n\n1. Ka2 *', "kings"),
    ("1. e4 (1. d4", "unclosed"),
    ("1. e4 @ e5", "out_of_place"),
    ("hello", "illegal_move"),
    ("()", "out_of_place"),
    ("(;GM[1]B[aa])", "variant"),
]


@pytest.mark.parametrize(("text", "detail"), BAD_RECORDS)
def test_what_is_wrong_with_a_record_has_a_name(server: RunningServer, text: str, detail: str) -> None:
    answer = server.http.post("/api/games/import", json={"text": text}).json()
    assert (answer["code"], answer["detail"]) == ("bad_record", detail), answer["message"]


@pytest.mark.parametrize(("text", "format"), [(";nothing but a comment", "pgn"), ("hello", "sgf")])
def test_a_text_without_a_game_has_a_name(server: RunningServer, text: str, format: str) -> None:
    answer = server.http.post("/api/games/import", json={"text": text, "format": format}).json()
    assert (answer["code"], answer["detail"]) == ("bad_record", "no_game"), answer["message"]


BAD_POSITIONS: list[tuple[str, str, str, dict[str, str]]] = [
    ("chess", "8/8/8/8/8/8/8/KK5k w - - 0 1", "kings", {"side": "white", "count": "2"}),
    ("chess", "k7/8/8/8/8/8/8/KP6 w - - 0 1", "pawn", {"square": "b1"}),
    ("chess", "k6R/8/8/8/8/8/8/K7 w - - 0 1", "in_check", {"side": "black"}),
    ("chess", "k7/8/8/8/8/pppppppp/p7/K7 w - - 0 1", "too_many", {"side": "black", "count": "9"}),
    ("chess", "k7/8/8/8/8/8/PPPPPPPP/KQQ5 w - - 0 1", "promoted", {"side": "white"}),
    ("chess", "k7/8/8/8/8/8/8/4K3 w K - 0 1", "castling", {}),
    ("chess", "k7/8/8/8/8/8/8/4K3 w - e3 0 1", "en_passant", {}),
    ("chess", "3k4/8/2N1N3/8/8/3R4/8/K7 b - - 0 1", "checkers", {}),
    ("chess", "k7/8/8/8/8/8/8/K7 x - - 0 1", "turn", {}),
    ("international", "W:W21-41:B1", "men", {"count": "20"}),
    ("rennes", "W:WK28:B1", "no_kings", {}),
    ("loa", "8/8/8/8/8/8/8/o7 x", "no_piece", {"side": "black"}),
    ("international", "W:W1:B20", "last_row", {"square": "1"}),
    ("international", "W:W:B", "empty", {}),
    ("chess", "nonsense", "fen", {}),
    ("russian", "W:Wz9:Ba7", "fen", {}),
    ("loa", "8/8 x", "fen", {}),
]


@pytest.mark.parametrize(("variant", "fen", "detail", "about"), BAD_POSITIONS)
def test_what_is_wrong_with_a_position_has_a_name(
    server: RunningServer, variant: str, fen: str, detail: str, about: dict[str, str]
) -> None:
    answer = server.http.post("/api/position", json={"variant": variant, "fen": fen}).json()
    assert (answer["code"], answer["detail"], answer["about"]) == ("bad_position", detail, about), answer["message"]


def test_every_reason_is_one_that_is_met() -> None:
    """A message that is worded anew is not recognised any more: so each is met, here or where its fault is tested."""
    elsewhere = {"no_game", "over", "locked", "full", "damaged"}
    assert {case[1] for case in BAD_RECORDS} | {case[2] for case in BAD_POSITIONS} | elsewhere == set(REASONS)


def test_connections_answer_at_once_and_notice_a_dead_network() -> None:
    with bound("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP  # else asyncio leaves Nagle's algorithm on
            if hasattr(socket, "TCP_USER_TIMEOUT"):
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == USER_TIMEOUT_MS


def test_a_huge_record_is_refused(server: RunningServer) -> None:
    answer = server.http.post("/api/games/import", json={"text": PGN * 400_000})  # 50 MB
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")

    def slowly() -> Iterator[bytes]:  # without a length
        yield b'{"text": "'
        for _ in range(9):
            yield b"x" * 1_000_000

    answer = server.http.post("/api/games/import", content=slowly(), headers={"content-type": "application/json"})
    assert answer.status_code in (400, 413)
    text = PGN * 50_000
    assert server.http.post("/api/games/import", json={"text": text}).status_code == 422
    assert server.get("/api/health")["status"] == "ok"


def test_games_are_listed_and_searched(tmp_path: Path) -> None:
    with running(small_config(tmp_path)) as server:
        server.http.post("/api/games/import", json={"text": PGN})
        with server.tab() as tab:
            for _ in range(4):
                tab.new("loa", "black", LEVEL1)
        first = server.get("/api/games?limit=3")
        rest = server.get(f"/api/games?limit=3&before={first['before']}".replace("+", "%2B"))
        assert (len(first["games"]), len(rest["games"]), rest["before"]) == (3, 2, None)
        assert len({game["id"] for game in first["games"] + rest["games"]}) == 5
        assert [game["variant"] for game in server.get("/api/games?search=anne")["games"]] == ["chess"]
        assert len(server.get("/api/games?search=level 1&variant=loa")["games"]) == 4
        assert len(server.get("/api/games?result=*")["games"]) == 4
        for wrong in ("limit=0", "limit=x", "before=x", "variant=go", "result=2-0"):
            assert server.http.get(f"/api/games?{wrong}").status_code == 422


def test_pages_have_their_files(server: RunningServer) -> None:
    for path in ("/", "/play/abc", "/analyse", "/settings", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd"):
        answer = server.http.get(path)
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
        assert "<title>pages" in answer.text
    script = server.http.get("/assets/app-1234.js")
    assert "immutable" in script.headers["cache-control"]
    assert server.http.get("/assets/none.js").status_code == 404
    assert server.http.get("/api/nothing").json()["code"] == "not_found"


def test_the_package_has_its_pages(tmp_path: Path) -> None:
    """Whoever installs damier needs no Node."""
    if "site-packages" not in STATIC.parts:
        pytest.skip("damier is not installed, but read where it is written")
    with running(small_config(tmp_path, static=STATIC)) as server:
        page = server.http.get("/").text
        files = re.findall(r'(?:src|href)="(/[^"]+)"', page)
        assert any(file.endswith(".js") for file in files)
        for file in files:
            assert server.http.get(file).status_code == 200


def test_answers_have_the_headers(server: RunningServer) -> None:
    for path in ("/", "/api/health", "/api/nothing", "/assets/none.js"):
        found = server.http.get(path).headers
        assert {name: found[name] for name in HEADERS} == HEADERS
    assert "unsafe" not in HEADERS["content-security-policy"]


def test_other_sites_are_kept_out(server: RunningServer) -> None:
    """DNS rebinding, forged requests and sockets of other pages."""
    assert server.http.get("/api/health", headers={"host": "evil.example"}).status_code == 403
    assert server.http.get("/api/health", headers={"host": f"localhost:{server.port}"}).status_code == 200
    for origin in ("http://evil.example", "null", "http://[", f"http://localhost:{server.port + 1}"):
        assert server.http.put("/api/settings", json={}, headers={"origin": origin}).status_code == 403
        with pytest.raises(InvalidStatus):
            server.tab(origin=origin)
    with httpx.Client(base_url=server.origin) as nowhere:
        assert nowhere.delete("/api/games/abc").status_code == 403
    crossed = {"sec-fetch-site": "cross-site"}
    assert server.http.get("/api/games", headers=crossed).status_code == 403


def test_beyond_this_machine_a_token_is_needed(tmp_path: Path) -> None:
    config = for_host(small_config(tmp_path), "0.0.0.0")
    assert config.token
    assert len(config.token) >= 32
    assert for_host(small_config(tmp_path), "127.0.0.1").token is None
    with running(config) as server:
        for path in ("/", "/api/health", "/?token=wrong", "/api/games"):
            assert server.http.get(path).status_code == 403
        with pytest.raises(InvalidStatus):
            server.tab()
        opened = server.http.get(f"/analyse?fen=8/8&token={config.token}")
        assert (opened.status_code, opened.headers["location"]) == (303, "/analyse?fen=8%2F8")
        cookie = opened.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        for path, cleaned in (("//evil.example/", "/evil.example/"), ("/%0d%0aX-Evil:1", "/%0D%0AX-Evil%3A1")):
            answer = server.http.get(f"{server.origin}{path}?token={config.token}")
            assert (answer.status_code, answer.headers["location"]) == (303, cleaned)
            assert "x-evil" not in answer.headers
        assert server.http.get("/api/health").status_code == 200  # with the cookie
        with server.tab(cookie=f"damier_token={config.token}") as tab:
            assert tab.new("loa")["variant"] == "loa"
        with pytest.raises(InvalidStatus):
            server.tab(cookie="damier_token=wrong")


def test_a_token_is_kept(tmp_path: Path) -> None:
    """Bookmarks and the cookies of phones are good after a restart."""
    config = small_config(tmp_path / "data")
    first = for_host(config, "0.0.0.0")
    assert first.token == for_host(config, "0.0.0.0").token
    assert config.token_file.stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "data" / "web.db").exists()
    config.token_file.write_text("short")
    with pytest.raises(damier.DamierError, match="this is not a token"):
        for_host(config, "0.0.0.0")
    with pytest.raises(damier.DamierError, match="the token cannot be kept there"):
        for_host(replace(config, token_file=config.token_file / "token"), "0.0.0.0")


def test_people_without_the_token_see_a_page(tmp_path: Path) -> None:
    with running(for_host(small_config(tmp_path), "0.0.0.0")) as server:
        answer = server.http.get("/play/abc", headers={"accept": "text/html,*/*"})
        assert (answer.status_code, answer.headers["content-type"]) == (403, "text/html; charset=utf-8")
        assert "<p>the token is missing or wrong: open the address that the server printed</p>" in answer.text
        assert server.http.get("/api/games", headers={"accept": "text/html"}).json()["code"] == "forbidden"
        crafted = server.http.get("/", headers={"accept": "text/html", "host": "<script>"})
        assert "<script>" not in crafted.text


def test_too_many_requests_are_refused(tmp_path: Path) -> None:
    with running(replace(small_config(tmp_path), rate=1.0, burst=5)) as server:
        codes = [server.http.get("/api/health").status_code for _ in range(40)]
        assert codes[0] == 200
        assert 429 in codes


def test_a_browser_is_recognised(server: RunningServer) -> None:
    answer = httpx.get(f"{server.origin}/")
    assert "damier_browser=" in answer.headers["set-cookie"]
    assert "set-cookie" not in server.http.get("/api/health").headers


def asked(server: RunningServer, body: Any) -> int:
    return server.http.post("/api/position", json=body).status_code


def test_wrong_positions_are_refused(server: RunningServer) -> None:
    assert asked(server, {"variant": "chess"}) == 200
    wrong: list[Any] = [{}, [], None, {"variant": 3}, {"variant": "chess", "fen": "x"}, {"variant": "go"}]
    wrong += [{"variant": "chess", "moves": ["e5"]}, {"variant": "chess", "moves": ["e4"] * 3000}]
    assert {asked(server, body) for body in wrong} == {422}
    assert server.http.post("/api/position", content=b"{").status_code == 422


def test_what_serve_cannot_do_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with running(small_config(tmp_path)) as server:
        where = ["--no-browser", "--database", str(tmp_path / "other.db")]
        assert run(["serve", *where, "--port", str(server.port)]) == 1
        assert "cannot listen on 127.0.0.1" in capsys.readouterr().err
        assert run(["serve", *where, "--port", "99999"]) == 2
        assert run(["serve", *where, "--host", "no such host"]) == 1
        assert "cannot listen on no such host" in capsys.readouterr().err
        (tmp_path / "text.db").write_text("this is a text and not a database, however long one looks at it")
        assert run(["serve", "--no-browser", "--port", "0", "--database", str(tmp_path / "text.db")]) == 1
        assert "this is not a database" in capsys.readouterr().err
    assert not (tmp_path / "other.db").exists()


def test_a_damaged_game_is_reported(tmp_path: Path) -> None:
    with running(small_config(tmp_path)) as server:
        with server.tab() as tab:
            game = tab.new("chess", moves=["e4", "e5"])
            sound = tab.new("chess")
        rows = sqlite3.connect(tmp_path / "web.db", isolation_level=None)
        rows.execute("UPDATE saved_moves SET move = 'e2e5' WHERE game_id = ?", [game["id"]])
        server.restart()
        answer = server.http.get(f"/api/games/{game['id']}")
        assert (answer.status_code, answer.json()["code"]) == (507, "storage")
        assert "is damaged" in answer.json()["message"]
        rows.execute("UPDATE saved_games SET headers = '{' WHERE id = ?", [game["id"]])
        assert server.http.get(f"/api/games/{game['id']}").status_code == 507
        rows.close()
        assert server.get(f"/api/games/{sound['id']}")["id"] == sound["id"]
        assert server.http.delete(f"/api/games/{game['id']}").status_code == 204
