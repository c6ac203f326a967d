"""Callables over batches, without an engine: test/soak/engines.test.ts has real ones."""

import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from PIL import Image

import touchstone_t2i as ts
from touchstone_t2i.batch import Judge, Localize, Perform, Score

VALUES = [1 / 3, None, 0.2]


@pytest.fixture
def rows(metrics_module):
    for name, colour in {"red": (255, 0, 0), "grey": (51, 51, 51)}.items():
        Image.new("RGB", (4, 4), colour).save(f"{name}.png")
    return {
        "image": ["red.png", "gone.png", "grey.png"],
        "prompt": ["a red square", "nothing", "a cat"],
        "split": ["a", "b", "c"],
    }


@pytest.fixture
def score(rows):
    # Engines send it to their processes.
    return pickle.loads(pickle.dumps(Score(metric="python:mine:brightness")))


def check(found):
    assert found["score"] == VALUES
    assert found["unscored"] == [None, "bad-input", None]
    assert found["calls"] == [0, 0, 0] and found["cost"] == [0, 0, 0]
    assert found["split"] == ["a", "b", "c"]


def test_pandas_keeps_its_labels_and_kinds(rows, score):
    frame = pd.DataFrame(rows, index=[7, 7, 8]).astype({"split": "category"})
    found = score(frame)
    assert isinstance(found, pd.DataFrame) and found.index.tolist() == [7, 7, 8]
    assert found["split"].dtype == "category"
    check(pa.Table.from_pandas(found, preserve_index=False).to_pydict())


@pytest.mark.parametrize("kind", ["table", "record batch", "polars", "lists"])
def test_the_same_kind_comes_back(kind, rows, score):
    batch = {
        "table": pa.table,
        "record batch": pa.RecordBatch.from_pydict,
        "polars": pl.DataFrame,
        "lists": dict,
    }[kind](rows)
    found = score(batch)
    assert type(found) is type(batch)
    if kind == "polars":
        found = found.to_arrow()
    check(found if isinstance(found, dict) else found.to_pydict())


def test_arrays_as_ray_has_them(rows, score):
    batch = {name: np.array(cells, dtype=object) for name, cells in rows.items()}
    found = score(batch)
    assert found["score"].dtype == np.float64 and np.isnan(found["score"][1])
    assert found["calls"].dtype == np.int64
    assert found["image"] is batch["image"]


def test_images_within_the_batch(rows, score):
    content = [open(name, "rb").read() if name != "gone.png" else b"" for name in rows["image"]]
    check(score({**rows, "image": content}))
    check(score({**rows, "image": [{"bytes": each, "path": None} for each in content]}))


def test_iterators_of_spark(rows, score):
    [batch] = score.arrow([pa.RecordBatch.from_pydict(rows)])
    check(batch.to_pydict())
    [frame] = score.pandas([pd.DataFrame(rows)])
    assert frame["score"].tolist()[0] == VALUES[0]


def test_an_empty_batch_has_the_columns(rows, score):
    found = score(pa.table(rows).slice(0, 0))
    assert found.schema.field("score").type == pa.float64() and found.num_rows == 0


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda rows: {"image": rows["image"]}, "prompt"),
        (lambda rows: {**rows, "score": [1, 2, 3]}, "score"),
    ],
)
def test_what_is_missing_or_there_already_is_refused_by_name(change, said, rows, score):
    with pytest.raises(ts.InputError, match=said):
        score(change(rows))


def test_errors_come_back_from_other_processes(rows):
    with pytest.raises(ts.InputError, match="nope") as refused:
        Score(metric="nope", model="lab:vqa")(rows)
    again = pickle.loads(pickle.dumps(refused.value))
    assert str(again) == str(refused.value)


def test_masks_by_hand(rows):
    mask = {"size": [4, 4], "counts": [4, 8, 4]}
    Path("made.jsonl").write_text(json.dumps({"image": "red.png", "entity": "it", "mask": mask}))
    found = Localize("masks:made.jsonl", entity="it")(rows)
    assert json.loads(found["masks"][0]) == [{"entity": "it", "mask": mask, "inside": 0.5}]
    assert found["masks"][1:] == [None, None]
    assert found["unscored"][0] is None and None not in found["unscored"][1:]


def test_a_part_that_is_none_is_refused_by_name(rows):
    with pytest.raises(ts.InputError, match="nothing.parquet"):
        Perform(exchange="exchange")({"part": ["nothing.parquet"]})


def test_a_judge_that_is_not_there_is_refused_by_name(rows):
    with pytest.raises(ts.InputError, match="judge.json"):
        Judge("judge.json")(rows)
