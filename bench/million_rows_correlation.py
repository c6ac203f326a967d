"""What bench/million-rows.mjs compares itself with: correlations by pandas, NumPy and SciPy, in a process of its own.

Intervals are by the delta method over whole prompts. People gave few ratings, so that pairs are counted by rating.
"""

import json
import resource
import sys

import numpy as np
import pandas as pd
from scipy.special import betainc

rows = pd.read_csv(sys.argv[1], engine="pyarrow")
prompt = pd.factorize(rows["prompt"])[0]
clusters = prompt.max() + 1
n = len(rows)


class Ranked:
    """A column's levels, how many rows are on each, and their ranks from the mean."""

    def __init__(self, values):
        _, self.level, self.count = np.unique(values, return_inverse=True, return_counts=True)
        self.rank = np.cumsum(self.count) - self.count / 2 - n / 2
        self.untied = n - self.count
        self.pairs = self.untied @ self.count

    def above(self, values):
        """By level the sum over rows above it, of its own half."""
        own = np.bincount(self.level, values, len(self.count))
        return np.cumsum(own[::-1])[::-1] - own / 2


def interval(value, influence):
    sums = np.bincount(prompt, influence, clusters)
    margin = 1.959963984540054 * np.sqrt(clusters / (clusters - 1) * (sums @ sums))
    return {"value": value, "low": value - margin, "high": value + margin}


def beta_p(r):
    return betainc((n - 2) / 2, 0.5, (1 - r) * (1 + r))


rating = rows["rating"].to_numpy(float)
y = Ranked(rating)
b = y.rank[y.level]
zy = (rating - rating.mean()) / rating.std()
untied_y = y.untied[y.level]


def measures(score):
    x = Ranked(score)
    a = x.rank[x.level]
    square_x, square_y = a @ a, b @ b
    root = np.sqrt(square_x) * np.sqrt(square_y)
    rho = a @ b / root
    product = a * b + x.above(b)[x.level] + y.above(a)[y.level]
    own_x, own_y = a * a + 2 * x.above(a)[x.level], b * b + 2 * y.above(b)[y.level]
    of_rho = product / root - rho / 2 * (own_x / square_x + own_y / square_y)

    zx = (score - score.mean()) / score.std()
    r = zx @ zy / n
    of_r = (zx * zy - r / 2 * (zx * zx + zy * zy)) / n

    # By rating, how many more of its rows lie below a level of the scores than above it.
    balance = []
    for each in range(len(y.count)):
        own = np.bincount(x.level[y.level == each], minlength=len(x.count))
        up_to = np.cumsum(own)
        balance.append(2 * up_to - own - y.count[each])
    apart = np.empty(n)
    for each in range(len(y.count)):
        there = y.level == each
        of_level = sum(balance[:each], np.zeros(len(x.count))) - sum(balance[each + 1 :], np.zeros(len(x.count)))
        apart[there] = of_level[x.level[there]]
    total = apart.sum()
    roots = np.sqrt(x.pairs) * np.sqrt(y.pairs)
    of_tau = 2 * apart / roots - total / roots * (x.untied[x.level] / x.pairs + untied_y / y.pairs)
    fewer = min(len(x.count), len(y.count))
    scale = fewer / (fewer - 1) / n**2
    return {
        "n": n,
        "spearman": interval(rho, of_rho),
        "kendallTauB": interval(total / roots, of_tau),
        "pearson": interval(r, of_r),
        "pairwiseAccuracy": interval((1 + total / y.pairs) / 2, (apart - total / y.pairs * untied_y) / y.pairs),
        "kendallTauC": interval(total * scale, 2 * scale * (apart - total / n)),
        "p": {"spearman": beta_p(rho), "pearson": beta_p(r)},
    }


metrics = {name: measures(rows[name].to_numpy(float)) for name in ["clip-score", "vqa-score", "pick-score", "hps"]}
print(json.dumps({"metrics": metrics}))
used = resource.getrusage(resource.RUSAGE_SELF)
print(f"peak {used.ru_maxrss} seconds {used.ru_utime + used.ru_stime}", file=sys.stderr)
