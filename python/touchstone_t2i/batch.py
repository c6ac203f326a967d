"""Callables over batches, for the engines that a team already runs.

    from touchstone_t2i.batch import Score

    score = Score(metric="vqa-score", model="openai-compatible:…", cache="s3://bucket/answers")
    dataset.map_batches(Score, fn_constructor_kwargs=dict(metric=…, model=…))      # Ray Data
    frame.mapInArrow(score.arrow, schema)                                          # Spark
    frame.map_partitions(score, meta=…)                                            # Dask
    dataset.map(score, batched=True)                                               # Hugging Face

A batch is a pandas DataFrame, an Arrow table or record batch, or a dictionary of NumPy arrays or of lists; the
same kind comes back, its columns untouched, with `score`, `unscored` (the reason where there is no score), `calls`
and `cost` (US dollars; null where a price is not known) added. Read are `image` (a path, bytes, or a structure with
bytes and path, as Hugging Face's datasets have it) and `prompt`. Instances can be pickled: each process has one
child of Node, which starts at first use.
"""

import json
import os
import re
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional

import pyarrow as pa
import pyarrow.parquet as parquet

from .command import ask
from .errors import IncompleteError, InputError
from .flags import words_of
from .scores import metric_name
from .tables import arrow_table, library_of
from .wording import Wording

__all__ = ["Judge", "Localize", "Perform", "Score"]

Added = Dict[str, pa.Array]
"""Columns that are added to a batch."""

ITEMS = "items.parquet"
"""The rows of a batch, as a file in a folder of their own."""

ASKED = '"(model-call|segment-call|attempt-failed|cost|isBilled)"'
"""What stands in the lines of a trace that tell of calls to models and what they cost."""

SPENT = {"unscored": pa.string(), "calls": pa.int64(), "cost": pa.float64()}
"""Why a row has no answer, and what asking about it took."""


