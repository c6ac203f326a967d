"""Tables of Python as Parquet files, which the command line reads."""

import os
import re
import tempfile
from contextlib import contextmanager
from numbers import Real
from typing import Any, Iterator, List, Optional

import pyarrow as pa
import pyarrow.parquet as parquet

from .errors import InputError
from .wording import called, library_of, to_numbers

Table = Any
"""A pandas or Polars DataFrame, a LazyFrame of Polars, an Arrow table, whatever exports an Arrow stream, a Dataset of
Hugging Face's datasets, a list of dictionaries, or the path of a file (.csv, .json, .jsonl or .parquet), a pattern such as
"scores/*.parquet", or a list of paths: files of the same columns, read as one table."""


def is_path(table: Table) -> bool:
    return isinstance(table, (str, os.PathLike))


def are_paths(table: Table) -> bool:
    """Whether it is a path, or several."""
    return is_path(table) or (
        isinstance(table, (list, tuple)) and len(table) > 0 and all(map(is_path, table))
    )


def paths_of(table: Table) -> List[str]:
    return [os.fspath(path) for path in ([table] if is_path(table) else table)]


def arrow_table(table: Table) -> pa.Table:
    """The table in Arrow. NaN of pandas is null; a row's label (its index) is no column.

    Raises InputError where it is no table, has a column twice or one of several kinds.
    """
    try:
        found = _arrow(table)
        columns = [_plain(column) for column in found.columns]
    except InputError:
        raise
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise (_mixed_column(table) or _refused(error)) from error
    return pa.table(columns, names=_names(found, table))


def _refused(error: Exception) -> InputError:
    return InputError(
        f"Expected a table but received one that Arrow refuses: {error}",
        code="input",
        hint="Give each column one name and values of one kind.",
    )


def _no_table(thing: Any) -> InputError:
    return InputError(
        f"Expected a table but received an object of type {type(thing).__name__}",
        code="input",
        hint="A table is a pandas or Polars DataFrame, an Arrow table, a Dataset, a list of dictionaries or a path.",
    )


def _mixed_column(table: Table) -> Optional[InputError]:
    """What is wrong with a column of numbers and texts, by the first of those that are fewer."""
    library = library_of(table)
    if library == "pandas":
        columns = list(table.items())
    elif isinstance(table, list) and all(isinstance(row, dict) for row in table):
        columns = [(name, [row.get(name) for row in table]) for name in table[0]]
    else:
        return None
    for name, cells in columns:
        cells = list(cells)
        # NaN is no answer.
        numbers = [
            at for at, cell in enumerate(cells) if isinstance(cell, Real) and cell == cell
        ]
        texts = [at for at, cell in enumerate(cells) if isinstance(cell, str)]
        if not (numbers and texts):
            continue
        odd, kind, hint = (
            (texts, "numbers", to_numbers(name, library))
            if len(texts) <= len(numbers)
            else (numbers, "texts", f"Store {name} as text.")
        )
        return InputError(
            f"Expected {kind} for {name} but received {cells[odd[0]]!r} "
            f"(in {called(table)}, row {odd[0] + 1})",
            code="input",
            hint=hint,
        )
    return None


def _arrow(table: Table) -> pa.Table:
    if isinstance(table, pa.Table):
        return table
    if isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table])
    # A column or an array is no table.
    if hasattr(type(table), "dtype"):
        raise _no_table(table)
    if library_of(table) == "polars":
        return (table.collect() if hasattr(table, "collect") else table).to_arrow()
    if library_of(table) == "pandas":
        return pa.Table.from_pandas(table, preserve_index=False)
    if isinstance(table, list):
        return pa.Table.from_pylist(table)
    if library_of(table) == "datasets" and isinstance(table, dict):
        splits = sorted(table)
        raise InputError(
            f"Expected one split but received {' and '.join(splits)}",
            code="input",
            hint=f'Name it: dataset["{splits[-1]}"]',
        )
    if library_of(table) == "datasets" and hasattr(table, "__len__"):
        return table.with_format("arrow")[:]
    if hasattr(table, "__arrow_c_stream__"):
        return pa.table(table)
    if hasattr(table, "to_arrow"):
        return table.to_arrow()
    raise _no_table(table)


def _names(table: pa.Table, given: Table) -> List[str]:
    names = [str(name) for name in table.column_names]
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise InputError(
            f'Expected each column once but "{twice}" is there twice (in {called(given)})', code="input"
        )
    return names


def label_hint(table: Table, message: str) -> Optional[str]:
    """What to do where a column that a message misses is a label of a DataFrame's rows, as groupby leaves them."""
    labels = getattr(getattr(table, "index", None), "names", None) or []
    missing = [name for name in labels if isinstance(name, str) and name in re.findall(r"[\w-]+", message)]
    if not missing:
        return None
    return f"Make columns of the row labels {', '.join(missing)}: df.reset_index()"


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Truth values as 0 and 1, categories as their words; the rest as it is."""
    kind = column.type
    if pa.types.is_boolean(kind):
        return column.cast(pa.int8())
    if pa.types.is_dictionary(kind):
        return column.cast(kind.value_type)
    return column.cast(pa.float32()) if pa.types.is_float16(kind) else column


@contextmanager
def as_file(table: pa.Table, name: str) -> Iterator[str]:
    """The path of a Parquet file with the table. It is there as long as the context is."""
    with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
        path = os.path.join(folder, f"{name}.parquet")
        parquet.write_table(table, path)
        yield path


def as_like(rows: pa.Table, like: Table) -> Any:
    """Rows in the library from which `like` comes, else in pandas.

    Raises ImportError where pandas is not installed.
    """
    library = library_of(like)
    if library == "pyarrow":
        return rows
    if library == "polars":
        import polars

        return polars.from_arrow(rows)
    return rows.to_pandas()
