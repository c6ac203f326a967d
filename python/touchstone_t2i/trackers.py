"""Results in trackers of experiments, through their own clients."""

import json
import tempfile
from pathlib import Path
from typing import Any, Dict, List, NamedTuple

from .command import ask
from .wording import Wording


class Tracked(NamedTuple):
    """What a tracker is told of one model, metric or judge."""

    name: str
    metrics: Dict[str, float]
    tags: Dict[str, str]
    parameters: Dict[str, str]
    table: dict


def tracked(result: dict, *, data: str) -> List[Tracked]:
    """The figures of a result by what they are of, as `touchstone export results --as mlflow` has them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "result.json")
        path.write_text(json.dumps(result), "utf-8")
        out = Path(folder, "out")
        words = ["export", "results", str(path), "--as", "mlflow", "--out", str(out), "--data", data]
        ask(words, wording=Wording(None))
        runs = [meta.parent for meta in sorted(out.glob("*/*/meta.yaml"))]
        return [_read(run) for run in runs]


def _read(run: Path) -> Tracked:
    def texts(kind: str) -> Dict[str, str]:
        below = run / kind
        files = [file for file in sorted(below.rglob("*")) if file.is_file()]
        return {file.relative_to(below).as_posix(): file.read_text("utf-8") for file in files}

    tags = texts("tags")
    name = tags.pop("mlflow.runName")
    metrics = {metric: float(line.split()[1]) for metric, line in texts("metrics").items()}
    own = {tag: text for tag, text in tags.items() if not tag.startswith("mlflow.")}
    table = json.loads((run / "artifacts" / "figures.json").read_text("utf-8"))
    return Tracked(name, metrics, own, texts("params"), table)


def to_mlflow(result: dict, *, data: str) -> List[str]:
    """A run for each model, below the active run where there is one. Returns their ids."""
    import mlflow

    ids = []
    for one in tracked(result, data=data):
        with mlflow.start_run(run_name=one.name, nested=mlflow.active_run() is not None) as run:
            mlflow.log_params(one.parameters)
            mlflow.set_tags(one.tags)
            mlflow.log_metrics(one.metrics)
            columns, rows = one.table["columns"], one.table["data"]
            cells = {column: [row[at] for row in rows] for at, column in enumerate(columns)}
            mlflow.log_table(cells, "figures.json")
            ids.append(run.info.run_id)
    return ids


def to_wandb(result: dict, *, data: str, **settings: Any) -> List[str]:
    """A run for each model; `settings` go to `wandb.init`, such as mode="offline". Returns their ids."""
    import wandb

    ids = []
    for one in tracked(result, data=data):
        given = {"project": data, "name": one.name, "reinit": "finish_previous", **settings}
        with wandb.init(config={**one.parameters, **one.tags}, **given) as run:
            run.summary.update(one.metrics)
            columns, rows = one.table["columns"], one.table["data"]
            run.log({"figures": wandb.Table(columns=columns, data=rows)})
            ids.append(run.id)
    return ids
