"""Writes the files of bench/readers.mjs: one table in four formats, and a wide one.

python readers_data.py FOLDER [ROWS]
"""

import json
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

folder = Path(sys.argv[1])
rows = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
random = np.random.default_rng(20)
metrics = ["clip-score", "vqa-score", "pick-score", "hps"]
domains = ["animals", "objects", "demography"]
pair = np.arange(rows) // len(metrics)
prompt = pair * 50_000 // max(1, rows // len(metrics))
correct = random.random(rows)
adversarial = np.where(random.random(rows) < 0.01, correct, random.random(rows))
texts = {
    "plain": [f"a photograph of thing {at} beside another" for at in range(50_000)],
    "quoted": [f"a photograph of thing {at}, beside another, in the rain" for at in range(50_000)],
}


def columns(prompts):
    return {
        "id": [f"pair-{at}" for at in pair],
        "metric": [metrics[at % len(metrics)] for at in range(rows)],
        "domain": [domains[at % len(domains)] for at in prompt],
        "prompt": [prompts[at] for at in prompt],
        "correct": correct,
        "adversarial": adversarial,
    }


def write_csv(path, table, quoted):
    with open(path, "w") as file:
        file.write(",".join(table) + "\n")
        for id, metric, domain, text, right, wrong in zip(*table.values()):
            text = f'"{text}"' if quoted else text
            file.write(f"{id},{metric},{domain},{text},{right!r},{wrong!r}\n".replace("np.float64(", "").replace(")", ""))


for name, prompts in texts.items():
    write_csv(folder / f"{name}.csv", columns(prompts), quoted=name == "quoted")
table = columns(texts["quoted"])
with open(folder / "rows.jsonl", "w") as file:
    for cells in zip(*(value.tolist() if isinstance(value, np.ndarray) else value for value in table.values())):
        file.write(json.dumps(dict(zip(table, cells))) + "\n")
pq.write_table(
    pa.table(table),
    folder / "rows.parquet",
    compression="zstd",
    row_group_size=-(-rows // 8),
)
numbers = random.random((rows // 10, 59))
with open(folder / "wide.csv", "w") as file:
    file.write("id," + ",".join(f"metric_{at}" for at in range(59)) + "\n")
    for at, line in enumerate(numbers.round(6).tolist()):
        file.write(f"item-{at}," + ",".join(map(repr, line)) + "\n")
