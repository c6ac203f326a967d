"""The lab, which has a wheel of its own beside the tool's."""

import json

from conftest import touchstone


def test_the_lab_paints_and_judges(tmp_path):
    touchstone("build", "--run", "run", "--prompts", "2", "--domain", "animals", "--drawable-by", "lab:painter", cwd=tmp_path)
    touchstone("generate", "--run", "run", "--model", "lab:painter", "--samples", "1", cwd=tmp_path)
    said = json.loads(touchstone("score", "run", "--metric", "vqa-score", "--model", "lab:vqa", "--no-sanity", "--json", cwd=tmp_path))
    assert [(step["done"], step["unscored"]) for step in said["steps"]][-1] == (8, {})
