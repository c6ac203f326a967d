import os
import sys
from pathlib import Path

import pytest
import yaml

# A tiny model is slower with threads.
os.environ["OMP_NUM_THREADS"] = "1"
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from commands import PACKAGE, run

TINY = {
    "lora": {"rank": 4, "alpha": 8, "dropout": 0.0, "targets": ["q_proj", "v_proj"]}, "maxPixels": 12544,
    "pairsPerStep": 2, "pairsAtOnce": 1, "learningRate": 0.01, "saveEvery": 1,
    "precision": "fp32",
}


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory):
    from proto_score.random_model import random_model, random_processor

    folder, processor = tmp_path_factory.mktemp("tiny"), random_processor()
    for saved in [processor, random_model("tiny", processor)]:
        saved.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def pairs(tmp_path_factory):
    """Eight pairs as touchstone export pairs writes them: red pictures show the text, blue ones do not."""
    import json

    from PIL import Image

    folder = tmp_path_factory.mktemp("pairs")
    (folder / "images").mkdir()
    rows = []
    for number in range(8):
        names = {}
        for side, colour in [("correct", (200 + number, 20, 20)), ("adversarial", (20, 20, 200 + number))]:
            names[side] = f"images/{side}-{number}.png"
            Image.new("RGB", (84, 84), colour).save(folder / names[side])
        kind = "contrastive" if number % 2 == 0 else "reversed"
        rows.append({"id": str(number), "kind": kind, "prompt": f"picture {number} is red", **names})
    (folder / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "export.json").write_text("{}")
    return folder


@pytest.fixture(scope="session")
def config(tiny_model, tmp_path_factory):
    given = yaml.safe_load((PACKAGE / "config.yaml").read_text())
    path = tmp_path_factory.mktemp("config") / "config.yaml"
    path.write_text(yaml.safe_dump(given | TINY | {"model": str(tiny_model)}))
    return path


@pytest.fixture(scope="session")
def trained(config, pairs, tmp_path_factory):
    out = tmp_path_factory.mktemp("trained")
    run("train", pairs, "--out", out, "--config", config, "--steps", 3)
    return out


@pytest.fixture(scope="session")
def merged(trained, tmp_path_factory):
    into = tmp_path_factory.mktemp("merged")
    run("merge", trained, "--into", into)
    return into
