"""What every verb answers."""

import html
import os
from contextlib import ExitStack
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence

import pyarrow as pa

from .command import Finished, ask
from .errors import InputError
from .flags import words_of
from .tables import (
    Table,
    are_paths,
    arrow_table,
    as_file,
    as_like,
    is_path,
    label_hint,
    paths_of,
)
from .wording import Wording, called


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


class Handed(NamedTuple):
    """How a verb is handed its table: words, the folder that they start from and standard input."""

    words: List[str]
    cwd: Optional[str] = None
    stdin: Optional[bytes] = None


class Result:
    """The answer of a verb.

    Attributes:
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
        self._verb = verb
        self._like = table
        is_written = not (table is None or are_paths(table))
        # Arrow tables never change, so what is drawn later is drawn of the same rows.
        self._table = arrow_table(table) if is_written else table
        self._wording = Wording(table if is_written else None)
        self._given = dict(given)
        self._repeated = repeated
        self._files = files
        if is_written and self._given.get("format") is not None:
            raise InputError(
                f"Expected format beside a file's path but received {called(table)}",
                code="input",
                hint="Leave it out: a table in memory is of no format",
            )
        try:
            self._result, error = self._answer()
        except InputError as refused:
            refused.hint = label_hint(table, refused.message) or refused.hint
            raise
        if error is not None:
            error.result = self
            raise error

    def _answer(self) -> Finished:
        """Asks the verb for the first time."""
        return self._ask()

    @property
    def warnings(self) -> List[str]:
        return [self._wording(warning) for warning in self._result.get("warnings", [])]

    def to_dict(self) -> dict:
        """The JSON object of the command line; `touchstone VERB --help` tells of its members."""
        return self._result

    def to_frame(self) -> Any:
        """The rows of `to_arrow`: a pandas DataFrame, or a Polars DataFrame or an Arrow table where one
        was given."""
        return as_like(self.to_arrow(), self._like)

    def to_arrow(self) -> pa.Table:
        """A row for each thing reported, unrounded."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """The rows of `to_arrow` as a pandas DataFrame, whatever table was given."""
        return self.to_arrow().to_pandas()

    def to_mlflow(self, *, data: str = "touchstone") -> List[str]:
        """Logs a run of MLflow's for each model or metric: figures with both ends of their intervals as metrics,
        what has no value as tags `unscored.NAME`, and all of it as the table figures.json. `data` names what it was
        measured on. Below the active run where there is one. Returns the runs' ids."""
        from .trackers import to_mlflow

        return to_mlflow(self._result, data=data)

    def to_wandb(self, *, data: str = "touchstone", **settings: Any) -> List[str]:
        """Logs a run of Weights & Biases' for each model or metric; `settings` go to `wandb.init`, such as
        mode="offline". Returns the runs' ids."""
        from .trackers import to_wandb

        return to_wandb(self._result, data=data, **settings)

    def _repr_html_(self) -> str:
        rows = self.to_arrow()
        shown = rows.slice(0, 20)
        head = "".join(f"<th>{html.escape(name)}</th>" for name in shown.column_names)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_cell(cell))}</td>" for cell in row.values()) + "</tr>"
            for row in shown.to_pylist()
        )
        more = "" if len(shown) == len(rows) else f"<p>{len(rows) - len(shown):,} more rows</p>"
        warnings = "".join(f"<li>{html.escape(one)}</li>" for one in self.warnings)
        caveats = f"<details><summary>Caveats</summary><ul>{warnings}</ul></details>" if warnings else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}{caveats}"

    def _hand(self, stack: ExitStack) -> Handed:
        if self._table is None:
            return Handed([])
        if are_paths(self._table):
            return Handed(paths_of(self._table))
        folder, name = os.path.split(stack.enter_context(as_file(self._table, "dataframe")))
        return Handed([name], cwd=folder)

    def _ask(self, more: Sequence[str] = ()) -> Finished:
        with ExitStack() as stack:
            words, cwd, stdin = self._hand(stack)
            given = {
                name: self._file(name, value, stack) if name in self._files else value
                for name, value in self._given.items()
            }
            flags = words_of(given, repeated=self._repeated)
            line = [*self._verb.split(" "), *words, *flags, *more]
            return ask(line, cwd=cwd, stdin=stdin, wording=self._wording)

    def _file(self, name: str, value: Any, stack: ExitStack) -> Optional[str]:
        """A file that a keyword names, or a table in its place as a file."""
        if value is None:
            return None
        if is_path(value):
            return os.fspath(value) if are_paths(self._table) else os.path.abspath(value)
        path = stack.enter_context(as_file(arrow_table(value), name))
        self._wording.names[path] = name
        return path
