"""A folder of `touchstone export pairs`, and in which order it is learned from."""

import json
import math
import random
from pathlib import Path

PAPER = ["contrastive"]
SIDES = ["correct", "adversarial"]


def read_pairs(folder, kinds=None):
    """Rows of pairs.jsonl. Expects a whole export: its manifest is written last."""
    folder = Path(folder)
    if not (folder / "export.json").exists():
        raise SystemExit(f"Expected a folder of touchstone export pairs but received {folder}, which has no export.json")
    rows = [json.loads(line) for line in (folder / "pairs.jsonl").read_text().splitlines()]
    found = [row for row in rows if kinds is None or row["kind"] in kinds]
    if not found:
        raise SystemExit(f"Expected pairs of {', '.join(kinds or ['any kind'])} in {folder} but it has none")
    return found


def steps_of(rows, config, most=None):
    """The pairs of each step: every epoch in an order of its own, drawn by the seed; what fills no step is left out."""
    size, order = config["pairsPerStep"], []
    for epoch in range(math.ceil(config["epochs"])):
        order += random.Random(f"{config['seed']} {epoch}").sample(rows, len(rows))
    steps = int(len(rows) * config["epochs"]) // size
    if not steps:
        raise SystemExit(f"Expected at least {size} pairs for a step (pairsPerStep) but received {len(rows)} and {config['epochs']} epochs")
    return [order[at * size : (at + 1) * size] for at in range(min(steps, most or steps))]
