"""Prints what train.py measured on the test as the tables of docs/protoscore.md, a figure for each seed.

    python3 table.py DIR/trained [--into docs/protoscore.md]

--into puts each table in place of the one between its marks: <!-- table NAME --> and <!-- end -->.
"""

import argparse
import json
import re
from pathlib import Path

VARIANTS = {
    "start": "start (cosine)",
    "grpo": "**GRPO, all pairs** (`lab:proto-score`)",
    "without-margin": "GRPO without the margin",
    "without-penalty": "GRPO without the penalty",
    "logistic": "logistic loss, all pairs",
    "margin-loss": "margin loss, all pairs",
    "triplets": "GRPO, triplets alone, the paper's",
    "triplets-logistic": "logistic loss, triplets alone",
    "triplets-and-controls": "GRPO, triplets and controls",
    "without-ordinary": "GRPO, ordinary alignment not kept",
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


def failures(*path):
    def cell(found):
        for name in path:
            found = found[name]
        return f"{100 * found['failureRate']:.1f}"

    return cell


AUC = {"alignment (AUC)": lambda found: f"{found['alignment']['auc']:.3f}"}
KINDS = {
    "triplets": failures("contrastive"), "controls": failures("control"), "reversed": failures("reversed"),
    "foreign": failures("foreign"), **AUC, "calibration error": lambda found: f"{found['calibration']['ece']:.3f}",
}
CARRIED = {
    "animals": failures("contrastive", "animals"), "objects": failures("contrastive", "objects"),
    "the nine members": failures("unseenMembers"), "reversed": failures("reversed"), **AUC,
}


def table(trained, first, rows, columns):
    """A line for each variant that was trained, seeds side by side in each cell."""
    lines = [[first, "training seeds", *columns], ["---", "---", *["---:" for _ in columns]]]
    for variant, says in rows.items():
        seeds = sorted(trained.get(variant, {}).items())
        if seeds:
            named = "none" if variant == "start" else ", ".join(str(seed) for seed, _ in seeds)
            lines.append([says, named, *[", ".join(cell(found) for _, found in seeds) for cell in columns.values()]])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trained", type=Path)
    parser.add_argument("--into", type=Path)
    given = parser.parse_args()
    trained = {}
    for path in given.trained.glob("*.json"):
        told = json.loads(path.read_text())
        if "test" not in told:
            raise SystemExit(f"Expected figures of a test in {path}: train.py makes them with --test")
        trained.setdefault(told["variant"], {})[told["seed"]] = told["test"]
    if not trained:
        raise SystemExit(f"Expected figures of train.py in {given.trained} but found no *.json there")
    prompts = next(iter(next(iter(trained.values())).values()))["contrastive"]["n"]
    tables = {
        "variants": table(trained, f"test of {prompts} prompts, failures in %", VARIANTS, KINDS),
        "carried": table(trained, "trained on", TRAINED_ON, CARRIED),
    }
    if given.into is None:
        return print(*tables.values(), sep="\n")
    text = given.into.read_text()
    for name, made in tables.items():
        begin = f"<!-- table {name} -->\n"
        text, found = re.subn(rf"{begin}.*?(?=<!-- end -->)", lambda _: begin + made, text, flags=re.DOTALL)
        if found != 1:
            raise SystemExit(f"Expected one table {name} in {given.into} but found {found}")
    given.into.write_text(text)


if __name__ == "__main__":
    main()
