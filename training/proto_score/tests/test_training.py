import json
import math
import signal
import subprocess

import pytest
import torch
import yaml

from commands import PACKAGE, command, run
from proto_score.pairs import read_pairs, steps_of
from proto_score.settings import load_config


@pytest.fixture()
def training(config, pairs, tmp_path):
    from proto_score.train import Training, load

    given = load_config(config)
    made = Training(given, *load(given), pairs, read_pairs(pairs), tmp_path)
    list(made.embed())
    # An adapter begins at nothing, where half of the gradient is 0.
    torch.manual_seed(0)
    for one in made.trained:
        one.data.normal_(0, 0.3)
    return made


def test_each_epoch_has_an_order_of_its_own(pairs, config):
    given, rows = load_config(config) | {"epochs": 2}, read_pairs(pairs)
    steps = steps_of(rows, given)
    ids = [[row["id"] for step in epoch for row in step] for epoch in [steps[:4], steps[4:]]]
    assert sorted(ids[0]) == sorted(ids[1]) == [str(number) for number in range(8)]
    assert ids[0] != ids[1] and steps == steps_of(rows, given) and steps[:3] == steps_of(rows, given, 3)
    assert len(steps_of(rows, given | {"epochs": 1.5})) == 6
    with pytest.raises(SystemExit, match="at least 9 pairs"):
        steps_of(rows, given | {"pairsPerStep": 9, "epochs": 1})


def test_an_answer_by_kept_embeddings_is_that_of_the_whole_model(training, pairs):
    from PIL import Image

    from proto_score.settings import messages

    rows = training.steps[0]
    said, images = [], []
    for row in rows:
        for side in ["correct", "adversarial"]:
            said.append(training.processor.apply_chat_template(messages(row["prompt"]), add_generation_prompt=True, tokenize=False))
            images.append(Image.open(pairs / row[side]).convert("RGB"))
    with torch.no_grad():
        whole = training.answers(training.processor(text=said, images=images, padding=True, padding_side="left", return_tensors="pt"))
        kept = training.answers(training.inputs_of(rows))
    torch.testing.assert_close(kept, whole, atol=1e-4, rtol=0)
    assert len({str(one.tolist()) for one in whole}) == 4


def gradient(training, rows):
    loss, _, _ = training.loss(rows)
    return torch.cat([one.flatten() for one in torch.autograd.grad(loss, training.trained)])


def test_the_gradient_is_the_mean_of_ten_thousand_samples(training):
    rows = training.steps[0]
    exact = gradient(training, rows)
    torch.manual_seed(0)
    training.sampled = 500
    sampled = torch.stack([gradient(training, rows) for _ in range(20)])
    error = sampled.std(0) / 20**0.5
    away = (sampled.mean(0) - exact)[error > 0] / error[error > 0]
    # As far away as a mean of twenty is from what it is the mean of: (19 / 17) ** .5 in the mean square.
    assert 0.5 < away.square().mean().sqrt() < 2
    assert (sampled.mean(0) - exact).norm() < 0.05 * exact.norm()


def test_the_loss_is_finite_and_rewards_are_those_of_the_table(trained, pairs):
    report = json.loads((trained / "training.json").read_text())
    assert report["steps"] == 3 and report["pairs"] == 6
    assert all(math.isfinite(entry["loss"]) and entry["kl"] >= 0 for entry in report["history"])
    # Between the least (unreadable) and the most (format, order and margin).
    assert all(-1 <= entry["reward"] <= 1.35 for entry in report["history"])


def test_some_steps_raise_the_expected_reward(training):
    rows = training.steps[0]
    before = training.loss(rows)[1]
    for _ in range(3):
        training.step(0)
    assert training.loss(rows)[1] > before


def test_the_adapter_is_saved_loaded_and_changes_the_model(merged, config):
    from transformers import AutoModelForImageTextToText

    base = yaml.safe_load(config.read_text())["model"]
    before, after = (AutoModelForImageTextToText.from_pretrained(folder) for folder in [base, merged])
    moved = [name for (name, one), (_, two) in zip(before.named_parameters(), after.named_parameters()) if not torch.equal(one, two)]
    assert moved and all("q_proj" in name or "v_proj" in name for name in moved)
    card = (merged / "README.md").read_text()
    assert "ranking: 1" in card and "6 pairs" in card and "in closed form" in card
    assert card.count("|  | not measured |") == 5


