"""Shifted thresholds at their highest penalised likelihood by SciPy: python ordinal_raters_peer.py raters-reference.json

No published program fits this model (crowd-kit and R's rater have none for ordered categories with a shift), so the same
formula is written anew and maximised without expectation-maximisation. Adds `ordinal` to the file: P(right answer).
"""
import json, sys
import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, logsumexp

given = json.load(open(sys.argv[1]))
I, R, K = given["items"], given["raters"], given["categories"]
item, rater, label = np.array(given["rows"]).T
right = np.arange(K)


def logs(x):
    """log P(right answer, all labels) of each item."""
    shift, sharpness = x[K - 1 : K - 1 + R], x[K - 1 + R :]
    below = lambda end: np.where(
        end[:, None] < 0, 0.0, np.where(end[:, None] >= K - 1, 1.0, expit(
            np.exp(sharpness[rater])[:, None] * (end[:, None] + 0.5 - right - shift[rater][:, None]))))
    each = np.log(np.maximum(below(label) - below(label - 1), 1e-10))
    joint = np.tile(log_softmax(np.append(x[: K - 1], 0.0)), (I, 1))
    np.add.at(joint, item, each)
    return joint


def cost(x):
    prior = (x[K - 1 : K - 1 + R] ** 2).sum() + ((x[K - 1 + R :] - np.log(2)) ** 2).sum()
    return prior / 2 - logsumexp(logs(x), axis=1).sum()


start = np.concatenate([np.zeros(K - 1 + R), np.full(R, np.log(2))])
best = minimize(cost, start, method="BFGS", options={"gtol": 1e-7, "maxiter": 2000})
best = minimize(cost, best.x, method="Nelder-Mead", options={"maxiter": 4000, "xatol": 1e-9, "fatol": 1e-12})
found = logs(best.x)
posterior = np.exp(found - logsumexp(found, axis=1, keepdims=True))
given["ordinal"] = [[round(float(p), 9) for p in row] for row in posterior]
json.dump(given, open(sys.argv[1], "w"))
print(f"penalised log-likelihood {-best.fun:.9f}")
