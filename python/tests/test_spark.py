"""What the adapter of Spark refuses: test/soak/engines.test.ts has whole runs."""

import pytest

import touchstone_t2i as ts
from touchstone_t2i.batch import Perform

spark = pytest.importorskip("touchstone_t2i.engines.spark", exc_type=ImportError)


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setenv("PYSPARK_PYTHON", "/nowhere/python3")
    open_one = spark.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    yield open_one
    open_one.stop()


def test_workers_without_their_python_are_refused_before_they_are_tried(session):
    with pytest.raises(ts.InputError, match="/nowhere/python3 .no such program") as refused:
        next(spark.perform(["0.parquet"], Perform(), 1))
    assert "PYSPARK_PYTHON=" in refused.value.hint


@pytest.mark.parametrize(
    "said", ["[PYTHON_VERSION_MISMATCH] Python in worker has 3.13", "No module named 'touchstone_t2i'"]
)
def test_workers_of_another_python_are_refused_by_its_name(said):
    error = spark.said_by(RuntimeError(f"Job aborted: {said} …"), "/usr/bin/python3.13")
    assert isinstance(error, ts.InputError) and "/usr/bin/python3.13" in str(error)


def test_what_a_performer_refuses_keeps_its_words():
    error = spark.said_by(RuntimeError("touchstone_t2i.errors.InputError: Expected a run"), "python3")
    assert isinstance(error, ts.InputError) and str(error) == "Expected a run"
