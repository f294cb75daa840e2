"""External engines as they are given: commands, specs and names, and how often each is started."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest
from engine_bench import ENGINES, Bench

import damier
from damier import DamierError, chess
from damier.arena.match import Match
from damier.engine import PlayerError
from damier.players import RemotePlayer, player
from damier.players.remote import MOST_READY, close_ready_engines
from damier.protocols import HubEngine, UciEngine, XboardEngine, check_command, process


def test_commands_that_cannot_be_started(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program")
    (tmp_path / "broken").write_bytes(b"\x7fELF")
    (tmp_path / "broken").chmod(0o755)
    for command, words in {
        "no-such-engine --uci": "engine command not found: no-such-engine",
        "./text": "engine command is not executable: ./text",
        "": "engine command is empty",
        "'open": "engine command cannot be read: 'open",
    }.items():
        with pytest.raises(DamierError) as error:
            check_command(command, str(tmp_path))
        assert str(error.value).startswith(words)
        assert "\n" not in str(error.value)
    with pytest.raises(DamierError, match="engine directory not found"):
        check_command("cat", str(tmp_path / "nowhere"))
    with pytest.raises(DamierError, match="engine command cannot be started"):
        process.Process("./broken", str(tmp_path))
    with pytest.raises(DamierError, match="not found"):
        UciEngine("chess", "no-such-engine")


def test_refusals(bench: Bench) -> None:
    for game in ("loa", "chess960", "international"):
        with pytest.raises(PlayerError, match=f"refusal: bad engine does not play {game}"):
            UciEngine(game, bench.command("good"))
    with pytest.raises(PlayerError, match="refusal: bad engine has no option 'Contempt'"):
        UciEngine("chess", bench.command("good"), options={"hash": 1, "Contempt": 20})
    with UciEngine("chess", bench.command("good"), name="our friend") as engine:
        assert engine.name == "our friend"
        with pytest.raises(DamierError, match="our friend was started for chess, not loa"):
            engine.new_game(damier.board("loa"))


def test_a_player_that_cannot_start_is_named(bench: Bench) -> None:
    spec = f"uci:{bench.command('no greeting')},patience=0.2,name=A"
    with pytest.raises(DamierError) as error:
        Match("chess", "random", spec, games=2).run()
    assert str(error.value) == f"{spec}: the engine does not answer: no uciok within 0.2 s (patience)"


def test_patience_can_be_given_in_a_spec(bench: Bench) -> None:
    """For the start and for a move under a limit without time; both are named when they end a game."""
    for mode, key in (("no greeting", "patience"), ("hang in search", "move_patience")):
        partner = player(f"uci:{bench.command(mode)},depth=1,{key}=0.2")
        with pytest.raises(PlayerError, match=rf"stall: no \w+ within 0\.2 s \({key}\)"):
            partner.play(chess.Board())
    partner = player(f"uci:{bench.command('good')},patience=90,move_patience=1e6")
    partner.new_game(chess.Board())
    assert isinstance(partner, RemotePlayer)
    assert partner.engine
    assert (partner.engine.patience, partner.engine.move_patience) == (90, 1e6)
    partner.close()
    expected = {"0": "more than 0 seconds", "-1": "more than 0 seconds", "nan": "a number", "inf": "a number"}
    for wrong, words in expected.items():
        for key in ("patience", "move_patience"):
            with pytest.raises(DamierError, match=f"{key} is .*, expected {words}"):
                player(f"uci:cat,{key}={wrong}")


def test_an_engine_that_announces_no_variant_can_be_vouched_for(bench: Bench) -> None:
    command = bench.command("loa")
    with pytest.raises(PlayerError, match=r"bad engine does not play loa.*assume_variant=on"):
        player(f"uci:{command}").play(damier.board("loa"))
    partner = player(f"uci:{command},assume_variant=on")
    assert str(partner.play(damier.board("loa")).move) == "b1-b3"
    partner.close()
    with HubEngine("frisian", bench.command("good", "hub"), assume_variant=True) as engine:
        assert engine.game == "frisian"
    with XboardEngine("chess960", bench.command("good", "xboard"), assume_variant=True) as xboard_engine:
        assert xboard_engine.game == "chess960"


def test_each_engine_is_started_once_before_the_first_game(bench: Bench) -> None:
    Match("chess", "random", f"xboard:{bench.command('no move', 'xboard')}", games=4).run()
    assert bench.starts() == 1


def test_an_engine_that_dies_between_its_check_and_the_game_is_started_again(bench: Bench) -> None:
    spec = f"uci:{bench.command('good')}"
    checked = player(spec)
    checked.new_game(chess.Board())
    assert isinstance(checked, RemotePlayer)
    assert checked.engine
    pid = checked.engine.pid
    assert pid
    checked.release()
    os.kill(pid, signal.SIGKILL)
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.01)
    partner = player(spec)
    partner.new_game(chess.Board())
    assert bench.starts() == 2
    partner.close()


def test_ready_engines_that_no_player_takes_are_closed(bench: Bench) -> None:
    for number in range(2 * MOST_READY):
        partner = player(f"uci:{bench.command('good')},option.Hash={number + 1}")
        partner.new_game(chess.Board())
        partner.release()
    close_ready_engines()
    assert bench.left() == []


@pytest.mark.usefixtures("slow_greeting")
def test_an_engine_goes_by_its_own_name(bench: Bench, tmp_path: Path) -> None:
    resigns = bench.command("no move", "xboard")
    partner = player(f"xboard:{resigns}")
    assert partner.name == resigns
    partner.new_game(chess.Board())
    assert partner.name == "bad engine"
    partner.close()
    for key, name in (("", "bad engine"), (",name=coward", "coward")):
        Match("chess", "random", f"xboard:{resigns}{key}", games=2, out=tmp_path / name).run()
        games = (tmp_path / name / "games.pgn").read_text()
        assert games.count(f'[White "{name}"]') == games.count(f'[Black "{name}"]') == 1


@pytest.mark.usefixtures("slow_greeting")
def test_names_that_are_none_or_too_long(bench: Bench) -> None:
    for protocol, (make, game, _) in ENGINES.items():
        with make(game, bench.command("no name", protocol)) as engine:
            assert engine.name == Path(sys.executable).name
        with make(game, bench.command("long name", protocol)) as engine:
            assert engine.name == (500 * "bad")[:100]


@pytest.mark.usefixtures("slow_greeting")
def test_control_characters_of_engines_go_no_further(bench: Bench) -> None:
    for protocol, (make, game, _) in ENGINES.items():
        with make(game, bench.command("evil name", protocol)) as engine:
            assert engine.name.isprintable()
            assert "[2J" in engine.name
    with UciEngine("chess", bench.command("good"), name="our\x07\udcff friend") as engine:
        assert engine.name == "our\ufffd\ufffd friend"
    assert player("uci:cat,name=a\x1b[31m").name == "a\ufffd[31m"
    with pytest.raises(PlayerError) as error:
        bench.uci("crash at start")
    assert error.value.message.endswith("last output: cannot find my book \ufffd[2J")