def test_a_killed_training_ends_with_the_same_adapter_byte_for_byte(config, pairs, tmp_path):
    given = tmp_path / "config.yaml"
    dropout = yaml.safe_load(config.read_text())
    dropout["lora"]["dropout"] = 0.3
    given.write_text(yaml.safe_dump(dropout | {"epochs": 5}))
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    words = lambda out: ("train", pairs, "--out", out, "--config", given, "--steps", 12)
    run(*words(whole))
    process = subprocess.Popen(command(*words(killed)), cwd=PACKAGE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in process.stdout:
        if line.startswith("step 3"):
            process.kill()
            break
    assert process.wait() == -signal.SIGKILL and not (killed / "training.json").exists()
    # As if killed while the embeddings were made: those of a broken off batch are made again.
    kept = sorted((killed / "embeddings").iterdir())
    for file in kept[::3]:
        file.unlink()
    said = run(*words(killed), "--resume")
    assert "step 1 of" not in said and "step 12 of 12" in said
    assert [file.read_bytes() for file in sorted((killed / "embeddings").iterdir())] == [file.read_bytes() for file in sorted((whole / "embeddings").iterdir())]
    name = "adapter/adapter_model.safetensors"
    assert (killed / name).read_bytes() == (whole / name).read_bytes()
    assert json.loads((killed / "training.json").read_text()) == json.loads((whole / "training.json").read_text())
    # What was begun otherwise is not gone on with.
    done = subprocess.run(command(*words(killed), "--resume", "--sampled", 8), cwd=PACKAGE, capture_output=True, text=True)
    assert done.returncode == 1 and "other sampled" in done.stderr


def test_triplets_alone_are_an_option_that_is_named(config, pairs, tmp_path):
    run("train", pairs, "--out", tmp_path, "--config", config, "--steps", 1, "--paper", "--sampled", 8)
    assert json.loads((tmp_path / "training.json").read_text())["kinds"] == ["contrastive"]
    run("merge", tmp_path, "--into", tmp_path / "merged")
    card = (tmp_path / "merged/README.md").read_text()
    assert "it preferred what is atypical" in card and "8 samples an image" in card


def test_a_dry_run_forecasts_from_a_measurement_and_from_nothing_else(pairs, tmp_path):
    words = ("train", pairs, "--out", tmp_path / "none", "--dry-run")
    said = run(*words)
    # One step of .84 s, 16 images of 45 ms.
    assert "1 steps of 8 pairs, 16 images" in said and "26.5 GiB" in said and "one NVIDIA H200" in said
    config = tmp_path / "config.yaml"
    config.write_text(yaml.safe_dump(load_config(PACKAGE / "config.yaml") | {"pairsAtOnce": 1}))
    assert "Nothing was measured with" in run(*words, "--config", config)
    assert not (tmp_path / "none").exists()


def test_a_tiny_model_is_measured_and_no_other_forecast_from_it(config, pairs, tmp_path):
    out = tmp_path / "measured.json"
    said = run("measure", "--model", "tiny", "--out", out, "--seconds", 1)
    assert "step 1: " in said and "are the eye's" in said
    found = json.loads(out.read_text())
    assert found["model"] == "tiny" and found["secondsAStep"] > 0 and found["secondsAnImage"] > 0
    assert "Nothing was measured with" in run("train", pairs, "--out", tmp_path / "none", "--dry-run", "--measured", out)


def test_a_wrong_config_is_refused_by_name(config, pairs, tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(yaml.safe_dump(yaml.safe_load(config.read_text()) | {"pairsAtOnce": "many"}))
    done = subprocess.run(command("train", pairs, "--out", tmp_path, "--config", wrong), cwd=PACKAGE, capture_output=True, text=True)
    assert done.returncode == 1 and "for pairsAtOnce but received 'many'" in done.stderr
