"""Conclusions over data frames are those of the command line, to the last digit."""

import csv
import inspect
import io
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import touchstone_t2i as ts
from conftest import FLAGS, touchstone
from touchstone_t2i.wording import Wording


def same(found, expected):
    """Equal in all but the table's name, which some sentences quote."""
    assert found.to_dict() == expected
    assert found.verdict == expected["verdict"]


def test_every_verb_that_concludes_has_an_example():
    assert sorted(FLAGS) == sorted(
        name
        for name in ts.__all__
        if inspect.isfunction(getattr(ts, name))
        and inspect.signature(getattr(ts, name)).return_annotation is ts.Conclusion
    )


def test_pandas(example):
    found = getattr(ts, example.verb)(example.frame, **example.given)
    same(found, example.expected)
    rows = list(csv.reader(io.StringIO(touchstone_csv(example))))
    frame = found.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == rows[0]
    for row, cells in zip(frame.itertuples(index=False), rows[1:]):
        for value, cell in zip(row, cells):
            assert cell == "" if pd.isna(value) else matches(value, cell)
    assert len(frame) == len(rows) - 1


def touchstone_csv(example):
    path = example.file.with_suffix(".out.csv")
    touchstone(*example.line, "--out", str(path))
    return path.read_text("utf-8")


def matches(value, cell):
    return float(cell) == value if isinstance(value, (int, float)) else cell == value


def test_several_files(example, tmp_path):
    half = len(example.frame) // 2
    for name, part in (("a", example.frame[:half]), ("b", example.frame[half:])):
        part.to_csv(tmp_path / f"{name}.csv", index=False)
    conclude = getattr(ts, example.verb)
    same(conclude(str(tmp_path / "*.csv"), **example.given), example.expected)
    same(conclude([tmp_path / "b.csv", tmp_path / "a.csv"], **example.given), example.expected)


def test_polars(example):
    frame = pl.read_csv(io.StringIO(example.csv))
    found = getattr(ts, example.verb)(frame, **example.given)
    same(found, example.expected)
    assert isinstance(found.to_frame(), pl.DataFrame)


def test_arrow(example):
    table = pa.Table.from_pandas(example.frame)
    found = getattr(ts, example.verb)(table, **example.given)
    same(found, example.expected)
    assert isinstance(found.to_frame(), pa.Table)


def test_lazy_frames(ratings):
    frame = pl.from_pandas(ratings.frame)
    found = ts.correlation(frame.lazy(), **ratings.given)
    same(found, ratings.expected)
    assert isinstance(found.to_frame(), pl.DataFrame)


def test_categories_of_polars(example):
    frame = pl.read_csv(io.StringIO(example.csv))
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    for kind in (lambda column: pl.Categorical, lambda column: pl.Enum(column.unique().drop_nulls())):
        cast = frame.with_columns(frame[name].cast(kind(frame[name])) for name in texts)
        same(getattr(ts, example.verb)(cast, **example.given), example.expected)


def test_batches_and_lists(ratings):
    table = pa.Table.from_pandas(ratings.frame)
    same(ts.correlation(table.to_batches()[0], **ratings.given), ratings.expected)
    same(ts.correlation(table.to_pylist(), **ratings.given), ratings.expected)


def test_a_file(ratings):
    same(ts.correlation(ratings.file, **ratings.given), ratings.expected)
    same(ts.correlation(str(ratings.file), **ratings.given), ratings.expected)


def test_categories_truth_values_and_labels_of_rows():
    frame = pd.DataFrame(
        {
            "id": pd.Categorical(["a", "b", "c", "d"]),
            "label": [True, False, True, False],
            "probability": [0.9, 0.2, 0.4, None],
        },
        index=[7, 7, 8, 9],
    )
    found = ts.calibration(frame).to_dict()
    assert (found["n"], found["unscored"], found["accuracy"]) == (3, 1, 2 / 3)


def test_lists_and_dictionaries_are_flags(ratings):
    renamed = ratings.frame.rename(columns={"id": "item", "rating": "stars"})
    by_words = ts.correlation(
        renamed, human="stars", metrics=["clip-score", "vqa-score"], map={"id": "item"}
    )
    assert by_words.to_dict()["metrics"] == ratings.expected["metrics"]
    wide = pd.DataFrame({"prompt": list("abcdef"), "one": range(6), "two": [0, 2, 4, 6, 8, 9]})
    assert set(ts.compare(wide, scores={"A": "one", "B": "two"}).to_dict()["models"]) == {"A", "B"}


