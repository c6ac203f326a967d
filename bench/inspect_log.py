"""Writes a log of inspect_ai by its own API: inspect_log.py SAMPLES FILE."""

import sys
from datetime import datetime, timezone

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalPlan,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score

count, path = int(sys.argv[1]), sys.argv[2]
metrics = ["clip_score", "vqa_score", "pick_score", "hps", "rating"]
samples = [
    EvalSample(
        id=at + 1,
        epoch=1,
        input=f"Bird number {at} is in a desert with exactly one log.",
        target="right",
        output=ModelOutput.from_content("none/none", "yes"),
        scores={
            metric: Score(value=((at * 2654435761 + 40503 * place) % 1000) / 1000, answer="yes")
            for place, metric in enumerate(metrics)
        },
        metadata={"role": ["correct", "adversarial"][at % 2]},
    )
    for at in range(count)
]
now = datetime.now(timezone.utc).isoformat()
log = EvalLog(
    status="success",
    eval=EvalSpec(
        created=now,
        task="gallery",
        dataset=EvalDataset(name="gallery", samples=count),
        model="none/none",
        config=EvalConfig(),
    ),
    plan=EvalPlan(),
    results=EvalResults(
        total_samples=count,
        completed_samples=count,
        scores=[
            EvalScore(
                name=metric,
                scorer=metric,
                metrics={"mean": EvalMetric(name="mean", value=0.5)},
            )
            for metric in metrics
        ],
    ),
    stats=EvalStats(started_at=now, completed_at=now),
    samples=samples,
)
write_eval_log(log, path)
