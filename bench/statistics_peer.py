"""What bench/statistics.mjs compares itself with: one JSON line in, one out, timed here."""

import json
import sys
import time

import numpy as np
import scipy
import sklearn
import statsmodels
import statsmodels.api as sm
from scipy import stats

data = {}


def load(question):
    data.update({name: np.fromfile(path) for name, path in question["files"].items()})
    return {
        "versions": f"Python {sys.version.split()[0]}, NumPy {np.__version__}, "
        f"SciPy {scipy.__version__}, statsmodels {statsmodels.__version__}, "
        f"scikit-learn {sklearn.__version__}"
    }


def permutation(question):
    found = stats.permutation_test(
        (data["one"], data["other"]),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=question["permutations"],
        vectorized=True,
        batch=100,
        rng=0,
    )
    return found.pvalue


def kendall(_):
    return stats.kendalltau(data["metric"], data["people"]).statistic


def cluster_ids(question):
    return np.arange(len(data["failed"])) % question["clusters"]


def bootstrap(question):
    ids = cluster_ids(question)
    failures = np.bincount(ids, data["failed"])
    rows = np.bincount(ids).astype(float)
    found = stats.bootstrap(
        (failures, rows),
        lambda x, y, axis: x.sum(axis=axis) / y.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=question["resamples"],
        method="percentile",
        rng=0,
    )
    return found.confidence_interval.high


def cluster_robust(question):
    failed = data["failed"]
    fitted = sm.OLS(failed, np.ones(len(failed))).fit(
        cov_type="cluster", cov_kwds={"groups": cluster_ids(question)}
    )
    return fitted.conf_int()[0][1]


tasks = {
    "permutation": permutation,
    "kendall": kendall,
    "bootstrap": bootstrap,
    "cluster-robust": cluster_robust,
}

for line in sys.stdin:
    question = json.loads(line)
    if question["task"] == "load":
        answer = load(question)
    else:
        start = time.perf_counter()
        result = float(tasks[question["task"]](question))
        answer = {"seconds": time.perf_counter() - start, "result": result}
    print(json.dumps(answer), flush=True)
