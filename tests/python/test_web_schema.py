"""The types of the pages are those of the server."""

from __future__ import annotations

from common import ROOT

from damier.web.schema import schema, typescript

PROTOCOL = ROOT / "web" / "src" / "lib" / "protocol.ts"


def test_the_types_of_the_pages_are_fresh() -> None:
    wanted = "run: python -m damier.web.schema web/src/lib/protocol.ts"
    assert PROTOCOL.read_text(encoding="utf-8") == typescript(), wanted


def test_whatever_is_sent_is_whole() -> None:
    """A client may leave defaults out; the server never does."""
    definitions = schema()["$defs"]
    assert set(definitions["Position"]["required"]) == set(definitions["Position"]["properties"])
    assert set(definitions["NewGame"]["required"]) == {"type", "request", "variant", "side", "opponent"}
    assert "fen?: string | null;" in typescript()
    assert "  from: string | null;" in typescript()


def test_every_message_has_its_own_type() -> None:
    definitions = schema()["$defs"]
    for union in ("ClientMessage", "ServerMessage"):
        kinds = [each["$ref"].rpartition("/")[2] for each in definitions[union]["oneOf"]]
        types = [definitions[kind]["properties"]["type"]["const"] for kind in kinds]
        assert len(set(types)) == len(types)
        assert all("request" in definitions[kind]["properties"] for kind in kinds)
