"""`damier serve` as people start it, in a process that can be killed."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Self


class Site:
    """A running server; `kill` ends it as a power cut would, `start` brings it back at the same address."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.port = 0
        self.killed = False

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(30)
        assert self.process.stdout
        self.process.stdout.close()

    def start(self) -> None:
        command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--database", str(self.database)],
            env=os.environ | {"DAMIER_DATA": str(self.database.parent)},  # the user's own nets are no opponents here
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout
        said = self.process.stdout.readline()
        found = re.search(r"http://[\d.]+:(\d+)", said)
        assert found, said
        self.url, self.port = found[0], int(found[1])

    def empty(self) -> None:
        """Forget games and settings, as a new database would have none."""
        self.killed = False
        with closing(sqlite3.connect(self.database, timeout=30)) as database:
            for table in ("saved_moves", "saved_games", "settings"):
                database.execute(f"DELETE FROM {table}")
            database.commit()

    def kill(self) -> None:
        self.killed = True  # whoever tries to reach it now complains in its console
        self.process.kill()
        self.process.wait(30)
