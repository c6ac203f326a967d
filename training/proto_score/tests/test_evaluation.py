import json
import subprocess

from commands import PACKAGE, command, run

ESTIMATE = {"value": 0.029, "low": 0.018, "high": 0.041}
NONE = {"value": 0, "low": 0, "high": 0, "oneSided": {"low": 0, "high": 0.004}}


def of(overall):
    return {"selections": [{"metrics": [{"metric": "clip-score", "overall": {}}, {"metric": "proto-score", "overall": overall}]}]}


def card_of(folder):
    (folder / "README.md").write_text("# ProtoScore\n\n## Evaluation\n\nNot measured yet.\n")
    return folder / "README.md"


def test_measured_figures_stand_in_the_card_and_what_is_missing_says_so(tmp_path):
    card = card_of(tmp_path)
    kinds = {kind: {"n": 800, "failureRate": ESTIMATE} for kind in ["triplets", "controls"]}
    report = tmp_path / "report.json"
    report.write_text(json.dumps(of(kinds | {"reversed": {"n": 31, "failureRate": NONE}})))
    run("evaluate", tmp_path, "--report", report)
    text = card.read_text()
    assert text.startswith("# ProtoScore\n\n## Evaluation\n\n| measured | n |")
    assert "| triplets, failures in % | 800 | 2.9 [1.8, 4.1] |" in text
    assert "| reversed conflict, failures in % | 31 | 0.0 (at 95 % confidence 0.0 to 0.4) |" in text
    assert "| calibration error |  | not measured |" in text and "Not measured yet" not in text
    # Once more, with the others: the section is replaced.
    people, calibration = tmp_path / "people.json", tmp_path / "calibration.json"
    people.write_text(json.dumps({"metrics": {"value": {"n": 60, "pairwiseAccuracy": ESTIMATE}}}))
    calibration.write_text(json.dumps({"n": 39, "intervalsOf": {"ece": ESTIMATE}}))
    run("evaluate", tmp_path, "--report", report, "--people", people, "--calibration", calibration)
    text = card.read_text()
    assert text.count("## Evaluation") == 1 and "not measured" not in text
    assert "| calibration error | 39 | 0.029 [0.018, 0.041] |" in text


def test_other_files_are_refused_by_name_and_the_card_stays(tmp_path):
    card = card_of(tmp_path)
    before = card.read_text()
    wrong = tmp_path / "wrong.json"
    for content, words in [({}, "found no selections"), ({"selections": [{"metrics": []}]}, "one metric proto-score")]:
        wrong.write_text(json.dumps(content))
        done = subprocess.run(command("evaluate", tmp_path, "--report", wrong), cwd=PACKAGE, capture_output=True, text=True)
        assert done.returncode == 1 and words in done.stderr
    assert card.read_text() == before
