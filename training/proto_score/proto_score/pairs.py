"""What GRPOTrainer reads of a folder of `touchstone export pairs`."""

import json
import random
from pathlib import Path

from datasets import Dataset, Features, Image, List, Value

from proto_score.settings import messages

PAPER = ["contrastive"]


def read_pairs(folder, kinds=None):
    """Rows of pairs.jsonl. Expects a whole export: its manifest is written last."""
    folder = Path(folder)
    if not (folder / "export.json").exists():
        raise SystemExit(f"Expected a folder of touchstone export pairs but received {folder}, which has no export.json")
    rows = [json.loads(line) for line in (folder / "pairs.jsonl").read_text().splitlines()]
    return [row for row in rows if kinds is None or row["kind"] in kinds]


def image_rows(folder, rows, seed):
    """Two rows a pair, one after the other, pairs in an order drawn by `seed`: each batch of the trainer,
    which does not shuffle, then holds both images of its pairs."""
    order = list(range(len(rows)))
    random.Random(seed).shuffle(order)
    found = []
    for pair in order:
        for side in ["correct", "adversarial"]:
            prompt = without_image(messages(rows[pair]["prompt"], None))
            found.append({"prompt": prompt, "images": [str(Path(folder) / rows[pair][side])], "pair": pair, "side": side})
    message = {"role": Value("string"), "content": List({"type": Value("string"), "text": Value("string")})}
    features = Features(
        {"prompt": List(message), "images": List(Image()), "pair": Value("int64"), "side": Value("string")}
    )
    return Dataset.from_list(found, features=features)


def without_image(said):
    """The trainer puts the images in place of what is marked as one."""
    part = lambda one: {"type": one["type"], "text": one.get("text")}
    return [{"role": each["role"], "content": [part(one) for one in each["content"]]} for each in said]
