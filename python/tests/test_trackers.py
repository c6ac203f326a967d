"""Results go into data frames, notebooks and trackers with the numbers of the command line."""

import pandas as pd
import pytest

import touchstone_t2i as ts
from touchstone_t2i.trackers import tracked


@pytest.fixture
def compared():
    rows = [
        {"model": model, "prompt": f"prompt {at}", "score": base + at % 5 / 10}
        for model, base in (("a", 0.5), ("b", 0.3))
        for at in range(12)
    ]
    return ts.compare(pd.DataFrame(rows))


def test_to_pandas_is_the_rows(compared):
    frame = compared.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    means = frame[frame["against"].isna()].set_index("model")["mean"]
    assert means["a"] == compared.to_dict()["models"]["a"]["mean"]["value"]


def test_tracked_figures_are_those_of_the_json(compared):
    by_name = {one.name: one for one in tracked(compared.to_dict(), data="prompts")}
    for model in ("a", "b"):
        mean = compared.to_dict()["models"][model]["mean"]
        metrics = by_name[model].metrics
        assert (metrics["mean"], metrics["mean.low"]) == (mean["value"], mean["low"])


def test_to_mlflow_logs_a_run_for_each_model(compared, tmp_path, monkeypatch):
    # Artifacts lie where the process works.
    monkeypatch.chdir(tmp_path)
    mlflow = pytest.importorskip("mlflow")
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    mlflow.set_experiment("prompts")
    ids = compared.to_mlflow(data="prompts")
    runs = [mlflow.get_run(one) for one in ids]
    found = {run.info.run_name: run.data.metrics for run in runs}
    assert found["a"]["mean"] == compared.to_dict()["models"]["a"]["mean"]["value"]


def test_html_escapes_names(compared):
    scores = ts.result.Result._repr_html_(compared)
    assert scores.startswith("<table>")
    assert "<script" not in scores
