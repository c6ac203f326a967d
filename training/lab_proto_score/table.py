"""Writes what train.py measured on the test as tables of docs/research/proto-score, a row for each training seed.

    python3 table.py DIR/trained TEST_SEED FOLDER

FOLDER gets variants-TEST_SEED.csv, carried-TEST_SEED.csv and compared-TEST_SEED.csv.
"""

import argparse
import csv
import json
from pathlib import Path

import numpy as np

from train import alignment, calibration, failed

VARIANTS = {
    "start": "start (cosine)",
    "grpo": "GRPO, all pairs (lab:proto-score)",
    "without-margin": "GRPO without the margin",
    "without-penalty": "GRPO without the penalty",
    "logistic": "logistic loss, all pairs",
    "margin-loss": "margin loss, all pairs",
    "triplets": "GRPO, triplets alone, the paper's",
    "triplets-logistic": "logistic loss, triplets alone",
    "triplets-and-controls": "GRPO, triplets and controls",
    "without-ordinary": "GRPO, ordinary alignment not kept",
    "continued": "GRPO, more steps",
    "last-block": "GRPO, as many more with the encoder's last block",
    "closed": "closed form, 1,000 steps",
    "grpo-500": "GRPO, 500 steps",
    "closed-500": "closed form, 500 steps",
    "grpo-250": "GRPO, 250 steps",
    "closed-250": "closed form, 250 steps",
    "pairs-10000": "GRPO, 10,000 pairs",
    "pairs-1000": "GRPO, 1,000 pairs",
    "pairs-100": "GRPO, 100 pairs",
}
TRAINED_ON = {
    "start": "start (cosine)",
    "grpo": "all pairs",
    "animals-only": "animals",
    "objects-only": "objects",
    "unseen-members": "all but nine members",
}

COMPARED = {
    ("last-block", "continued"): "more steps with the last block, minus without",
    ("last-block", "grpo"): "more steps with the last block, minus GRPO",
    ("continued", "grpo"): "more steps without, minus GRPO",
    ("closed", "grpo"): "1,000 steps: closed form minus GRPO",
    ("closed-500", "grpo-500"): "500 steps: closed form minus GRPO",
    ("closed-250", "grpo-250"): "250 steps: closed form minus GRPO",
}
DRAWS = 500


def failures(*path):
    def cell(found):
        for name in path:
            found = found[name]
        return f"{100 * found['failureRate']:.1f}"

    return cell


AUC = {"alignment (AUC)": lambda found: f"{found['alignment']['auc']:.3f}"}
KINDS = {
    "triplets failed, %": failures("contrastive"), "controls failed, %": failures("control"),
    "reversed failed, %": failures("reversed"), "foreign failed, %": failures("foreign"), **AUC,
    "calibration error": lambda found: f"{found['calibration']['ece']:.3f}",
}
CARRIED = {
    "animals: triplets failed, %": failures("contrastive", "animals"),
    "objects: triplets failed, %": failures("contrastive", "objects"),
    "the nine members: triplets failed, %": failures("unseenMembers"), "reversed failed, %": failures("reversed"), **AUC,
}


def table(trained, first, rows, columns):
    """A row for each variant that was trained, by each of its seeds."""
    yield [first, "training seed", *columns]
    for variant, says in rows.items():
        for seed, found in sorted(trained.get(variant, {}).items()):
            yield [says, "none" if variant == "start" else seed, *[cell(found) for cell in columns.values()]]


def figures(found, pairs, sentences):
    """Failures in % by kind, AUC of alignment and calibration error of these pairs and sentences."""
    right, wrong, kinds = (found[name][pairs] for name in ["right", "wrong", "kinds"])
    said, true = found["scenes"][sentences], found["true"][sentences]
    fails, own = failed(right, wrong), kinds != "foreign"
    scores, truth = np.concatenate([right[own], wrong[own]]), np.repeat([1, 0], own.sum())
    rates = [100 * fails[kinds == kind].mean() for kind in ["contrastive", "control", "reversed"]]
    return np.array([*rates, alignment(said[true], said[~true]), calibration(scores, truth)["ece"]])


def drawn(units, random):
    """Places of as many units, drawn with replacement."""
    order = np.argsort(units, kind="stable")
    places = np.split(order, np.flatnonzero(np.diff(units[order])) + 1)
    return np.concatenate([places[at] for at in random.integers(len(places), size=len(places))])


def compared(folder):
    """Paired differences, means over the seeds, with 95 % intervals of draws of prompts and of scenes."""
    pairs = [pair for pair in COMPARED if all(list(folder.glob(f"{each}-?.npz")) for each in pair)]
    if not pairs:
        return []
    names = sorted({name for pair in pairs for name in pair})
    scores = {name: [dict(np.load(path)) for path in sorted(folder.glob(f"{name}-?.npz"))] for name in names}
    mean = lambda *places: {name: np.mean([figures(seed, *places) for seed in seeds], 0) for name, seeds in scores.items()}
    random = np.random.default_rng(0)
    one = scores[names[0]][0]
    whole = mean(slice(None), slice(None))
    draws = [mean(drawn(one["prompts"], random), drawn(one["shown"], random)) for _ in range(DRAWS)]
    lines = []
    for first, second in pairs:
        low, high = np.percentile([draw[first] - draw[second] for draw in draws], [2.5, 97.5], axis=0)
        ends = zip(whole[first] - whole[second], low, high, [1, 1, 1, 3, 3])
        lines.append([COMPARED[first, second], *[f"{gap:z.{places}f} [{least:z.{places}f}, {most:z.{places}f}]".replace("-", "−") for gap, least, most, places in ends]])
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trained", type=Path)
    parser.add_argument("seed")
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    trained = {}
    for path in given.trained.glob("*.json"):
        told = json.loads(path.read_text())
        if "test" not in told:
            raise SystemExit(f"Expected figures of a test in {path}: train.py makes them with --test")
        trained.setdefault(told["variant"], {})[told["seed"]] = told["test"]
    if not trained:
        raise SystemExit(f"Expected figures of train.py in {given.trained} but found no *.json there")
    points = [f"{kind}, points" for kind in ["triplets", "controls", "reversed"]]
    tables = {
        "variants": table(trained, "variant", VARIANTS, KINDS),
        "carried": table(trained, "trained on", TRAINED_ON, CARRIED),
        "compared": [["difference", *points, *AUC, "calibration error"], *compared(given.trained)],
    }
    given.folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        path = given.folder / f"{name}-{given.seed}.csv"
        with path.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
        print(path)


if __name__ == "__main__":
    main()
