"""Tables of Python as Parquet files, which the command line reads."""

import os
import tempfile
from contextlib import contextmanager
from typing import Any, Iterator, Optional

import pyarrow as pa
import pyarrow.parquet as parquet

from .errors import InputError

Table = Any
"""A pandas or Polars DataFrame, an Arrow table, whatever exports an Arrow stream, a list of
dictionaries, or the path of a file (.csv, .json, .jsonl or .parquet), a pattern such as
"scores/*.parquet", or a list of paths: files of the same columns, read as one table."""

NAME = "dataframe.parquet"
"""How messages call a table that was no file."""


def is_path(table: Table) -> bool:
    return isinstance(table, (str, os.PathLike))


def are_paths(table: Table) -> bool:
    """Whether it is a path, or several."""
    return is_path(table) or (
        isinstance(table, (list, tuple)) and len(table) > 0 and all(map(is_path, table))
    )


def arrow_table(table: Table) -> pa.Table:
    """The table in Arrow. NaN of pandas is null; a row's label (its index) is no column.

    Raises InputError where it is no table, has a column twice or one of several kinds.
    """
    try:
        found = _arrow(table)
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise InputError(
            f"Expected a table for touchstone but received one that Arrow refuses: {error}",
            code="input",
            hint="Give each column one name and values of one kind.",
        ) from error
    return pa.table([_plain(column) for column in found.columns], names=_names(found))


def _arrow(table: Table) -> pa.Table:
    if isinstance(table, pa.Table):
        return table
    if isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table])
    if type(table).__module__.split(".")[0] == "pandas":
        return pa.Table.from_pandas(table, preserve_index=False)
    if isinstance(table, list):
        return pa.Table.from_pylist(table)
    if hasattr(table, "__arrow_c_stream__"):
        return pa.table(table)
    if hasattr(table, "to_arrow"):
        return table.to_arrow()
    raise TypeError(f"an object of type {type(table).__name__}")


def _names(table: pa.Table) -> "list[str]":
    names = [str(name) for name in table.column_names]
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise InputError(
            f'Expected each column once but "{twice}" is there twice (in {NAME})', code="input"
        )
    return names


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Truth values as 0 and 1, categories as their words; the rest as it is."""
    kind = column.type
    if pa.types.is_boolean(kind):
        return column.cast(pa.int8())
    if pa.types.is_dictionary(kind):
        return column.cast(kind.value_type)
    return column.cast(pa.float32()) if pa.types.is_float16(kind) else column


@contextmanager
def as_files(table: Table) -> "Iterator[tuple[list[str], Optional[str]]]":
    """A table as words of the command line, and the folder in which they mean that table (None: this
    process's). What was written for it is there as long as the context is."""
    if are_paths(table):
        yield [os.fspath(path) for path in ([table] if is_path(table) else table)], None
        return
    with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
        parquet.write_table(arrow_table(table), os.path.join(folder, NAME))
        yield [NAME], folder


def as_like(rows: pa.Table, like: Table) -> Any:
    """Rows in the library from which `like` comes, else in pandas.

    Raises ImportError where pandas is not installed.
    """
    library = type(like).__module__.split(".")[0]
    if library == "pyarrow":
        return rows
    if library == "polars":
        import polars

        return polars.from_arrow(rows)
    return rows.to_pandas()
