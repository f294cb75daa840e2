"""Whole games through the websocket: moves, takebacks, draws, resignations, variations, two tabs, restarts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from web_server import HUMAN, LEVEL1, RunningServer, running, small_config

import damier


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(small_config(tmp_path_factory.mktemp("web"))) as server:
        yield server


@pytest.mark.parametrize("variant", ["loa5", "chess", "english", "frisian", "loa:olympiad"])
def test_a_game_against_level_1(server: RunningServer, variant: str) -> None:
    with server.tab() as tab:
        game = tab.new(variant, "white", LEVEL1)
        board = damier.board(variant)
        for _ in range(12):
            if game["outcome"]:
                break
            if game["position"]["turn"] != "white":
                game = tab.until(lambda game: game["position"]["turn"] == "white" or game["outcome"])
                continue
            move = game["position"]["legal"][0]
            game = tab.game("move", game=game["id"], node=game["current"], move=move["move"])
        for node in game["tree"][1:]:
            assert board.text(board.parse(node["move"])) == node["san"]
            board.push(node["move"])
        assert board.fen() == game["position"]["fen"]
        kept = server.get(f"/api/games/{game['id']}")["tree"]
        assert kept[: len(game["tree"])] == game["tree"]  # the opponent may have answered meanwhile


def line_to(tree: list[Any], node: int) -> list[Any]:
    """The nodes that lead to one of them."""
    by_id = {each["id"]: each for each in tree}
    line = []
    while node:
        line.append(by_id[node])
        node = by_id[node]["parent"]
    return line[::-1]


def played(tab: Any, game: Any, *moves: str) -> Any:
    for move in moves:
        game = tab.game("move", game=game["id"], node=game["current"], move=move)
    return game


def test_moves_are_refused_with_a_reason(server: RunningServer) -> None:
    with server.tab() as tab:
        game = tab.new("chess")
        about = {"game": game["id"], "node": 0}
        refused = tab.ask("move", **about, move="e2e5")
        assert (refused["type"], refused["code"]) == ("error", "illegal_move")
        assert "e2e5" in refused["message"]
        assert refused["game"]["current"] == 0
        game = played(tab, game, "e4")
        assert tab.ask("move", **about, move="d4")["code"] == "stale"
        assert tab.ask("move", game="nosuchgame", node=0, move="e4")["code"] == "unknown_game"
        waiting = tab.new("chess", "black", {"kind": "textbook", "algorithm": "minimax", "depth": 8})
        assert tab.ask("move", game=waiting["id"], node=0, move="e4")["code"] == "not_your_turn"


def test_take_back_against_a_level_undoes_both_moves(server: RunningServer) -> None:
    with server.tab() as tab:
        game = tab.new("chess", "white", LEVEL1)
        assert tab.ask("takeback", game=game["id"], node=0)["code"] == "not_now"
        played(tab, game, "e4")
        game = tab.until(lambda game: game["position"]["ply"] == 2)
        assert tab.ask("takeback", game=game["id"], node=1)["code"] == "stale"
        game = tab.game("takeback", game=game["id"], node=game["current"])
        assert (game["current"], len(game["tree"]), game["position"]["ply"]) == (0, 1, 0)
        game = tab.new("chess", "white", HUMAN)
        game = played(tab, game, "e4", "e5")
        assert tab.game("takeback", game=game["id"], node=game["current"])["position"]["ply"] == 1


def test_the_end_of_a_game_is_told(server: RunningServer) -> None:
    with server.tab() as tab:
        game = played(tab, tab.new("chess"), "f3", "e5", "g4", "Qh4")
        assert game["outcome"] == {"result": "0-1", "winner": "black", "reason": "checkmate"}
        assert game["position"]["check"] == "e1"
        assert tab.ask("move", game=game["id"], node=game["current"], move="a3")["code"] == "game_over"
        assert tab.ask("resign", game=game["id"])["code"] == "game_over"
        again = tab.game("branch", game=game["id"], node=game["tree"][2]["id"])
        assert (again["outcome"], again["position"]["ply"]) == (None, 2)
        again = played(tab, again, "Nc3")
        assert [node["san"] for node in again["tree"]] == [None, "f3", "e5", "Nc3", "g4", "Qh4#"]
        back = tab.game("branch", game=game["id"], node=game["current"])
        assert back["outcome"]["reason"] == "checkmate"


def test_what_is_played_is_the_main_line(server: RunningServer) -> None:
    with server.tab() as tab:
        game = played(tab, tab.new("chess"), "e4", "e5", "Nf3")
        id = game["id"]
        tab.game("add", game=id, node=3, move="Nc6")  # tried out, then something else is played
        game = played(tab, game, "d6")
        assert [node["san"] for node in game["tree"]] == [None, "e4", "e5", "Nf3", "d6", "Nc6"]
        game = tab.game("branch", game=id, node=1)
        game = played(tab, game, "c5", "Nf3")
        assert [node["san"] for node in game["tree"]][:4] == [None, "e4", "c5", "Nf3"]
        number = tab.send("review", game=id, engine={"kind": "engine"}, nodes=100)
        review = tab.wait("review", request=number)["review"]
        assert [move["san"] for move in review["moves"]] == ["e4", "c5", "Nf3"]
        assert "1. e4 c5 (1... e5 2. Nf3 d6 (2... Nc6)) 2. Nf3" in server.http.get(f"/api/games/{id}/export").text
        tree = tab.game("open", game=id)["tree"]
        server.restart()
        assert server.get(f"/api/games/{id}")["tree"] == tree


def test_a_game_that_is_over_keeps_its_moves(server: RunningServer) -> None:
    """Deleting the last move would open it again."""
    with server.tab() as tab:
        game = tab.new("chess", "white", LEVEL1)
        played(tab, game, "e4")
        game = tab.until(lambda game: game["position"]["ply"] == 2)
        over = [tab.game("resign", game=game["id"]), played(tab, tab.new("chess"), "f3", "e5", "g4", "Qh4")]
        for game in over:
            id, last = game["id"], game["current"]
            other = next(move for move in ("b6", "a6") if move not in {node["san"] for node in game["tree"]})
            added = tab.ask("add", game=id, node=last - 1, move=other)["added"]
            assert tab.ask("edit", game=id, node=last, delete=True)["code"] == "not_now"
            assert tab.ask("edit", game=id, node=1, delete=True)["code"] == "not_now"
            after = tab.game("edit", game=id, node=added, delete=True)
            assert (after["outcome"], after["current"]) == (game["outcome"], last)


def test_resignation_draws_and_rematch(server: RunningServer) -> None:
    with server.tab() as tab:
        game = tab.new("loa", "black", LEVEL1, clock={"seconds": 300.0, "increment": 2.0})
        game = tab.game("resign", game=game["id"])
        assert game["outcome"] == {"result": "1-0", "winner": "white", "reason": "resignation"}
        next_game = tab.game("rematch", game=game["id"])
        assert (next_game["white"]["opponent"], next_game["black"]["opponent"]) == (HUMAN, LEVEL1)
        assert next_game["clock"]["seconds"] == 300.0
        game = played(tab, tab.new("chess"), "e4")
        assert tab.game("offer_draw", game=game["id"])["outcome"]["reason"] == "agreement"
        game = tab.new("chess", "white", LEVEL1)
        assert tab.ask("offer_draw", game=game["id"])["event"] == "draw_declined"
        assert tab.ask("claim_draw", game=game["id"])["code"] == "not_now"
        game = tab.new("chess")
        game = played(tab, game, *["Nf3", "Nf6", "Ng1", "Ng8"] * 2)
        assert game["position"]["claimable"] == "threefold repetition"
        assert tab.game("claim_draw", game=game["id"])["outcome"]["result"] == "1/2-1/2"


def test_a_draw_is_agreed_only_where_it_was_offered(tmp_path: Path) -> None:
    """The opponent has to wait for a thread before it can look at the offer, and meanwhile the game moves on."""
    slow = {"kind": "textbook", "algorithm": "minimax", "depth": 8}
    with running(small_config(tmp_path, slice_s=1e6)) as server, server.tab() as tab:
        others = [server.tab() for _ in range(2)]
        game = tab.new("chess", "white", LEVEL1, fen="4k3/8/8/8/8/8/8/4K2Q w - - 0 60")
        for other in others:  # each takes one of the two threads
            other.new("chess", "black", slow)
            other.wait("game", event="thinking")
        offer = tab.send("offer_draw", game=game["id"])
        tab.game("move", game=game["id"], node=0, move="Qh2")
        for other in others:
            other.close()
        assert tab.wait("game", request=offer)["event"] == "draw_declined"
        if (game := tab.game("open", game=game["id"]))["position"]["ply"] == 1:
            game = tab.until(lambda game: game["position"]["ply"] == 2)
        assert tab.game("offer_draw", game=game["id"])["outcome"]["reason"] == "agreement"


def test_sides_may_be_exchanged(server: RunningServer) -> None:
    with server.tab() as tab:
        game = tab.new("chess", "white", LEVEL1)
        game = tab.game("flip_sides", game=game["id"])
        assert game["black"]["opponent"] == HUMAN
        assert tab.until(lambda game: game["position"]["ply"] == 1)["current"] == 1


def test_trees_are_edited(server: RunningServer) -> None:
    with server.tab() as tab:
        game = played(tab, tab.new("chess"), "e4", "e5")
        id = game["id"]
        message = tab.ask("add", game=id, node=1, move="c5")
        added = message["added"]
        assert message["game"]["current"] == 2
        assert tab.ask("add", game=id, node=1, move="c7c5")["added"] == added
        tab.game("edit", game=id, node=added, comment="Sicilian", glyph=1)
        game = tab.game("edit", game=id, node=added, promote=True)
        assert [node["san"] for node in game["tree"]] == [None, "e4", "c5", "e5"]
        assert (game["tree"][2]["comment"], game["tree"][2]["glyph"]) == ("Sicilian", 1)
        text = server.http.get(f"/api/games/{id}/export").text
        assert "1. e4 c5 $1 {Sicilian} (1... e5) *" in text.replace("\n", " ")
        game = tab.game("edit", game=id, node=added, delete=True)
        assert [node["san"] for node in game["tree"]] == [None, "e4", "e5"]
        assert tab.ask("edit", game=id, node=added, comment="gone")["code"] == "stale"


def test_a_tree_put_together_from_changes_is_the_tree_that_is_kept(server: RunningServer) -> None:
    dice = Random(5)
    with server.tab() as tab, server.tab() as other:
        game = tab.new("chess")
        id = game["id"]
        assert other.game("open", game=id) == game
        for _ in range(60):
            node = dice.choice(game["tree"])["id"]
            about: dict[str, Any] = {"game": id, "node": node}
            kinds = ["add", "add", "branch", "move"] + (["glyph", "comment", "promote", "delete"] if node else [])
            match dice.choice(kinds):
                case "add":
                    line = [move["move"] for move in line_to(game["tree"], node)]
                    legal = tab.ask("position", variant="chess", moves=line)["position"]["legal"]
                    game = tab.game("add", **about, move=dice.choice(legal)["move"])
                case "branch":
                    game = tab.game("branch", **about)
                case "move":
                    game = played(tab, game, dice.choice(game["position"]["legal"])["move"])
                case "glyph":
                    game = tab.game("edit", **about, glyph=dice.randint(0, 6))
                case "comment":
                    game = tab.game("edit", **about, comment=dice.choice(["", "why not?"]))
                case change:
                    game = tab.game("edit", **about, **{change: True})
            assert game["tree"] == server.get(f"/api/games/{id}")["tree"]
            assert other.until(lambda seen, now=game: seen["revision"] == now["revision"])["tree"] == game["tree"]


def test_a_change_of_a_large_tree_is_a_small_message(server: RunningServer) -> None:
    first = [{"parent": 0, "move": move} for move in map(str, damier.board("chess").legal_moves)]
    tree = [*first, *({"parent": parent, "move": f"{file}6"} for parent in range(1, 21) for file in "abcdefgh")]
    with server.tab() as tab:
        whole = tab.new("chess", tree=tree)
        tab.send("edit", game=whole["id"], node=7, comment="what of this?")
        text = tab.socket.recv()
        change = json.loads(text)["tree"]
        assert [node["comment"] for node in change["nodes"]] == ["what of this?"]
        assert (change["since"], change["children"]) == (1, {})
        assert len(text) < len(json.dumps(whole["tree"])) / 3  # most of which is the position


def test_an_analysis_is_kept_with_one_message(server: RunningServer) -> None:
    tree = [
        {"parent": 0, "move": "f3"},
        {"parent": 1, "move": "e5", "comment": "already lost", "glyph": 1},
        {"parent": 0, "move": "e2e4"},
        {"parent": 2, "move": "g4"},
        {"parent": 4, "move": "Qh4#", "glyph": 3},
        {"parent": 3, "move": "c5"},
    ]
    with server.tab() as tab:
        game = tab.new("chess", tree=tree)
        assert [node["san"] for node in game["tree"]] == [None, "f3", "e5", "g4", "Qh4#", "e4", "c5"]
        assert [node["move"] for node in game["tree"]][1:3] == ["f2f3", "e7e5"]
        assert (game["current"], game["outcome"]["reason"]) == (5, "checkmate")  # the end of the main line
        game = tab.game("add", game=game["id"], node=0, move="d4")
        assert server.get(f"/api/games/{game['id']}")["tree"] == game["tree"]
        text = server.http.get(f"/api/games/{game['id']}/export").text
        assert "1. f3 (1. e4 c5) (1. d4) 1... e5 $1 {already lost} 2. g4 Qh4# $3 0-1" in text
        about = {"variant": "chess", "side": "white", "opponent": HUMAN}
        for wrong, code in (
            ([{"parent": 0, "move": "e5"}], "illegal_move"),
            ([{"parent": 1, "move": "e4"}], "malformed"),
            ([{"parent": 0, "move": "e4"}, {"parent": 0, "move": "e2e4"}], "malformed"),
            ([{"parent": 0, "move": "e4"}] * 5001, "malformed"),
        ):
            assert tab.ask("new", **about, tree=wrong)["code"] == code


def test_two_tabs_see_the_same_game(server: RunningServer) -> None:
    with server.tab() as one, server.tab() as two:
        game = one.new("chess")
        assert two.game("open", game=game["id"])["current"] == 0
        played(one, game, "e4")
        seen = two.wait("game", event="move")
        assert (seen["request"], seen["game"]["current"]) == (0, 1)
        one.send("move", game=game["id"], node=1, move="e5")
        two.send("move", game=game["id"], node=1, move="c5")
        answers = [tab.wait("game", event="move")["game"]["position"]["last"]["san"] for tab in (one, two)]
        assert answers[0] == answers[1]  # one of them was first, and both know
        state = server.get(f"/api/games/{game['id']}")
        assert len(state["tree"]) == 3


def test_games_survive_a_restart(tmp_path: Path) -> None:
    with running(small_config(tmp_path)) as server:
        with server.tab() as tab:
            game = played(tab, tab.new("international"), "32-28", "19-23", "28x19")
        server.restart()
        with server.tab() as tab:
            again = tab.game("open", game=game["id"])
            assert again["tree"] == game["tree"]
            assert again["position"] == game["position"]
            played(tab, again, again["position"]["legal"][0]["move"])


def test_deleted_games_are_told_and_gone(server: RunningServer) -> None:
    with server.tab() as tab:
        game = tab.new("loa")
        assert server.http.delete(f"/api/games/{game['id']}").status_code == 204
        assert tab.wait("deleted")["game"] == game["id"]
        assert server.http.delete(f"/api/games/{game['id']}").status_code == 404
        assert server.http.get(f"/api/games/{game['id']}").json()["code"] == "unknown_game"
        assert tab.ask("open", game=game["id"])["code"] == "unknown_game"


def test_positions_and_games_from_a_fen(server: RunningServer) -> None:
    fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
    with server.tab() as tab:
        position = tab.ask("position", variant="chess", fen=fen)["position"]
        promotions = {move["promotion"] for move in position["legal"] if move["from"] == "a7"}
        assert promotions == {"q", "r", "b", "n"}
        assert server.http.post("/api/position", json={"variant": "chess", "fen": fen}).json() == position
        game = played(tab, tab.new("chess", fen=fen), "a7a8n")
        assert game["position"]["pieces"]["a8"] == "N"
        assert tab.ask("position", variant="chess", fen="what")["code"] == "bad_position"
        assert tab.ask("position", variant="go")["code"] == "unknown_variant"
        mated = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"
        over = tab.ask("new", variant="chess", side="white", opponent=HUMAN, fen=mated)
        assert (over["code"], over["detail"]) == ("bad_position", "over")
        starts = {tab.new("chess960")["start"] for _ in range(6)}
        assert len(starts) > 1


def test_an_opponent_goes_on_thinking_when_someone_comes_back(server: RunningServer) -> None:
    with server.tab() as tab:
        game = tab.new("chess", "black", {"kind": "textbook", "algorithm": "minimax", "depth": 8})
        tab.wait("game", event="thinking")
    with server.tab() as tab:
        tab.send("open", game=game["id"])
        assert tab.until(lambda game: game["thinking"])["thinking"] == "white"
        game = tab.game("flip_sides", game=game["id"])
        assert (game["thinking"], game["white"]["opponent"]) == (None, HUMAN)


def test_many_changes_at_once_leave_one_game(tmp_path: Path) -> None:
    """Three tabs do what comes to their mind without waiting for each other; rows and memory agree in the end."""
    with running(small_config(tmp_path)) as server:
        tabs = [server.tab() for _ in range(3)]
        game = tabs[0].new("loa5", "black", LEVEL1)
        id = game["id"]
        dice = Random(5)
        for _ in range(30):
            for tab in tabs:
                node, move = dice.randrange(12), dice.choice(game["position"]["legal"])["move"]
                kind = dice.choice(["move", "move", "takeback", "branch", "add", "edit", "flip_sides", "open"])
                fields = {"takeback": {"node": node}, "branch": {"node": node}, "flip_sides": {}, "open": {}}
                fields |= {"edit": {"node": node, "comment": f"{node}", "promote": node % 2 == 0}}
                tab.send(kind, game=id, **fields.get(kind, {"node": node, "move": move}))
            game = tabs[0].game("open", game=id)
            game = game if game["position"]["legal"] else tabs[0].game("branch", game=id, node=0)
        tabs[0].ask("resign", game=id)  # unless it is over anyway
        last = [tab.game("open", game=id) for tab in tabs]
        for tab in tabs:
            tab.close()
        state = server.get(f"/api/games/{id}")
        assert state["revision"] >= max(each["revision"] for each in last)
        server.restart()
        again = server.get(f"/api/games/{id}")
        for part in ("tree", "current", "position", "outcome", "white", "black", "revision"):
            assert again[part] == state[part]
