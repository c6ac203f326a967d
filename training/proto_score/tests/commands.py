"""The package's commands, as a person types them."""

import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def command(*words):
    return [sys.executable, "-m", "proto_score.command", *map(str, words)]


def run(*words):
    done = subprocess.run(command(*words), cwd=PACKAGE, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
