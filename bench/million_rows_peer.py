"""What bench/million-rows.mjs compares itself with: contrastive rows by pandas, in a process of its own."""

import json
import resource
import sys

import numpy as np
import pandas as pd

path = sys.argv[1]
readers = {
    "csv": lambda: pd.read_csv(path, engine="pyarrow"),
    "jsonl": lambda: pd.read_json(path, lines=True, engine="pyarrow"),
    "parquet": lambda: pd.read_parquet(path),
}
rows = readers[path.rsplit(".", 1)[-1]]()
if rows.duplicated(["id", "metric"]).any():
    raise SystemExit("an id stands twice")

difference = rows["correct"] - rows["adversarial"]
size = np.maximum(rows["correct"].abs(), rows["adversarial"].abs())
is_tie = difference.abs() <= 1e-6 * size
is_failure = is_tie | (difference < 0)
measured = pd.DataFrame(
    {
        "failureRate": is_failure,
        "strictFailureRate": is_failure & ~is_tie,
        "meanCorrect": rows["correct"],
        "meanAdversarial": rows["adversarial"],
        "difference": difference,
        "correctMargin": difference.where(~is_failure),
        "incorrectMargin": (-difference).where(is_failure),
    }
).astype(float)
names = list(measured)


def clustered(part):
    """Ratios with delta-method intervals over whole prompts."""
    values = measured.loc[part.index]
    counted = values.notna()
    prompt = pd.factorize(part["prompt"])[0]
    clusters = prompt.max() + 1
    found = {"n": len(part), "ties": int(is_tie.loc[part.index].sum())}
    for name in names:
        known = counted[name].to_numpy()
        above = np.bincount(prompt, np.where(known, values[name], 0), clusters)
        below = np.bincount(prompt, known, clusters)
        ratio = above.sum() / below.sum()
        error = np.sqrt(clusters / (clusters - 1) * np.sum((above - ratio * below) ** 2)) / below.sum()
        low, high = ratio - 1.96 * error, ratio + 1.96 * error
        found[name] = {"value": ratio, "low": low, "high": high}
    return found


metrics = {
    metric: {
        "overall": clustered(its),
        "domains": {domain: clustered(part) for domain, part in its.groupby("domain")},
    }
    for metric, its in rows.groupby("metric")
}

# The verdict: each metric's failure rate minus that of the best, on the pairs that both scored.
best = min(metrics, key=lambda metric: metrics[metric]["overall"]["failureRate"]["value"])
of_best = rows.loc[rows["metric"] == best, ["id"]].assign(failure=is_failure)
for metric in metrics:
    if metric == best:
        continue
    its = rows.loc[rows["metric"] == metric, ["id", "prompt"]].assign(failure=is_failure)
    both = its.merge(of_best, on="id", suffixes=("", "_best"))
    apart = both["failure"].astype(float) - both["failure_best"]
    prompt = pd.factorize(both["prompt"])[0]
    clusters = prompt.max() + 1
    sums = np.bincount(prompt, apart - apart.mean(), clusters)
    error = np.sqrt(clusters / (clusters - 1) * np.sum(sums**2)) / len(both)
    metrics[metric]["behind"] = (apart.mean(), apart.mean() - 1.96 * error, apart.mean() + 1.96 * error)

print(json.dumps({"metrics": metrics}))
used = resource.getrusage(resource.RUSAGE_SELF)
print(f"peak {used.ru_maxrss} seconds {used.ru_utime + used.ru_stime}", file=sys.stderr)
