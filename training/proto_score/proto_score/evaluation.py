"""The evaluation in a model card, from what touchstone printed as JSON. What is not given stands as not measured:
triplets alone can't tell a metric that prefers what is atypical."""

import json
from pathlib import Path

HEADING = "## Evaluation\n"
KINDS = {"triplets": "triplets", "controls": "controls", "reversed": "reversed conflict"}


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
    number = lambda one: f"{times * one:.{digits}f}"
    if value.get("oneSided"):
        return f"{number(value['value'])} (at 95 % confidence {number(value['oneSided']['low'])} to {number(value['oneSided']['high'])})"
    return number(value["value"]) + ("" if value["low"] is None else f" [{number(value['low'])}, {number(value['high'])}]")


def table(report=None, people=None, calibration=None):
    """Rows of the card: what, n, value."""
    overall = report and only([(one["metric"], one["overall"]) for one in read(report, "selections")[0]["metrics"]], report)
    ranked = people and only(list(read(people, "metrics").items()), people)
    found = {
        f"{says}, failures in %": overall and (overall[kind]["n"], estimate(overall[kind]["failureRate"], 100))
        for kind, says in KINDS.items()
    }
    found["agreement with people, pairs in their order in %"] = ranked and (ranked["n"], estimate(ranked["pairwiseAccuracy"], 100))
    found["calibration error"] = calibration and (read(calibration, "n"), estimate(read(calibration, "intervalsOf", "ece"), digits=3))
    rows = [(says, *(of or ("", "not measured"))) for says, of in found.items()]
    return "\n".join(f"| {says} | {n} | {value} |" for says, n, value in rows)


def section(rows):
    return f"{HEADING}\n| measured | n | value [95 % interval] |\n| --- | ---: | ---: |\n{rows}\n"


def evaluate(folder, report=None, people=None, calibration=None):
    if not (report or people or calibration):
        raise SystemExit("Expected --report, --people or --calibration but received none of them")
    card = Path(folder) / "README.md"
    if not card.exists():
        raise SystemExit(f"Expected a folder of proto-score merge but received {folder}, which has no README.md")
    rows = table(report, people, calibration)
    card.write_text(card.read_text().partition(HEADING)[0] + section(rows))
    return rows
