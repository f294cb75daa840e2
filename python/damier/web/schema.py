"""The messages as one JSON schema, and as TypeScript: `python -m damier.web.schema FILE` writes the types for pages."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from damier.files import JsonObject
from damier.web import messages, state
from damier.web.state import Shape

__all__ = ["schema", "typescript"]

HEAD = "// Written by `python -m damier.web.schema`: change python/damier/web/{state,messages}.py instead.\n"
UNIONS: JsonObject = {
    "Opponent": state.Opponent,
    "EngineChoice": state.EngineChoice,
    "ClientMessage": messages.ClientMessage,
    "ServerMessage": messages.ServerMessage,
}
NAMED: JsonObject = {"Side": state.Side, "Judgement": state.Judgement, "ErrorCode": messages.ErrorCode}
BASES = (Shape, state.Choice, state.GameHead, messages.Request, messages.OfGame, messages.OfPosition, messages.Reply)
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def schema() -> JsonObject:
    """Every message, every body of HTTP and whatever they hold, as one JSON schema.

    >>> sorted(schema()["$defs"]["ClockSetting"]["properties"])
    ['increment', 'seconds']
    """
    shapes = [each for room in (state, messages) for each in vars(room).values() if _is_shape(each)]
    incoming = {shape: _mode(shape) for shape in dict.fromkeys(shapes)}
    definitions = models_json_schema(list(incoming.items()), ref_template="#/$defs/{model}")[1]["$defs"]
    for name, union in {**UNIONS, **NAMED}.items():
        found = TypeAdapter(union).json_schema(ref_template="#/$defs/{model}")
        found.pop("$defs", None)
        definitions[name] = found
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": dict(sorted(definitions.items()))}


def typescript() -> str:
    """The schema as TypeScript declarations.

    >>> "export interface ClockSetting {" in typescript()
    True
    """
    writer = _Writer(schema()["$defs"])
    return HEAD + "".join("\n" + writer.declaration(name) for name in writer.definitions)


def _is_shape(each: object) -> bool:
    return isinstance(each, type) and issubclass(each, Shape) and each not in BASES


def _mode(shape: type[Shape]) -> Literal["validation", "serialization"]:
    """Messages of a client may leave out defaults; those of the server never do."""
    written = issubclass(shape, messages.Request | messages.PositionBody | messages.ImportBody)
    return "validation" if written else "serialization"


class _Writer:
    def __init__(self, definitions: JsonObject) -> None:
        self.definitions = definitions
        self._names = {
            json.dumps(self._bare(found), sort_keys=True): name
            for name, found in definitions.items()
            if name in {**UNIONS, **NAMED}
        }

    def declaration(self, name: str) -> str:
        found = self.definitions[name]
        about = f"/** {' '.join(found['description'].split())} */\n" if found.get("description") else ""
        if found.get("type") != "object":
            return f"{about}export type {name} = {self._type(found, named=False)};\n"
        required = set(found.get("required", ()))
        fields = [
            f"  {field}{'' if field in required else '?'}: {self._type(about_it)};\n"
            for field, about_it in found.get("properties", {}).items()
        ]
        return f"{about}export interface {name} {{\n{''.join(fields)}}}\n"

    def _type(self, found: JsonObject, *, named: bool = True) -> str:
        known = self._names.get(json.dumps(self._bare(found), sort_keys=True))
        if named and known:
            return known
        if "$ref" in found:
            return str(found["$ref"]).rpartition("/")[2]
        if "const" in found or "enum" in found:
            return " | ".join(json.dumps(value) for value in found.get("enum", [found.get("const")]))
        if any_of := found.get("anyOf") or found.get("oneOf"):
            return " | ".join(dict.fromkeys(self._type(each) for each in any_of))
        compound = {"array": self._array, "object": self._record}.get(found["type"])
        return compound(found) if compound else SIMPLE[found["type"]]

    def _array(self, found: JsonObject) -> str:
        if "prefixItems" in found:
            return "[" + ", ".join(self._type(each) for each in found["prefixItems"]) + "]"
        inner = self._type(found["items"])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"

    def _record(self, found: JsonObject) -> str:
        key = self._type(found["propertyNames"]) if "propertyNames" in found else "string"
        value = self._type(found["additionalProperties"])
        return f"Record<string, {value}>" if key == "string" else f"Partial<Record<{key}, {value}>>"

    @staticmethod
    def _bare(found: JsonObject) -> JsonObject:
        """A definition without descriptions."""
        return {key: value for key, value in found.items() if key not in ("title", "description", "default")}


def main() -> None:
    """Print the JSON schema, or write the TypeScript file that is named."""
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(typescript(), encoding="utf-8")
    else:
        print(json.dumps(schema(), indent=2))


if __name__ == "__main__":
    main()
