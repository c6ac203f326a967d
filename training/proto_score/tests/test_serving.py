import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOUCHSTONE = Path(__file__).parents[3] / "bin/touchstone"
SERVER = Path(__file__).parent / "openai_server.py"


@pytest.fixture()
def served(merged):
    process = subprocess.Popen([sys.executable, str(SERVER), str(merged)], stdout=subprocess.PIPE, text=True)
    address = process.stdout.readline().strip()
    yield address
    process.kill()
    process.wait()


def test_the_merged_model_is_served_and_scores(served, pairs, tmp_path):
    rows = [json.loads(line) for line in (pairs / "pairs.jsonl").read_text().splitlines()][:2]
    images = tmp_path / "images"
    images.mkdir()
    lines = []
    for row in rows:
        for side in ["correct", "adversarial"]:
            name = Path(row[side]).name
            shutil.copy(pairs / row[side], images / name)
            lines.append(json.dumps({"file_name": name, "text": row["prompt"]}))
    (images / "metadata.jsonl").write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        ["node", str(TOUCHSTONE), "score", str(images), "--metric", "proto-score", "--model",
         "openai-compatible:tiny", "--no-cache", "--out", str(tmp_path / "scores.jsonl")],
        capture_output=True, text=True, cwd=tmp_path,
        env=os.environ | {"OPENAI_BASE_URL": served, "OPENAI_API_KEY": "none"},
    )
    assert done.returncode == 0, done.stderr
    scores = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text().splitlines()]
    assert len(scores) == 4
    for row in scores:
        assert row["metric"] == "proto-score" and row["status"] == "scored" and 0 <= row["value"] <= 1, row
