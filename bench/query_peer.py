"""What bench/query.mjs compares itself with: the same groups by pandas, in a process of its own."""

import json
import resource
import sys
import time

import pandas as pd

before = time.perf_counter()
rows = pd.read_parquet(sys.argv[2], columns=["metric", "model", "value"])
found = rows.groupby(["metric", "model"])["value"].agg(["count", "mean"]).sort_index()
groups = [[*names, int(n), float(mean)] for names, n, mean in found.itertuples()]
seconds = time.perf_counter() - before
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"seconds": seconds, "groups": groups, "peak": peak}))
