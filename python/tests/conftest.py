"""What the tests share. They test the installed package: `npm run test:python`."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from touchstone_t2i.command import environment, node_command


def touchstone(*words, cwd=None):
    """What the command line says on standard output; it fails where its exit code is not 0."""
    return subprocess.run(
        node_command(words), cwd=cwd, env=environment(), check=True, capture_output=True
    ).stdout.decode("utf-8")


FLAGS = {
    "contrastive": {},
    "swap": {},
    "correlation": {"human": "rating"},
    "preferences": {"ties": "davidson"},
    "agreement": {"scale": "ordinal"},
    "raters": {},
    "calibration": {"bin_count": 5},
    "attributes": {"threshold": 0.6},
    "stereotypes": {},
    "ensemble": {"clusters": 2, "lambda_": 0.5},
    "significance": {"metric": "brier"},
    "compare": {"test": "wilcoxon"},
    "judge_check": {},
    "label_plan": {"budget": 20},
}
"""Each conclusion with a keyword or two."""


class Example:
    """The sample table of a verb, and what the command line concludes from its CSV."""

    def __init__(self, verb, folder):
        self.verb = verb
        self.given = FLAGS[verb]
        self.csv = touchstone("example", verb.replace("_", "-"), "--format", "csv")
        self.file = folder / f"{verb}.csv"
        self.file.write_text(self.csv, "utf-8")
        self.frame = pd.read_csv(io.StringIO(self.csv))
        flags = [
            f"--{name.rstrip('_').replace('_', '-')}={value}" for name, value in self.given.items()
        ]
        apart = ("compare", "judge_check", "label_plan")
        path = verb.split("_") if verb in apart else ["analyze", verb]
        self.line = [*path, str(self.file), *flags]
        self.expected = json.loads(touchstone(*self.line, "--json"))


@pytest.fixture(scope="session", params=FLAGS)
def example(request, tmp_path_factory):
    return Example(request.param, tmp_path_factory.mktemp("example"))


@pytest.fixture(scope="session")
def ratings(tmp_path_factory):
    return Example("correlation", tmp_path_factory.mktemp("ratings"))


@pytest.fixture
def metrics_module(tmp_path, monkeypatch):
    """A folder to work in, with the metrics of test_scores.py as a module `mine`."""
    source = Path(__file__).parent / "mine.py"
    (tmp_path / "mine.py").write_text(source.read_text("utf-8"), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("mine", None)
    return tmp_path
