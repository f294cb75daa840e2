"""Work in separate processes, for work that holds the GIL, such as learning in Python.

This file is what such a process runs. It reads what to do from its standard input, and stops at the end of that
input, which it also sees when its parent was killed.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from typing import BinaryIO, Generic, TypeVar, cast

from damier._core import DamierError, StopFlag

__all__ = ["Apart"]

SECONDS = 0.1  # between two looks at the stop flag

Piece = TypeVar("Piece")
Done = TypeVar("Done")


class Apart(Generic[Piece, Done]):
    """The same work, with each piece done in a process of its own; work, pieces and results are pickled.

    A DamierError is raised here as it was there. Work that was asked to stop may raise KeyboardInterrupt.

    >>> from damier import jobs
    >>> sorted(jobs.run(Apart(_double), [1, 2], threads=2))
    [2, 4]
    """

    def __init__(self, work: Callable[[Piece, StopFlag], Done]) -> None:
        self._work = work

    def __call__(self, piece: Piece, stop: StopFlag) -> Done:
        # A session of its own, so that Ctrl-C reaches it once, and in one way: by the stop flag.
        program = [sys.executable, "-m", __name__]
        env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        with (
            tempfile.TemporaryFile() as answer,
            subprocess.Popen(program, stdin=subprocess.PIPE, stdout=answer, env=env, start_new_session=True) as process,
        ):
            assert process.stdin
            process.stdin.write(pickle.dumps((self._work, piece)))
            process.stdin.flush()
            while process.poll() is None:
                if stop.is_set():
                    process.stdin.close()
                    process.wait()
                try:
                    process.wait(SECONDS)
                except subprocess.TimeoutExpired:
                    continue
            answer.seek(0)
            if process.returncode != 0:
                raise DamierError(f"a worker process ended with exit status {process.returncode}")
            done, result = pickle.load(answer)
        if not done:
            raise result
        return cast(Done, result)


def _double(piece: int, stop: StopFlag) -> int:
    return 2 * piece


def _work(request: BinaryIO, answer: BinaryIO) -> None:
    work, piece = pickle.load(request)
    stop = StopFlag()

    def wait_for_the_end() -> None:
        request.read()
        stop.set()

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    found: tuple[bool, object]
    try:
        found = True, work(piece, stop)
    except (DamierError, OSError, KeyboardInterrupt) as error:
        found = False, error
    pickle.dump(found, answer)
    answer.flush()
    os._exit(0)  # the thread still waits for its input


if __name__ == "__main__":
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed is not taken for an answer
    _work(sys.stdin.buffer, channel)
