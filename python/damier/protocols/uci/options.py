"""The options of the UCI engine: what is announced, and which values are taken."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from damier._core import DamierError
from damier.engine.elo import elo_range, usual_elo
from damier.games import GAMES

__all__ = ["Option", "find", "options"]

Value = int | bool | str


@dataclass(frozen=True)
class Option:
    """An option by name: its kind as UCI knows it, its default and the values it may have."""

    name: str
    kind: str  # check, spin, combo, button or string
    default: Value = ""
    least: int = 0
    most: int = 0
    values: tuple[str, ...] = ()

    def announced(self) -> str:
        """The line that tells a GUI.

        >>> Option("Hash", "spin", 16, 1, 1024).announced()
        'option name Hash type spin default 16 min 1 max 1024'
        """
        words = ["option name", self.name, "type", self.kind]
        if self.kind != "button":
            words += ["default", str(self.default).lower() if self.kind == "check" else str(self.default or "<empty>")]
        if self.kind == "spin":
            words += ["min", str(self.least), "max", str(self.most)]
        return " ".join([*words, *(f"var {value}" for value in self.values)])

    def read(self, text: str | None) -> Value:
        """The value a text stands for; DamierError says what was expected.

        >>> Option("Ponder", "check", False).read("TRUE")
        True
        """
        text = text or ""
        match self.kind:
            case "check" if text.lower() in ("true", "false"):
                return text.lower() == "true"
            case "spin" if (number := _number(text)) is not None and self.least <= number <= self.most:
                return number
            case "combo":
                return text.lower()
            case "button" | "string":
                return "" if text == "<empty>" else text
        expected = "true or false" if self.kind == "check" else f"{self.least} to {self.most}"
        raise DamierError(f"option {self.name}: {text[:40]!r}, expected {expected}")


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


@cache
def options() -> tuple[Option, ...]:
    """All of them. Strength is told before the game is known: its range is that of all games together.

    >>> [option.name for option in options()][:2]
    ['Hash', 'Threads']
    """
    return (
        Option("Hash", "spin", 16, 1, 1 << 22),
        Option("Threads", "spin", 1, 1, 1024),
        Option("MultiPV", "spin", 1, 1, 256),
        Option("Ponder", "check", False),
        Option("Move Overhead", "spin", 10, 0, 5000),
        Option("Clear Hash", "button"),
        Option("EvalFile", "string"),
        Option("UCI_Chess960", "check", False),
        Option("UCI_ShowWDL", "check", False),
        Option("UCI_LimitStrength", "check", False),
        Option("UCI_Elo", "spin", usual_elo("chess"), *elo_range()),
        Option("UCI_Variant", "combo", "chess", values=("chess", *(name for name in GAMES if name != "chess"))),
    )


def find(name: str) -> Option:
    """The option of that name; case does not matter.

    >>> find("move overhead").name
    'Move Overhead'
    """
    for option in options():
        if option.name.lower() == name.lower():
            return option
    raise DamierError(f"there is no option {name[:40]!r}")
