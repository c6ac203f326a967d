"""Scores of images against texts."""

import io
from typing import Any, List, Mapping

import pyarrow as pa
import pyarrow.parquet as parquet

from .command import ask
from .errors import InputError
from .flags import parts, words_of
from .tables import Table, arrow_table, as_like, is_path
from .wording import in_python


class Scores:
    """What `score` gave, one row for each image and metric. No answer is unscored, with a reason.

    Attributes:
        n: results with a value.
        unscored: results without one.
        warnings: what a reader should know before believing them.
    """

    def __init__(
        self,
        source: Table,
        given: Mapping[str, Any],
        *,
        repeated: "frozenset[str]" = frozenset(),
        files: "frozenset[str]" = frozenset(),
    ):
        self._like = source
        given = {**given, "metric": [metric_name(one) for one in listed(given["metric"])]}
        words = ["score", *words_of(given, repeated=repeated)]
        if source is None or is_path(source):
            words[1:1] = [] if source is None else parts(source)
            self._result, error = ask(words)
        else:
            # Relative paths of images start where this process works, as on standard input.
            sink = io.BytesIO()
            parquet.write_table(arrow_table(source), sink)
            self._result, error = ask([words[0], "-", *words[1:]], stdin=sink.getvalue())
        if error is not None:
            error.result = self
            raise error

    @property
    def n(self) -> int:
        return self._result["n"]

    @property
    def unscored(self) -> int:
        return self._result["unscored"]

    @property
    def warnings(self) -> List[str]:
        return [in_python(warning) for warning in self._result.get("warnings", [])]

    def to_dict(self) -> dict:
        """The JSON object of the command line: a summary of each metric, and the results."""
        return self._result

    def to_frame(self) -> Any:
        """A row for each result: a pandas DataFrame, or a Polars DataFrame or an Arrow table where the
        images were listed in one. `value` is null where unscored; `reason` then says why."""
        if "results" not in self._result:
            raise InputError(
                "Expected images or a table to have been scored but it was a run",
                code="input",
                hint="The scores lie in the run: touchstone_t2i.Run(path).records()",
            )
        return as_like(pa.Table.from_pylist(self._result["results"]), self._like)

    def __repr__(self) -> str:
        return f"<Scores: {self.n} scored, {self.unscored} unscored>"


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
