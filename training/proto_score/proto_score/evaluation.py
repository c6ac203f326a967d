"""Fills the evaluation into a model card, from what touchstone printed as JSON. What is not given stands as not
measured: triplets alone can't tell a metric that prefers what is atypical."""

import json
from pathlib import Path

HEADING = "## Evaluation\n"
NOT_MEASURED = """{heading}
Not measured yet. A metric that scores everything atypical high would win this reward, so triplets alone say
nothing. Score a benchmark of the evaluation split, images of no benchmark that people rated (their metadata.jsonl
has a column rating), and images with labels of right (1) and wrong (0), by --metric proto-score --out FILE:

    touchstone report RUN --json > report.json
    touchstone analyze correlation RATED --human rating --metrics value --json > people.json
    touchstone analyze calibration LABELLED --map id=image+text --map probability=value --json > calibration.json
    proto-score evaluate THIS_FOLDER --report report.json --people people.json --calibration calibration.json
"""


def read(path, *members):
    """What stands under `members` of a file of JSON."""
    try:
        found = json.loads(Path(path).read_text())
    except ValueError as error:
        raise SystemExit(f"Expected JSON in {path} but received {error}") from None
    for name in members:
        if not isinstance(found, dict) or name not in found:
            raise SystemExit(f"Expected {'.'.join(members)} in {path} but found no {name}: is it of this command's --json?")
        found = found[name]
    return found


def only(named, path):
    """The only metric, or the only one that is called proto-score."""
    found = named if len(named) == 1 else [one for one in named if one[0].split(" ")[0] == "proto-score"]
    if len(found) != 1:
        names = ", ".join(name for name, _ in named) or "none"
        raise SystemExit(f"Expected one metric proto-score in {path} but received {names}")
    return found[0][1]


def estimate(value, times=1, digits=1):
    if value["value"] is None:
        return f"not measured: {value.get('reason', 'undefined')}"
    text = f"{times * value['value']:.{digits}f}"
    if value.get("oneSided"):
        low, high = (times * value["oneSided"][end] for end in ["low", "high"])
        return f"{text} (at 95 % confidence {low:.{digits}f} to {high:.{digits}f})"
    if value["low"] is None:
        return text
    return f"{text} [{times * value['low']:.{digits}f}, {times * value['high']:.{digits}f}]"


def rows_of(report, people, calibration):
    kinds = {"triplets": "triplets", "controls": "controls", "reversed": "reversed conflict"}
    if report is None:
        yield from ((f"{says}, failures in %", "", "not measured") for says in kinds.values())
    else:
        metrics = read(report, "selections")[0]["metrics"]
        overall = only([(one["metric"], one["overall"]) for one in metrics], report)
        for name, says in kinds.items():
            yield f"{says}, failures in %", overall[name]["n"], estimate(overall[name]["failureRate"], 100)
    if people is None:
        yield "agreement with people, pairs in their order in %", "", "not measured"
    else:
        found = only(list(read(people, "metrics").items()), people)
        yield "agreement with people, pairs in their order in %", found["n"], estimate(found["pairwiseAccuracy"], 100)
    if calibration is None:
        yield "calibration error", "", "not measured"
    else:
        yield "calibration error", read(calibration, "n"), estimate(read(calibration, "intervalsOf", "ece"), digits=3)


def evaluate(folder, report=None, people=None, calibration=None):
    if not (report or people or calibration):
        raise SystemExit("Expected --report, --people or --calibration but received none of them")
    card = Path(folder) / "README.md"
    if not card.exists():
        raise SystemExit(f"Expected a folder of proto-score merge but received {folder}, which has no README.md")
    lines = [f"| {says} | {n} | {value} |" for says, n, value in rows_of(report, people, calibration)]
    head = ["", "| measured | n | value [95 % interval] |", "| --- | ---: | ---: |"]
    before = card.read_text().partition(HEADING)[0]
    card.write_text("\n".join([before + HEADING.rstrip(), *head, *lines]) + "\n")
    return "\n".join(lines)
