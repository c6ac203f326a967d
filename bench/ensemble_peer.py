"""What bench/ensemble.mjs compares itself with: one JSON line in, one out, timed here."""

import json
import sys
import time

import numpy as np
import scipy
from scipy.optimize import minimize
from scipy.special import log_softmax

data = {}


def load(question):
    shape = (question["labels"], question["prompts"])
    data["likelihood"] = np.array(question["likelihood"]).reshape(shape)
    # Ours has the logarithms before its time begins.
    data["logarithms"] = np.log(data["likelihood"])
    data["membership"] = np.array(question["membership"]).reshape(shape[0], -1)
    return {
        "versions": f"Python {sys.version.split()[0]}, NumPy {np.__version__}, SciPy {scipy.__version__}"
    }


def entropy_scale(objective, membership, scale):
    support = membership.sum(axis=0)
    if objective == "per-sample-entropy":
        return scale * support
    if objective == "balanced-entropy":
        return scale * support / len(membership)
    return np.full(membership.shape[1], scale)


def fit(question, strength):
    likelihood, membership = data["likelihood"], data["membership"]
    shape = (membership.shape[1], likelihood.shape[1])
    scales = entropy_scale(question["objective"], membership, strength)[:, None]
    is_mixture = question["objective"] == "mixture"
    gains = membership.T @ data["logarithms"]

    def loss(logits):
        logs = log_softmax(logits.reshape(shape), axis=1)
        weights = np.exp(logs)
        if is_mixture:
            # A product of matrices; einsum plans its path anew in each call.
            marginal = ((membership @ weights) * likelihood).sum(axis=1)
            fitted = np.log(marginal).sum()
            slope = (membership / marginal[:, None]).T @ likelihood
        else:
            fitted = (weights * gains).sum()
            slope = gains
        value = fitted - (scales * weights * logs).sum()
        # By a weight, then by its logit.
        slope = slope - scales * (logs + 1)
        slope = weights * (slope - (weights * slope).sum(axis=1, keepdims=True))
        return -value, -slope.ravel()

    # The loosest tolerances that come within 1e-6 of the best; weights near 0 make this one flat.
    ftol = 1e-13 if question["objective"] == "balanced-entropy" else 1e-10
    found = minimize(
        loss,
        np.zeros(shape[0] * shape[1]),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 20000, "maxfun": 40000, "ftol": ftol, "gtol": 1e-6},
    )
    return -found.fun


for line in sys.stdin:
    question = json.loads(line)
    if question["task"] == "load":
        answer = load(question)
    else:
        start = time.process_time()
        result = float(sum(fit(question, strength) for strength in question["lambdas"]))
        answer = {"seconds": time.process_time() - start, "result": result}
    print(json.dumps(answer), flush=True)
