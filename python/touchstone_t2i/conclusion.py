"""What a verb concludes from a table."""

import base64
import html
import os
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

from .command import Finished
from .result import Result


class Conclusion(Result):
    """A conclusion, as the command line prints it under --json.

    Attributes:
        verdict: what it comes to, in one sentence.
        warnings: what a reader should know before believing it.
    """

    def _answer(self) -> Finished:
        with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
            rows = os.path.join(folder, "rows.parquet")
            finished = self._ask(["--out", rows])
            self._rows = parquet.read_table(rows)
        return finished

    @property
    def verdict(self) -> str:
        return self._wording(self._result["verdict"])

    def to_arrow(self) -> pa.Table:
        """A row for each thing reported, unrounded, as an Arrow table."""
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