def test_what_is_seen_in_a_notebook(example):
    found = getattr(ts, example.verb)(example.frame, **example.given)
    assert found.verdict in repr(found)
    picture = ElementTree.fromstring(found.svg())
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    expected = example.file.with_suffix(".svg")
    touchstone(*example.line, "--plot", str(expected))
    assert found.svg() == expected.read_text("utf-8")
    shown = found._repr_html_()
    assert "data:image/svg+xml;base64," in shown and "<script" not in shown


def test_saving(ratings, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = ts.correlation(ratings.frame, **ratings.given)
    for name in ("a.html", "a.svg", "a.png", "a.json", "a.csv", "a.parquet", "a.md"):
        found.save(name)
        assert Path(name).stat().st_size > 0
    assert pd.read_parquet("a.parquet").equals(found.to_frame())
    with pytest.raises(ts.InputError, match="Expected a file that ends in .json, .csv"):
        found.save("a.pdf")


def test_errors_have_the_words_of_the_command_line(ratings):
    with pytest.raises(ts.InputError) as caught:
        ts.correlation(ratings.frame, human="ratin")
    assert caught.value.message == (
        "Expected the column ratin in the DataFrame but found "
        "id, prompt, rating, clip-score, vqa-score"
    )
    assert caught.value.hint is not None and caught.value.hint in str(caught.value)
    broken = ratings.frame.assign(**{"clip-score": "high"})
    with pytest.raises(ValueError, match="problems in the DataFrame") as caught:
        ts.correlation(broken, human="rating", metrics="clip-score")
    assert caught.value.problems[0] == (
        'Expected a number or nothing for clip-score but received "high" '
        "(in the DataFrame, row 1)"
    )


def test_errors_name_keywords(ratings):
    renamed = ratings.frame.rename(columns={"id": "item"})
    with pytest.raises(ts.InputError) as caught:
        ts.agreement(renamed, scale="ordinal")
    assert "map={" in caught.value.hint and "--" not in str(caught.value)
    with pytest.raises(ts.InputError, match='Did you mean map={"id": "item"}'):
        ts.correlation(renamed, human="rating", map={"idd": "item"})


@pytest.mark.parametrize(
    ("line", "python"),
    [
        ("map it: --map a=b --map c=d", 'map it: map={"a": "b", "c": "d"}'),
        ("Did you mean --map a=b?", 'Did you mean map={"a": "b"}?'),
        ("means no answer: --unscored n/a,NA", 'means no answer: unscored="n/a,NA"'),
        ("(clip, hps): --wide reads them", "(clip, hps): wide=True reads them"),
        ("--metrics names those that are", "metrics names those that are"),
        ("Expected --human for --group but got 3", "Expected human for group but got 3"),
        ("--cluster both allows for prompts", 'cluster="both" allows for prompts'),
        ('such as --range "m=0,1"', 'such as range="m=0,1"'),
        ("fewer groups: --groups 10", "fewer groups: groups=10"),
        ("above --tie-tolerance", "above tie_tolerance"),
        ("--lambda 0.5 weighs", "lambda_=0.5 weighs"),
        ("undefined, --json says why", "undefined, to_dict() says why"),
        ("`touchstone analyze swap --wide`", "ts.swap(wide=True)"),
        (
            "read by: touchstone analyze correlation FILE --human rating",
            'read by: ts.correlation(df, human="rating")',
        ),
        ("need no model:\ntouchstone analyze swap a.csv\n", 'need no model:\nts.swap("a.csv")\n'),
        ("See: touchstone score --help", "See: help(ts.score)"),
        ("touchstone score RUN --keep-from N", "touchstone score RUN --keep-from N"),
        ("touchstone score reads pairs", "touchstone score reads pairs"),
        ("touchstone demo --run DIR", "touchstone demo --run DIR"),
        ("touchstone compare a.csv --out b.json", "touchstone compare a.csv --out b.json"),
        ("these rows, then run the command again.", "these rows, then call it again."),
        ("--no-such-flag", "--no-such-flag"),
        ("Set the format: --format csv|json", 'Set the format: format="csv" or "json"'),
        (
            "Store a and b as numbers, and no answer as null.",
            "Store a and b as numbers, and no answer as null.",
        ),
    ],
)
def test_sentences_of_the_command_line_in_python(line, python):
    assert Wording()(line) == python


@pytest.mark.parametrize("verb", ["contrastive", "calibration"])
@pytest.mark.parametrize("library", ["pandas", "polars", "list"])
def test_a_word_among_numbers(verb, library):
    column = {"contrastive": "correct", "calibration": "probability"}[verb]
    frame = pd.read_csv(io.StringIO(touchstone("example", verb, "--format", "csv")))
    numbers = frame[column].copy()
    words = numbers.map(str).where(numbers.notna(), None)
    words[3] = "few"
    frame[column] = words
    table = {"pandas": lambda: frame, "polars": lambda: pl.from_pandas(frame)}.get(
        library, lambda: pl.from_pandas(frame).to_dicts()
    )()
    with pytest.raises(ts.InputError) as caught:
        getattr(ts, verb)(table)
    named = "the table" if library == "list" else "the DataFrame"
    text, odd = caught.value.problems
    assert f'for {column} but received text in {numbers.notna().sum() - 1} rows, such as "' in text
    assert f'for {column} but received "few" (in {named}, row 4)' in odd
    if library == "pandas":
        code = caught.value.hint.split("\n")[-1].strip()
        assert code == f'df["{column}"] = pd.to_numeric(df["{column}"], errors="coerce")'
        exec(code, {"pd": pd, "df": table})
    elif library == "polars":
        code = caught.value.hint.split("\n")[-1].strip()
        scope = {"pl": pl, "df": table}
        exec(code, scope)
        table = scope["df"]
    else:
        return
    assert getattr(ts, verb)(table).to_dict()["verdict"]


def test_numbers_and_words_in_one_column():
    frame = pd.DataFrame({"id": ["a", "b", "c"], "label": [1, 0, 1], "probability": [0.5, "n/a", 1]})
    for table, named in ((frame, "the DataFrame"), (frame.to_dict("records"), "the table")):
        with pytest.raises(ts.InputError) as caught:
            ts.calibration(table)
        assert caught.value.message == (
            f"Expected numbers for probability but received 'n/a' (in {named}, row 2)"
        )
    mostly = frame.assign(id=["a", "b", 3])
    with pytest.raises(ts.InputError, match=r"Expected texts for id but received 3 \(in the DataFr"):
        ts.calibration(mostly)


def test_names_that_nobody_wrote(ratings, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"model": ["A", "B"], "prompt": ["x", "x"], "score": [1, 2]})
    with pytest.raises(ts.InputError) as caught:
        ts.compare(frame, baseline=frame.rename(columns={"score": "points"}))
    assert "in baseline" in str(caught.value) and "parquet" not in str(caught.value)
    with pytest.raises(ts.InputError, match="the columns? image.* in the DataFrame but"):
        ts.score(frame, model="openai-compatible:none")
    ratings.frame.to_csv("ratings.dat", index=False)
    with pytest.raises(ts.InputError, match='Give it the ending of its format.*format="jsonl" or "csv"'):
        ts.correlation("ratings.dat", **ratings.given)
    same(ts.correlation("ratings.dat", **ratings.given, format="csv"), ratings.expected)
    with pytest.raises(ts.InputError, match="Expected format beside a file's path"):
        ts.correlation(ratings.frame, **ratings.given, format="csv")


