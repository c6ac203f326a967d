"""What bench/statistics.mjs compares itself with: one JSON line in, one out, timed here."""

import json
import sys
import time
from importlib.metadata import version

import krippendorff
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
        f"scikit-learn {sklearn.__version__}, krippendorff {version('krippendorff')}"
    }


rng = np.random.default_rng(0)


def share_as_far(sums, total):
    return (1 + np.count_nonzero(np.abs(sums) >= abs(total) * (1 - 1e-12))) / (1 + len(sums))


def permutation_by_signs(question):
    difference = data["one"] - data["other"]
    kind = np.dtype(question.get("type", "float64"))
    times, block, pairs = question["permutations"], 500, len(difference)
    sums = np.empty(times)
    for start in range(0, times, block):
        drawn = np.frombuffer(rng.bytes(block * pairs // 8), np.uint8).reshape(block, -1)
        is_swapped = np.unpackbits(drawn, axis=1)
        sums[start : start + block] = is_swapped.astype(kind) @ difference.astype(kind)
    total = difference.sum()
    return share_as_far(total - 2 * sums, total)


def permutation_by_bytes(question):
    difference = data["one"] - data["other"]
    times = question["permutations"]
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
    table = difference.reshape(-1, 8) @ bits.T.astype(float)
    drawn = np.frombuffer(rng.bytes(times * len(table)), np.uint8).reshape(-1, times)
    sums = np.zeros(times)
    for sums_of_byte, bytes_drawn in zip(table, drawn):
        sums += sums_of_byte.take(bytes_drawn)
    total = difference.sum()
    return share_as_far(total - 2 * sums, total)


def kendall(question):
    return stats.kendalltau(*(data[name] for name in question["columns"])).statistic


def cluster_ids(question):
    return np.arange(question.get("rows", len(data["failed"]))) % question["clusters"]


def failed_rows(question):
    return data["failed"][: question.get("rows")]


def bootstrap(question):
    ids = cluster_ids(question)
    failures = np.bincount(ids, failed_rows(question))
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


def bootstrap_by_counts(question):
    ids, clusters = cluster_ids(question), question["clusters"]
    failures, rows = np.bincount(ids, failed_rows(question)), np.bincount(ids).astype(float)
    counts = rng.multinomial(clusters, np.full(clusters, 1 / clusters), question["resamples"])
    return np.quantile((counts @ failures) / (counts @ rows), 0.975)


def bootstrap_by_indices(question):
    ids, clusters = cluster_ids(question), question["clusters"]
    failures, rows = np.bincount(ids, failed_rows(question)), np.bincount(ids).astype(float)
    drawn = rng.integers(0, clusters, (question["resamples"], clusters), dtype=np.uint16)
    rates = failures.take(drawn).sum(axis=1) / rows.take(drawn).sum(axis=1)
    return np.quantile(rates, 0.975)


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


def alpha_of_counts(question, drawn):
    """The upper bound of ordinal alpha over resamples of items: each pattern of ratings is looked at once.

    `krippendorff.alpha` of each resample would take 2,000 times its 50 ms; it checks the point value here.
    """
    items = data["rating"].astype(np.int64).reshape(-1, 10)
    counts = np.stack([(items == value).sum(axis=1) for value in range(5)], axis=1)
    keys = counts @ 11 ** np.arange(5)
    _, first, pattern_of = np.unique(keys, return_index=True, return_inverse=True)
    patterns = counts[first].astype(float)
    diagonals = np.einsum("pi,ij->pij", patterns, np.eye(5))
    together = (patterns[:, :, None] * patterns[:, None, :] - diagonals) / 9

    def alpha(times):
        observed = (times @ together.reshape(len(patterns), 25)).reshape(-1, 5, 5)
        totals = observed.sum(axis=2)
        ranks = totals.cumsum(axis=1) - totals / 2
        distance = (ranks[:, :, None] - ranks[:, None, :]) ** 2
        expected = totals[:, :, None] * totals[:, None, :]
        n = totals.sum(axis=1)
        return 1 - (n - 1) * (observed * distance).sum((1, 2)) / (expected * distance).sum((1, 2))

    own = np.bincount(pattern_of, minlength=len(patterns))
    whole = krippendorff.alpha(value_counts=counts, level_of_measurement="ordinal")
    assert abs(alpha(own[None].astype(float))[0] - whole) < 1e-12
    return np.quantile(alpha(drawn(pattern_of, own, question["resamples"])), 0.975)


def alpha_by_items(question):
    def drawn(pattern_of, own, resamples):
        n, few = len(pattern_of), pattern_of.astype(np.uint16)
        times = np.empty((resamples, len(own)))
        for at in range(resamples):
            times[at] = np.bincount(few.take(rng.integers(0, n, n, np.uint32)), minlength=len(own))
        return times

    return alpha_of_counts(question, drawn)


def alpha_by_counts(question):
    def drawn(pattern_of, own, resamples):
        return rng.multinomial(len(pattern_of), own / len(pattern_of), resamples).astype(float)

    return alpha_of_counts(question, drawn)


tasks = {
    each.__name__: each
    for each in (
        permutation_by_signs,
        permutation_by_bytes,
        kendall,
        bootstrap_by_counts,
        bootstrap_by_indices,
        bootstrap,
        cluster_robust,
        calibration,
        alpha_by_items,
        alpha_by_counts,
    )
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