class Batch:
    """A callable over batches.

    Attributes:
        columns: what it adds, by name, as types of Arrow.
    """

    columns: Mapping[str, pa.DataType] = {}

    def __init__(self, cache: "str | os.PathLike[str] | None" = None, **flags: Any):
        """cache: where answers of hosted models are kept: a folder that all machines mount, or s3://bucket/prefix.
        flags: keywords of the verb, such as max_calls, which hold for each batch."""
        self._cache = None if cache is None else os.fspath(cache)
        self._flags = {name.rstrip("_").replace("_", "-"): value for name, value in flags.items()}

    def __call__(self, batch: Any) -> Any:
        table = table_of(batch)
        twice = [name for name in self.columns if name in table.column_names]
        if twice:
            raise InputError(
                f"Expected a batch without the column {twice[0]}, which is added", code="input"
            )
        added = (
            self._added(table)
            if table.num_rows > 0
            else {name: pa.array([], kind) for name, kind in self.columns.items()}
        )
        return with_columns(batch, added)

    def arrow(self, batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        """For Spark's mapInArrow."""
        return map(self, batches)

    def pandas(self, frames: Iterable[Any]) -> Iterator[Any]:
        """For Spark's mapInPandas."""
        return map(self, frames)

    def _added(self, table: pa.Table) -> Added:
        raise NotImplementedError

    def _ask(self, verb: List[str], folder: str, flags: Mapping[str, Any]) -> dict:
        """Carries out a verb over the items of a folder; what is unscored is in its rows, no error."""
        variables = {} if self._cache is None else {"TOUCHSTONE_CACHE": self._cache}
        given = {**flags, **self._flags}
        repeated = frozenset(["metric", "model", "map", "wording", "entity"])
        words = [*verb, os.path.join(folder, ITEMS), *words_of(given, repeated=repeated)]
        done = ask(words, variables=variables, wording=Wording())
        if done.error is not None and not isinstance(done.error, IncompleteError):
            raise done.error
        return done.result

    def _column(self, values: Iterable[Any], name: str) -> pa.Array:
        return pa.array(list(values), self.columns[name])


class Score(Batch):
    """Scores each row's image against its prompt by one metric, which asks one model."""

    columns = {"score": pa.float64(), **SPENT}

    def __init__(self, metric: Any = None, model: Optional[str] = None, cache: Any = None, **flags: Any):
        """metric, model: as in `touchstone_t2i.score`; a metric may be a function f(image, text) of a module."""
        super().__init__(cache, **flags)
        self._chosen = {
            "metric": None if metric is None else metric_name(metric),
            "model": model,
        }

    def _added(self, table: pa.Table) -> Added:
        with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
            items = {"image": images_of(table, "image", folder), "text": texts_of(table)}
            write_items(items, folder)
            run = os.path.join(folder, "run")
            names = ["skip-bad", "allow-outside", "no-sanity", "scores-only"]
            flags = {"run": run, **{name: True for name in names}}
            found = self._ask(["score"], folder, {**self._chosen, **flags})["scores"]
            if len(found["value"]) != table.num_rows:
                raise InputError("Expected one metric with one model but several were given", code="input")
            by_key = spent_by_key(run)
            spent = [by_key.get(key, (0, 0.0)) for key in found["key"]]
        return {
            "score": self._column(found["value"], "score"),
            "unscored": self._column(found["reason"], "unscored"),
            "calls": self._column((calls for calls, _ in spent), "calls"),
            "cost": self._column((cost for _, cost in spent), "cost"),
        }


class Judge(Batch):
    """Judges each row by a saved judge (`judge.json`): pairs (image_a, image_b, caption or prompt), questions (image,
    question) or ratings (image, text or prompt). `decision` is null where the judge is not sure enough, `confidence` the
    probability of the likeliest answer, null where the judge was not asked."""

    columns = {"decision": pa.string(), "confidence": pa.float64(), **SPENT}

    def __init__(self, path: "str | os.PathLike[str]", cache: Any = None, **flags: Any):
        super().__init__(cache, **flags)
        self._path = os.path.abspath(path)

    def _added(self, table: pa.Table) -> Added:
        with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
            names = table.column_names
            items: Dict[str, Any] = {"id": [str(at) for at in range(table.num_rows)]}
            for name in ("image", "image_a", "image_b"):
                if name in names:
                    items[name] = images_of(table, name, folder)
            for name in ("caption", "question", "text"):
                if name in names:
                    items[name] = table.column(name)
            if len(items) < 3 or not {"caption", "question", "text"} & items.keys():
                items["caption" if "image_a" in items else "text"] = texts_of(table)
            write_items(items, folder)
            run = os.path.join(folder, "run")
            files = {name: os.path.join(folder, f"{name}.jsonl") for name in ("out", "review")}
            flags = {"judge": self._path, "run": run, "allow-outside": True, "no-sanity": True, **files}
            self._ask(["judge"], folder, flags)
            judged = {
                row["id"]: row
                for path in files.values()
                for row in json_lines(path)
            }
            spent = spent_by_item(run)
        rows = [judged.get(name, {}) for name in items["id"]]
        calls = [spent.get(name, (0, 0.0, None)) for name in items["id"]]
        return {
            "decision": self._column((text_of(row.get("decision")) for row in rows), "decision"),
            "confidence": self._column((confidence_of(row) for row in rows), "confidence"),
            "unscored": self._column(
                (
                    reason if row.get("decision") is None else None
                    for row, (_, _, reason) in zip(rows, calls)
                ),
                "unscored",
            ),
            "calls": self._column((each for each, _, _ in calls), "calls"),
            "cost": self._column((each for _, each, _ in calls), "cost"),
        }


class Localize(Batch):
    """Finds entities in each row's image: those of `entity`, else those that its prompt names. `masks` is JSON, a
    list of {entity, mask (COCO's run lengths, or null where it is not there), inside (its share of the image)};
    `unscored` says why there is none."""

    columns = {"masks": pa.string(), "unscored": pa.string()}

    def __init__(self, model: str, entity: Any = None, **flags: Any):
        super().__init__(None, **flags)
        self._chosen = {"model": model, "entity": entity}

    def _added(self, table: pa.Table) -> Added:
        with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
            # Rows with one image, and other prompts, are told apart by their files.
            items = {"image": images_of(table, "image", folder, link=True)}
            if self._chosen["entity"] is None:
                items["text"] = texts_of(table)
            write_items(items, folder)
            out = os.path.join(folder, "masks")
            done = self._ask(["localize"], folder, {**self._chosen, "out": out, "skip-bad": True})
            found: Dict[str, List[dict]] = {}
            for row in json_lines(os.path.join(out, "masks.jsonl")):
                name = os.path.normpath(os.path.join(out, row["image"]))
                found.setdefault(name, []).append(
                    {name: row.get(name) for name in ("entity", "mask", "inside")}
                )
        rows = [found.get(os.path.normpath(path)) for path in items["image"]]
        problems = done["problems"]
        reasons = (
            None
            if row
            else next((one.partition(": ")[2] for one in problems if one.startswith(f"{path}, ")), "not asked")
            for path, row in zip(items["image"], rows)
        )
        return {
            "masks": self._column((row and json.dumps(row) for row in rows), "masks"),
            "unscored": self._column(reasons, "unscored"),
        }


class Perform(Batch):
    """Performs parts of a run, one a row: `part` names it, as `touchstone run plan` does. `records` and `unscored`
    count its results, which lie in the exchange; `calls` and `cost` (US dollars) say what was spent on it. `over` names
    the limit that stopped it: it is to be performed again."""

    columns = {
        "records": pa.int64(),
        "unscored": pa.int64(),
        "calls": pa.int64(),
        "cost": pa.float64(),
        "over": pa.string(),
    }

    def __init__(
        self,
        exchange: "str | os.PathLike[str] | None" = None,
        performers: int = 1,
        cache: Any = None,
        directory: "str | os.PathLike[str] | None" = None,
        **flags: Any,
    ):
        """exchange: from where parts are named that are no whole paths; performers: how many work at once, each with
        its share of calls at once and a minute; directory: where relative paths of the recipe start; flags: limits of
        each part, such as max_calls."""
        super().__init__(cache, **flags)
        self._exchange = None if exchange is None else os.fspath(exchange)
        self._performers = performers
        self._directory = os.fspath(directory or os.getcwd())
        self.limits: Mapping[str, Any] = {}
        """Limits of each part, as flags."""
        self.until: Optional[float] = None
        """When parts are to stop, in seconds as time.time() has them."""

    def _added(self, table: pa.Table) -> Added:
        found = [self.perform(part) for part in table.column("part").to_pylist()]
        return {name: self._column((each[name] for each in found), name) for name in self.columns}

    def perform(self, part: str) -> dict:
        """Performs one part.

        Raises IncompleteError where anything but a limit stopped it: it is to be performed again.
        """
        named = part
        if self._exchange is not None and "://" not in part and not os.path.isabs(part):
            part = "/".join([self._exchange.rstrip("/"), part])
        # The command takes an Nth of its limits; these are of a part.
        own = {name.replace("_", "-"): value for name, value in {**self._flags, **self.limits}.items()}
        for name in ("max-calls", "max-cost"):
            if own.get(name) is not None:
                own[name] *= self._performers
        flags = {"performers": self._performers, "cache": self._cache, **own}
        if self.until is not None:
            flags["max-minutes"] = max(0.0, self.until - time.time()) / 60
        done = ask(
            ["run", "perform", part, *words_of(flags)], cwd=self._directory, wording=Wording()
        )
        over = done.result.get("over")
        is_over = over is not None and isinstance(done.error, IncompleteError)
        if done.error is not None and not is_over:
            raise done.error
        counts = next(iter(done.result["parts"]), {"records": 0, "unscored": 0})
        return {**counts, **done.result["spent"], "part": named, "over": over if is_over else None}


def table_of(batch: Any) -> pa.Table:
    """A batch as an Arrow table."""
    if isinstance(batch, Mapping):
        try:
            return pa.table({name: as_array(cells) for name, cells in batch.items()})
        except (pa.ArrowException, ValueError, TypeError) as error:
            raise InputError(
                f"Expected columns of equal length but received others: {error}", code="input"
            ) from error
    return arrow_table(batch)


def as_array(cells: Any) -> pa.Array:
    return pa.array(list(cells) if getattr(cells, "dtype", None) == object else cells)


def with_columns(batch: Any, added: Added) -> Any:
    """The batch with further columns, in its own kind."""
    if isinstance(batch, pa.RecordBatch):
        columns = [*batch.columns, *added.values()]
        return pa.RecordBatch.from_arrays(columns, names=[*batch.schema.names, *added])
    if isinstance(batch, pa.Table):
        for name, column in added.items():
            batch = batch.append_column(name, column)
        return batch
    if library_of(batch) == "pandas":
        # By position: a batch's labels may repeat.
        return batch.assign(
            **{name: column.to_pandas().set_axis(batch.index) for name, column in added.items()}
        )
    if library_of(batch) == "polars":
        import polars

        return batch.with_columns(**{name: polars.from_arrow(each) for name, each in added.items()})
    if isinstance(batch, Mapping):
        are_arrays = any(hasattr(cells, "dtype") for cells in batch.values())
        return {
            **batch,
            **{
                name: column.to_numpy(zero_copy_only=False) if are_arrays else column.to_pylist()
                for name, column in added.items()
            },
        }
    raise InputError(f"Expected a batch but received {type(batch).__name__}", code="input")


def texts_of(table: pa.Table) -> List[str]:
    return ["" if text is None else str(text) for text in needed(table, "prompt").to_pylist()]


def needed(table: pa.Table, name: str) -> pa.ChunkedArray:
    if name not in table.column_names:
        raise InputError(
            f"Expected the column {name} in the batch but found {', '.join(table.column_names)}",
            code="input",
            hint=f'Rename yours: df.rename(columns={{"my_column": "{name}"}}), in Spark '
            f'df.withColumnRenamed("my_column", "{name}")',
        )
    return table.column(name)


def images_of(table: pa.Table, name: str, folder: str, link: bool = False) -> List[str]:
    """The paths of images; of those within the table, of copies in the folder."""
    paths = []
    for at, cell in enumerate(needed(table, name).to_pylist()):
        content, path = (cell.get("bytes"), cell.get("path")) if isinstance(cell, dict) else (cell, None)
        if isinstance(content, (bytes, bytearray)):
            path = os.path.join(folder, f"{name}-{at}")
            Path(path).write_bytes(content)
        else:
            path = os.path.abspath(path or content) if (path or content) else ""
            if link and path:
                linked = os.path.join(folder, f"{name}-{at}")
                os.symlink(path, linked)
                path = linked
        paths.append(path)
    return paths


def write_items(items: Mapping[str, Any], folder: str) -> None:
    parquet.write_table(pa.table(dict(items)), os.path.join(folder, ITEMS))


def json_lines(path: str, having: str = "") -> Iterator[dict]:
    """The objects of a file, a line each; only of lines in which a pattern is found."""
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if re.search(having, line):
                yield json.loads(line)


def records_of(run: str) -> Iterator[dict]:
    """The records of a run of which models were asked, in plan order."""
    for path in sorted(Path(run, "records").glob("*.jsonl")):
        for record in json_lines(str(path)):
            if record["type"] != "image":
                yield record


def spent_by_key(run: str) -> Dict[str, "tuple[int, Optional[float]]"]:
    """Calls that were made for each record, failed attempts among them, and their cost; None where a call did not say
    what it cost."""
    spent: Dict[str, "tuple[int, Optional[float]]"] = {}
    for path in sorted(Path(run, "trace").glob("*.jsonl")):
        for entry in json_lines(str(path), having=ASKED):
            if "key" not in entry:
                continue
            calls, cost = spent.get(entry["key"], (0, 0.0))
            kind, price = entry.get("kind"), entry.get("cost")
            is_asked = kind in ("model-call", "segment-call") and entry.get("cached") is not True
            is_call = is_asked or kind == "attempt-failed"
            is_told = price is not None and entry.get("isForecast") is not True
            if entry.get("isBilled") is True or (is_asked and kind == "model-call" and not is_told):
                cost = None
            elif cost is not None:
                cost += price or 0
            spent[entry["key"]] = (calls + is_call, cost)
    return spent


def spent_by_item(run: str) -> Dict[str, "tuple[int, Optional[float], Optional[str]]"]:
    """Calls and cost of each item that was judged, and why its last question has no answer."""
    spent = spent_by_key(run)
    found: Dict[str, "tuple[int, Optional[float], Optional[str]]"] = {}
    for record in records_of(run):
        item = record.get("pair", record.get("item"))
        calls, cost, _ = found.get(item, (0, 0.0, None))
        more, price = spent.get(record["key"], (0, 0.0))
        summed = None if cost is None or price is None else cost + price
        found[item] = (calls + more, summed, record.get("reason"))
    return found


def confidence_of(row: Mapping[str, Any]) -> Optional[float]:
    """How probable the likeliest answer of a judged row is."""
    one = row.get("probability")
    each = row.get("probabilities") or ([] if one is None else [one, 1 - one])
    return max(each, default=None)


def text_of(value: Any) -> Optional[str]:
    return None if value is None else str(value)
