"""Planted raters, and what crowd-kit 1.4.2 finds of them: python raters_peer.py OUT.json (crowd-kit from PyPI).

MACE of crowd-kit puts counts by sorted names beside parameters by first occurrence, so raters and categories are given in
the order in which they first occur.
"""
import json, sys
import numpy as np, pandas as pd
from crowdkit.aggregation import DawidSkene, GLAD, MACE
rng = np.random.default_rng(20261127)
items, raters, K = 60, 9, 3
truth = rng.choice(K, items, p=[.5, .3, .2])
acc = [.9, .85, .8, .8, .75, .7, .33, .33, .1]
rows = []
for i in range(items):
    for r in range(raters):
        if rng.random() < .25: continue
        if r == 6: said = 0
        elif rng.random() < acc[r]: said = int(truth[i])
        else: said = int(rng.choice([k for k in range(K) if k != truth[i]]))
        rows.append((i, r, said))
df = pd.DataFrame(rows, columns=["task", "worker", "label"])
def table(p):
    p = p.reindex(index=range(items), columns=range(K)).fillna(0)
    return [[round(float(x), 9) for x in row] for row in p.values]
ds = DawidSkene(n_iter=1500, tol=-1).fit(df)
glad = GLAD(n_iter=150, tol=-1e9, m_step_max_iter=15, m_step_tol=1e-7, silent=True).fit(df)
ordered = df.sort_values(["worker", "task"]).reset_index(drop=True)
order = list(dict.fromkeys(ordered.label))
ordered["label"] = ordered.label.map({label: at for at, label in enumerate(order)})
found = MACE(n_iter=1000, n_restarts=1).fit(ordered).probas_.reindex(index=range(items), columns=range(K))
found.columns = order
json.dump({"how": "Planted raters of 60 items; crowd-kit 1.4.2, DawidSkene for 1,500 iterations, GLAD for 150, MACE (method vb) for 1,000: bench/raters_peer.py. Rows: item, rater, label.",
  "items": items, "raters": raters, "categories": K, "rows": rows,
  "dawidSkene": table(ds.probas_), "mace": table(found), "glad": table(glad.probas_)},
  open(sys.argv[1], "w"))
