"""What bench/million-rows.mjs compares itself with: contrastive rows by polars, lazily, in a process of its own."""

import json
import resource
import sys

import polars as pl

path = sys.argv[1]
scans = {"csv": pl.scan_csv, "jsonl": pl.scan_ndjson, "parquet": pl.scan_parquet}
rows = scans[path.rsplit(".", 1)[-1]](path)

difference = pl.col("correct") - pl.col("adversarial")
size = pl.max_horizontal(pl.col("correct").abs(), pl.col("adversarial").abs())
is_tie = difference.abs() <= 1e-6 * size
is_failure = is_tie | (difference < 0)
measured = {
    "failureRate": is_failure.cast(pl.Float64),
    "strictFailureRate": (is_failure & ~is_tie).cast(pl.Float64),
    "meanCorrect": pl.col("correct"),
    "meanAdversarial": pl.col("adversarial"),
    "difference": difference,
    "correctMargin": pl.when(~is_failure).then(difference),
    "incorrectMargin": pl.when(is_failure).then(-difference),
}
judged = rows.select("id", "metric", "domain", "prompt", is_tie.alias("tie"), **measured).collect()
if judged.select(pl.struct("id", "metric").is_duplicated().any()).item():
    raise SystemExit("an id stands twice")


def ratios(sums, by):
    """Ratios with delta-method intervals over whole prompts, by their sums."""
    clusters = pl.len()

    def apart(name):
        above, below = pl.col(name), pl.col(f"{name}_n")
        ratio = above.sum() / below.sum()
        error = (clusters / (clusters - 1) * ((above - ratio * below) ** 2).sum()).sqrt() / below.sum()
        return pl.struct(ratio.alias("value"), (ratio - 1.96 * error).alias("low"), (ratio + 1.96 * error).alias("high"))

    return sums.group_by(by).agg(
        pl.col("n").sum(), pl.col("ties").sum(), **{name: apart(name) for name in measured}
    ).collect()


counted = [pl.len().alias("n"), pl.col("tie").sum().alias("ties")]
totals = [pl.col(name).sum() for name in measured] + [pl.col(name).count().alias(f"{name}_n") for name in measured]
by_domain = judged.lazy().group_by("metric", "domain", "prompt").agg(*counted, *totals)
by_prompt = judged.lazy().group_by("metric", "prompt").agg(*counted, *totals)
metrics = {row.pop("metric"): {"overall": row, "domains": {}} for row in ratios(by_prompt, ["metric"]).to_dicts()}
for row in ratios(by_domain, ["metric", "domain"]).to_dicts():
    metrics[row.pop("metric")]["domains"][row.pop("domain")] = row

# The verdict: each metric's failure rate minus that of the best, on the pairs that both scored.
best = min(metrics, key=lambda metric: metrics[metric]["overall"]["failureRate"]["value"])
of_best = judged.lazy().filter(pl.col("metric") == best).select("id", best="failureRate")
apart = (
    judged.lazy()
    .filter(pl.col("metric") != best)
    .join(of_best, on="id")
    .select("metric", "prompt", apart=pl.col("failureRate") - pl.col("best"))
    .with_columns(mean=pl.col("apart").mean().over("metric"), n=pl.len().over("metric"))
    .group_by("metric", "prompt")
    .agg((pl.col("apart") - pl.col("mean")).sum().alias("sum"), pl.col("mean").first(), pl.col("n").first())
    .group_by("metric")
    .agg(
        pl.col("mean").first(),
        error=(pl.len() / (pl.len() - 1) * (pl.col("sum") ** 2).sum()).sqrt() / pl.col("n").first(),
    )
    .collect()
)
for metric, mean, error in apart.iter_rows():
    metrics[metric]["behind"] = (mean, mean - 1.96 * error, mean + 1.96 * error)

print(json.dumps({"metrics": metrics}))
used = resource.getrusage(resource.RUSAGE_SELF)
print(f"peak {used.ru_maxrss} seconds {used.ru_utime + used.ru_stime}", file=sys.stderr)
