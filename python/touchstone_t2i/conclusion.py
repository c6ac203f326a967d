"""What a verb concludes from a table."""

import base64
import html
import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, List, Mapping, Optional

import pyarrow as pa
import pyarrow.parquet as parquet

from .command import ask
from .flags import words_of
from .tables import Table, are_paths, arrow_table, as_files, as_like, is_path
from .wording import in_python


class Conclusion:
    """A conclusion, as the command line prints it under --json.

    Attributes:
        verdict: what it comes to, in one sentence.
        warnings: what a reader should know before believing it.
    """

    def __init__(
        self,
        verb: str,
        table: Table,
        given: Mapping[str, Any],
        *,
        repeated: "frozenset[str]" = frozenset(),
        files: "frozenset[str]" = frozenset(),
    ):
        self._like = table
        # Arrow tables never change, so what is drawn later is drawn of the same rows.
        self._table = table if are_paths(table) else arrow_table(table)
        self._verb = verb
        self._given = dict(given)
        self._repeated = repeated
        self._files = files
        with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
            rows = os.path.join(folder, "rows.parquet")
            self._result, error = self._ask(["--out", rows])
            self._rows = parquet.read_table(rows)
        if error is not None:
            error.result = self
            raise error

    @property
    def verdict(self) -> str:
        return in_python(self._result["verdict"])

    @property
    def warnings(self) -> List[str]:
        return [in_python(warning) for warning in self._result.get("warnings", [])]

    def to_dict(self) -> dict:
        """The JSON object of the command line; see `touchstone VERB --help` for its members."""
        return self._result

    def to_frame(self) -> Any:
        """A row for each thing reported, unrounded: a pandas DataFrame, or a Polars DataFrame or an
        Arrow table where the conclusion was drawn from one."""
        return as_like(self._rows, self._like)

    def to_arrow(self) -> pa.Table:
        """The rows of `to_frame` as an Arrow table."""
        return self._rows

    def svg(self) -> str:
        """The plot of the report, as SVG."""
        with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
            path = os.path.join(folder, "plot.svg")
            self._ask(["--plot", path])
            return Path(path).read_text(encoding="utf-8")

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the conclusion to a file, by its ending: .html (the report), .svg or .png (its plot),
        .json, .csv, .parquet or .md."""
        flag = "--plot" if Path(path).suffix.lower() in (".svg", ".png") else "--out"
        self._ask([flag, os.path.abspath(path)])

    def __repr__(self) -> str:
        return f"<{self._verb}: {self.verdict}>"

    def _repr_html_(self) -> str:
        picture = base64.b64encode(self.svg().encode("utf-8")).decode("ascii")
        warnings = "".join(f"<li>{html.escape(one)}</li>" for one in self.warnings)
        return (
            f"<p><strong>{html.escape(self.verdict)}</strong></p>"
            f'<img alt="{html.escape(self.verdict, quote=True)}" style="max-width: 100%; background: #fff" '
            f'src="data:image/svg+xml;base64,{picture}">'
            + (f"<details><summary>Caveats</summary><ul>{warnings}</ul></details>" if warnings else "")
        )

    def _ask(self, more: List[str]):
        with ExitStack() as stack:
            words, folder = stack.enter_context(as_files(self._table))
            given = {
                name: _path(value, stack) if name in self._files else value
                for name, value in self._given.items()
            }
            flags = words_of(given, repeated=self._repeated)
            return ask([*self._verb.split(" "), *words, *flags, *more], cwd=folder)


def _path(value: Any, stack: ExitStack) -> Optional[str]:
    """A file that a flag names, or a table in its place, by its absolute path."""
    if value is None:
        return None
    [word], folder = stack.enter_context(as_files(value if is_path(value) else arrow_table(value)))
    return os.path.abspath(word if folder is None else os.path.join(folder, word))
