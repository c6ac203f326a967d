import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory):
    import tiny

    return tiny.make(tmp_path_factory.mktemp("tiny"))


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
