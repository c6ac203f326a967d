"""Scores of images against texts."""

import io
from contextlib import ExitStack
from typing import Any, List, Optional

import pyarrow as pa
import pyarrow.parquet as parquet

from .command import Finished
from .errors import InputError
from .result import Handed, Result
from .tables import as_file
from .wording import called


class Scores(Result):
    """What `score` gave, one row for each image and metric. No answer is unscored, with a reason.

    Attributes:
        n: results with a value.
        unscored: results without one.
        sanity: what models see and metrics read: models and metrics by name, and the verdict, one sentence
            or more; None where nothing was asked. See docs/sanity.md.
        warnings: what a reader should know before believing them.
    """

    def _answer(self) -> Finished:
        self._given["metric"] = [metric_name(one) for one in listed(self._given["metric"])]
        finished = self._ask()
        for result in finished.result.get("results", []):
            # An image within the table that has no path is called by the table's name and its row.
            for name in self._wording.names:
                result["image"] = result["image"].replace(f"{name} row", "row")
        return finished

    def _hand(self, stack: ExitStack) -> Handed:
        if not isinstance(self._table, pa.Table):
            return super()._hand(stack)
        if any(map(holds_images, self._table.schema)):
            path = stack.enter_context(as_file(self._table, "dataframe"))
            self._wording.names = {path: called(self._like)}
            return Handed([path])
        # Relative paths of images start where this process works, as on standard input.
        sink = io.BytesIO()
        parquet.write_table(self._table, sink)
        return Handed(["-"], stdin=sink.getvalue())

    @property
    def n(self) -> int:
        return self._result["n"]

    @property
    def unscored(self) -> int:
        return self._result["unscored"]

    @property
    def sanity(self) -> Optional[dict]:
        return self._result.get("sanity")

    def to_arrow(self) -> pa.Table:
        """A row for each result, as an Arrow table. `value` is null where unscored; `reason` then says why."""
        if "results" not in self._result:
            raise InputError(
                "Expected images or a table to have been scored but it was a run",
                code="input",
                hint="The scores lie in the run: touchstone_t2i.Run(path).records()",
            )
        return pa.Table.from_pylist(self._result["results"])

    def __repr__(self) -> str:
        return f"<Scores: {self.n} scored, {self.unscored} unscored>"


def holds_images(column: pa.Field) -> bool:
    """Whether its cells are images, as Hugging Face's datasets has them: bytes and a path."""
    kind = column.type
    return pa.types.is_struct(kind) and kind.get_field_index("bytes") >= 0


def listed(metric: Any) -> List[Any]:
    if metric is None:
        return []
    return list(metric) if isinstance(metric, (list, tuple)) else [metric]


def metric_name(metric: Any) -> str:
    """The name of a metric; of a function f(image, text) -> float, where it can be imported from."""
    if not callable(metric):
        return str(metric)
    module, name = getattr(metric, "__module__", None), getattr(metric, "__qualname__", "")
    if module in (None, "__main__") or "<" in name:
        raise InputError(
            f"Expected a function of a module for metric but received {name or metric!r}",
            code="input",
            hint="Scores are computed in another process. Put the function into a file, mine.py, and "
            "import it: from mine import f",
        )
    return f"python:{module}:{name}"