def test_labels_of_rows_that_are_wanted_as_columns():
    frame = pd.DataFrame({"model": list("AABB"), "prompt": list("xyxy"), "score": [1, 2, 3, 4]})
    with pytest.raises(ts.InputError) as caught:
        ts.compare(frame.groupby(["model", "prompt"]).mean())
    assert caught.value.hint == "Make columns of the row labels model, prompt: df.reset_index()"
    with pytest.raises(ts.InputError) as caught:
        ts.correlation(frame, human="rating")
    assert "reset_index" not in str(caught.value)


def test_what_is_no_table():
    frame = pd.DataFrame({"a": [1, 2]})
    for thing in (frame.a, frame.to_numpy(), pl.from_pandas(frame)["a"], frame.to_dict("list")):
        with pytest.raises(ts.InputError, match=f"received an object of type {type(thing).__name__}"):
            ts.correlation(thing, human="a")
    for thing in (3, pd.DataFrame({"a": [1, "x"]}), pd.DataFrame([[1, 2]], columns=["a", "a"])):
        with pytest.raises(ts.InputError):
            ts.correlation(thing, human="a")


def test_a_missed_gate_has_its_conclusion():
    frame = pd.DataFrame({"model": list("AABB"), "prompt": list("xyxy"), "score": [1, 2, 3, 4]})
    with pytest.raises(ts.GateError) as caught:
        ts.compare(frame, fail_under=2)
    assert caught.value.result.to_dict()["models"]["A"]["mean"]["value"] == 1.5
    worse = frame.assign(score=frame.score - 1)
    with pytest.raises(ts.GateError):
        ts.compare(worse, baseline=frame, fail_under=-0.5)
    assert ts.compare(frame, baseline=frame, fail_under=-0.5).to_dict()["gate"]["passed"] is True
