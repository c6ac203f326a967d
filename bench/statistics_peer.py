"""What bench/statistics.mjs compares itself with: one JSON line in, one out, timed here."""

import json
import sys
import time

import numpy as np
import scipy
import sklearn
import sklearn.metrics as metrics
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


def kendall(question):
    return stats.kendalltau(*(data[name] for name in question["columns"])).statistic


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


def calibration(question):
    drawn = data["drawn"].astype(int).reshape(question["drawings"], -1)
    total = 0
    for rows in drawn:
        label, probability = data["label"][rows], data["probability"][rows]
        total += metrics.roc_auc_score(label, probability)
        total += metrics.average_precision_score(label, probability)
        total += metrics.brier_score_loss(label, probability)
        total += metrics.log_loss(label, probability)
    return total


tasks = {
    "permutation": permutation,
    "kendall": kendall,
    "bootstrap": bootstrap,
    "cluster-robust": cluster_robust,
    "calibration": calibration,
}

for line in sys.stdin:
    question = json.loads(line)
    if question["task"] == "load":
        answer = load(question)
    else:
        start = time.process_time()
        result = float(tasks[question["task"]](question))
        answer = {"seconds": time.process_time() - start, "result": result}
    print(json.dumps(answer), flush=True)
