"""Speed of many boards stepped together, against OpenSpiel and pgx in the same run: batch.py [--n N] [--write FILE].

Random play on one core, in steps per second of CPU time, since cores may be shared; finished games begin anew. Ours
and the peer's rounds alternate and the best of each counts. pgx is looked for in .venv/peers/pgx (`make bench` installs
it) and left out by name when it is not there; it has no Lines of Action and no draughts.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyspiel

import damier
from damier._core import level

ROOT = Path(__file__).resolve().parents[1]
PGX = ROOT / ".venv" / "peers" / "pgx"
GAMES = {"chess": "chess", "loa": "lines_of_action", "english": "checkers"}  # ours and OpenSpiel's
TARGET = {"chess": 1_000_000, "loa": 3_000_000}
FORMS = ("actions alone", "with the mask", "with the mask and planes")


@dataclass
class Row:
    """Steps per second of one game."""

    game: str
    form: str
    ours: float
    openspiel: float
    pgx: float | None

    def markdown(self) -> str:
        pgx = f"{self.pgx:,.0f} | {self.ours / self.pgx:,.0f}x" if self.pgx else "- | -"
        target = f"{TARGET[self.game]:,}" if self.game in TARGET and "planes" not in self.form else "-"
        ratio = f"{self.openspiel:,.0f} | {self.ours / self.openspiel:,.0f}x"
        return f"| {self.game} | {self.form} | {self.ours:,.0f} | {target} | {ratio} | {pgx} |"


def rate(steps: int, work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return steps / (time.process_time() - began)


def our_rate(batch: damier.BoardBatch, form: str, steps: int = 40_000) -> float:
    rounds = max(1, steps // len(batch))

    def play() -> None:
        for _ in range(rounds):
            batch.play(batch.random_actions())
            if "planes" in form:
                batch.planes()

    return rate(rounds * len(batch), play)


def open_spiel_rate(name: str, seconds: float = 1.0) -> float:
    """Random games from Python, as its own examples play them."""
    game, dice = pyspiel.load_game(name), random.Random(1)
    steps, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            steps += 1
    return steps / (time.process_time() - began)


PGX_STEPS = """
import sys, time
import jax, jax.numpy as jnp, pgx
from pgx.experimental import auto_reset
n, length, rounds = map(int, sys.argv[1:])
env = pgx.make("chess")
step = jax.vmap(auto_reset(env.step, env.init))
def play(state, key):
    choose, begin = jax.random.split(key)
    actions = jax.random.categorical(choose, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=-1)
    return step(state, actions, jax.random.split(begin, n)), None
run = jax.jit(lambda state, key: jax.lax.scan(play, state, jax.random.split(key, length))[0])
state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), n))
best = 0
for i in range(rounds + 1):
    began = time.process_time()
    state = jax.block_until_ready(run(state, jax.random.PRNGKey(i)))
    if i > 0: best = max(best, n * length / (time.process_time() - began))
print(best)
"""


def pgx_rate(n: int) -> float | None:
    if not PGX.exists():
        return None
    done = subprocess.run(
        [sys.executable, "-c", PGX_STEPS, str(n), "20", "4"],
        env={**os.environ, "PYTHONPATH": str(PGX)},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout.split()[-1])


def rows_of(game: str, n: int, pgx: float | None, rounds: int = 6) -> list[Row]:
    ours, theirs = dict.fromkeys(FORMS, 0.0), 0.0
    batches = {form: damier.BoardBatch(game, n) for form in FORMS}
    for form, batch in batches.items():
        if "mask" in form:
            batch.legal_mask()
        our_rate(batch, form, 600 * n)  # until games are at every stage
    for _ in range(rounds):
        for form, batch in batches.items():
            ours[form] = max(ours[form], *(our_rate(batch, form) for _ in range(8)))
        theirs = max(theirs, open_spiel_rate(GAMES[game]))
    return [Row(game, form, ours[form], theirs, pgx if game == "chess" else None) for form in FORMS]


def markdown(rows: list[Row]) -> str:
    head = "| game | form | steps/s | target | OpenSpiel | ratio | pgx | ratio |\n|---|---|---|---|---|---|---|---|"
    return "\n".join([head, *(row.markdown() for row in rows)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=128, help="boards of a batch")
    parser.add_argument("--write", type=Path, help="put the table into this Markdown file, between its two marks")
    arguments = parser.parse_args()
    if not PGX.exists():
        print("no pgx in .venv/peers (make bench installs it): its column is left out", file=sys.stderr)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rates = [pgx_rate(n) for n in (arguments.n, 1024)]  # JAX may prefer larger batches
    pgx = max((each for each in rates if each), default=None)
    table = markdown([row for game in GAMES for row in rows_of(game, arguments.n, pgx)])
    print(table)
    if arguments.write:
        about = f"On {platform.machine()}, CPU level {level}, one core, {arguments.n} boards:"
        before, rest = arguments.write.read_text().split("<!-- table -->\n")
        after = rest.split("<!-- end -->\n")[1]
        arguments.write.write_text(f"{before}<!-- table -->\n{about}\n\n{table}\n<!-- end -->\n{after}")


if __name__ == "__main__":
    main()
