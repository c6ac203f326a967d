"""Scores by functions in Python, and runs as data frames."""

import json
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from PIL import Image

import touchstone_t2i as ts
from conftest import touchstone


@pytest.fixture
def images(metrics_module):
    for name, colour in {"red": (255, 0, 0), "grey": (51, 51, 51)}.items():
        Image.new("RGB", (4, 4), colour).save(f"{name}.png")
    return pd.DataFrame({"image": ["red.png", "grey.png"], "text": ["a red square", "a cat"]})


def test_a_function(images):
    from mine import brightness

    scores = ts.score(images, metric=brightness)
    assert (scores.n, scores.unscored) == (2, 0)
    frame = scores.to_frame()
    assert frame.value.tolist() == [1 / 3, 0.2]
    assert set(frame.model) == {"python:mine:brightness"} and set(frame.high) == {1}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_images_within_the_table(images, library):
    from mine import brightness

    # As Hugging Face's datasets holds images.
    cells = [
        {"bytes": Path("red.png").read_bytes(), "path": None},
        {"bytes": Path("grey.png").read_bytes(), "path": "grey.png"},
    ]
    table = pa.table({"image": cells, "caption": ["a red square", "a cat"]})
    given = {"pandas": table.to_pandas, "polars": lambda: pl.from_arrow(table)}
    scored = ts.score(given.get(library, lambda: table)(), metric=brightness)
    rows = scored.to_arrow().to_pylist()
    assert [(row["image"], row["text"], row["value"]) for row in rows] == [
        ("row 1", "a red square", 1 / 3),
        ("grey.png", "a cat", 0.2),
    ]
    no_text = table.rename_columns(["image", "words"])
    with pytest.raises(ts.InputError, match="Expected a column text, .* in the table but found"):
        ts.score(no_text, metric=brightness)


def test_several_and_one_image(images):
    import mine

    scores = ts.score(image="red.png", text="a red square", metric=[mine.words, "python:mine:blue"])
    frame = scores.to_frame().set_index("metric")
    assert frame.value.to_dict() == {"words": 3, "blue": 0}
    assert frame.loc["blue", ["direction", "metricVersion"]].tolist() == ["lower", 2]


def test_what_a_function_throws_is_no_answer(images):
    import mine

    # Half of the answers missing would be an error.
    three = pd.concat([images, images.head(1)])
    texts = three.assign(text=["dark", "light", "light"])
    frame = ts.score(pl.from_pandas(texts), metric=mine.moody).to_frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame["value"].to_list() == [None, 1.0, 1.0]
    assert frame["reason"].to_list() == ["provider-error", None, None]
    with pytest.raises(ts.IncompleteError) as caught:
        ts.score(images.assign(text="dark"), metric=mine.moody)
    assert caught.value.result.unscored == 2
    nan = ts.score(three.assign(text=["none", "light", "light"]), metric=mine.moody).to_frame()
    assert nan.reason.tolist()[0] == "unparsable"


@pytest.fixture
def greys(metrics_module):
    shades = range(20, 260, 20)
    for shade in shades:
        Image.new("RGB", (4, 4), (shade,) * 3).save(f"{shade}.png")
    return pd.DataFrame(
        {"image": [f"{shade}.png" for shade in shades], "text": [f"shade {shade}" for shade in shades]}
    )


def test_a_metric_that_reads_no_text(greys):
    from mine import brightness

    scores = ts.score(greys, metric=brightness)
    (found,) = scores.sanity["metrics"].values()
    assert found["state"] == "defect" and found["readsText"]["value"] == 0.5
    assert "ignores-text" in [finding["kind"] for finding in found["findings"]]
    with pytest.raises(ts.GateError) as missed:
        ts.score(greys, metric=brightness, fail_on="defect")
    assert missed.value.result.sanity == scores.sanity


def test_sanity_left_out(greys):
    from mine import brightness

    (found,) = ts.score(greys, metric=brightness, sanity=False).sanity["metrics"].values()
    assert found["state"] == "skipped"
    with pytest.raises(ts.GateError) as missed:
        ts.score(greys, metric=brightness, sanity=False, fail_on="defect")
    assert "sanity=False" in missed.value.hint


def test_a_function_that_no_other_process_finds(images):
    with pytest.raises(ts.InputError, match="Expected a function of a module"):
        ts.score(images, metric=lambda image, text: 1.0)


def test_a_model_of_the_lab_scores_only_what_the_lab_painted(images):
    with pytest.raises(ts.IncompleteError, match="2 not-applicable") as refused:
        ts.score(images, metric="vqa-score", model="lab:vqa")
    assert "judge only what the lab painted" in str(refused.value)


def test_a_run(tmp_path):
    place = tmp_path / "run"
    touchstone("build", "--prompts", "6", "--run", str(place))
    run = ts.Run(place)
    assert run.steps == ["01-build-prompts"]
    lines = (place / "records" / "01-build-prompts.jsonl").read_text("utf-8").splitlines()
    records = run.records("build-prompts")
    assert records.key.tolist() == [json.loads(line)["key"] for line in lines]
    assert run.records().equals(records)
    assert run.to_arrow().num_rows == len(lines)
    assert run.verdict is None and run.recipe["seed"] == 0
    with pytest.raises(ts.InputError, match="Expected one of 01-build-prompts"):
        run.records("paint")
    with pytest.raises(ts.InputError, match="Expected the folder of a run"):
        ts.Run(tmp_path)
    with pytest.raises(ts.InputError, match="run copy ADDRESS") as caught:
        ts.Run("postgres://me:secret@db/touchstone/demo")
    assert "secret" not in str(caught.value)
