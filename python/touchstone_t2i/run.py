"""A run's folder: its recipe, its records as data frames, its verdict."""

import json
import os
from pathlib import Path
from typing import Any, Dict, List, Optional

import pyarrow as pa

from .errors import InputError


class Run:
    """A run that the command line made.

    Attributes:
        path: its folder.
        recipe: what it was made of: steps with parameters and versions, models, seed.
        steps: the names of the steps whose records are there, in order.
    """

    def __init__(self, path: "str | os.PathLike[str]"):
        if "://" in str(path):
            raise InputError(
                "Expected the folder of a run but received the address of one in a database",
                code="input",
                hint="Copy it out with version 0.2.0: touchstone run copy ADDRESS DIR",
            )
        self.path = Path(path)
        try:
            self.recipe: Dict[str, Any] = json.loads((self.path / "run.json").read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(
                f"Expected the folder of a run but received {self.path}: {error}",
                code="input",
                hint="touchstone demo --run runs/demo makes one",
            ) from error

    @property
    def steps(self) -> List[str]:
        return sorted({_step(file) for file in self._files()})

    @property
    def verdict(self) -> Optional[List[str]]:
        """What its report comes to, in sentences; None where no report was made."""
        file = self.path / "verdict.json"
        return json.loads(file.read_text("utf-8"))["verdict"] if file.exists() else None

    def records(self, step: Optional[str] = None) -> Any:
        """Its records, or those of one step, as a pandas DataFrame: a row for each key, the latest
        attempt. A member that only some records have is null in the others.

        Raises InputError for a step that is not there, ImportError without pandas.
        """
        import pandas

        return pandas.DataFrame.from_records(self._records(step))

    def to_arrow(self, step: Optional[str] = None) -> pa.Table:
        """The same as an Arrow table; members that differ in kind between records are JSON."""
        return pa.Table.from_pylist(self._records(step))

    def _files(self) -> List[Path]:
        return sorted((self.path / "records").glob("*.jsonl"))

    def _records(self, step: Optional[str]) -> List[Dict[str, Any]]:
        files = [file for file in self._files() if step is None or _matches(_step(file), step)]
        if not files:
            raise InputError(
                f"Expected one of {', '.join(self.steps)} for step but received {step!r}"
                if self.steps
                else f"The run {self.path} has no records yet",
                code="input",
            )
        latest: Dict[str, Dict[str, Any]] = {}
        for file in files:
            for record in _lines(file):
                known = latest.get(record["key"])
                if known is None or record.get("attempt", 1) >= known.get("attempt", 1):
                    latest[record["key"]] = record
        return list(latest.values())

    def __repr__(self) -> str:
        return f"<Run {self.path}: {', '.join(self.steps)}>"


def _step(file: Path) -> str:
    """02-paint-images.jsonl, or a segment of it that is being written, 02-paint-images.3f9a2c11.jsonl."""
    return file.name.split(".")[0]


def _matches(name: str, step: str) -> bool:
    return step in (name, name.partition("-")[2])


def _lines(file: Path):
    """The records of a file. A killed process leaves at most its last line torn: it counts for nothing."""
    with open(file, "rb") as lines:
        for line in lines:
            if line.endswith(b"\n") and line.strip():
                yield json.loads(line)
