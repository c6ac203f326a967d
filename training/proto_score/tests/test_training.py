import json
import math
import os
import signal
import subprocess
import time

import torch
import yaml

from commands import PACKAGE, command, run


def test_each_batch_holds_both_images_of_its_pairs(pairs):
    from proto_score.pairs import image_rows, read_pairs

    rows = image_rows(pairs, read_pairs(pairs), seed=3)
    assert [row["side"] for row in rows] == ["correct", "adversarial"] * 8
    assert [row["pair"] for row in rows][::2] == [row["pair"] for row in rows][1::2]
    assert sorted(set(row["pair"] for row in rows)) == list(range(8))
    assert [row["pair"] for row in image_rows(pairs, read_pairs(pairs), seed=4)] != [row["pair"] for row in rows]


def test_the_loss_is_finite_and_rewards_are_those_of_the_table(trained, pairs):
    report = json.loads((trained / "training.json").read_text())
    assert report["steps"] == 3 and report["pairs"] == 8
    assert all(math.isfinite(entry["loss"]) for entry in report["history"])
    # Between the least (unreadable) and the most (format, order and margin).
    assert all(-1 <= entry["reward"] <= 1.35 for entry in report["history"])


def test_the_adapter_is_saved_loaded_and_changes_the_model(merged, config):
    from transformers import AutoModelForImageTextToText

    base = yaml.safe_load(config.read_text())["model"]
    before, after = (AutoModelForImageTextToText.from_pretrained(folder) for folder in [base, merged])
    moved = [name for (name, one), (_, two) in zip(before.named_parameters(), after.named_parameters()) if not torch.equal(one, two)]
    assert moved and all("q_proj" in name or "v_proj" in name for name in moved)
    card = (merged / "README.md").read_text()
    assert "ranking: 1" in card and "8 pairs" in card
    assert card.endswith("--calibration calibration.json\n")


def test_goes_on_after_a_kill(config, pairs, tmp_path):
    words = ("train", pairs, "--out", tmp_path, "--config", config, "--steps", 6)
    process = subprocess.Popen(command(*words), cwd=PACKAGE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Killed as soon as the second checkpoint is whole.
    while not (tmp_path / "checkpoint-2/trainer_state.json").exists():
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert not (tmp_path / "training.json").exists()
    run(*words, "--resume")
    report = json.loads((tmp_path / "training.json").read_text())
    assert report["steps"] == 6
    assert len(report["history"]) == 6


def test_triplets_alone_are_an_option_that_is_named(config, pairs, tmp_path):
    run("train", pairs, "--out", tmp_path, "--config", config, "--steps", 1, "--paper")
    assert json.loads((tmp_path / "training.json").read_text())["kinds"] == ["contrastive"]
    run("merge", tmp_path, "--into", tmp_path / "merged")
    assert "it preferred what is atypical" in (tmp_path / "merged/README.md").read_text()


def test_a_dry_run_says_hours_and_memory_and_loads_nothing(pairs, tmp_path):
    said = run("train", pairs, "--out", tmp_path / "none", "--dry-run")
    assert "GiB  in all" in said and " h on one H100" in said
    assert not (tmp_path / "none").exists()


def test_a_wrong_config_is_refused_by_name(config, pairs, tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(yaml.safe_dump(yaml.safe_load(config.read_text()) | {"samples": "many"}))
    done = subprocess.run(command("train", pairs, "--out", tmp_path, "--config", wrong), cwd=PACKAGE, capture_output=True, text=True)
    assert done.returncode == 1 and "for samples but received 'many'" in done.stderr
