"""Packs a head of train.py into packages/lab/weights/<name>/, in the layout of the lab's other models: the half of the
frozen trunk that looks, and the head, which says how sure each sign is.

    python3 training/people_heads/export.py DIR/vqa-people.pt --cache DIR --data DIR ... --dev DIR
      [--out weights]

First the head's doubts are put right on --data (balance.py). Numbers are stored in half precision. The packed model and the head are asked the same on 64 scenes of --dev;
where their probabilities differ by 0.01 it is an error.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

sys.path[:0] = [str(Path(__file__).parents[1])]
from balance import balance, measured
from export import export, write
from features import SHAPE, cached, eyes
from heads import SignHead, Signed

ROOT = Path(__file__).parents[2]
PARITY = 64


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint")
    parser.add_argument("--cache", required=True)
    parser.add_argument("--data", nargs="+", required=True)
    parser.add_argument("--dev", required=True)
    parser.add_argument("--out", default=str(ROOT / "packages/lab/weights"))
    given = parser.parse_args()
    saved = torch.load(given.checkpoint)
    report = saved["report"]
    head = SignHead(report["settings"]["hidden"], len(report["signs"]))
    head.load_state_dict(saved["weights"])
    shifts = balance(head, Signed(given.data, given.cache, report["eyes"]))
    report["balanced"] = {
        "shifts": dict(zip(report["signs"], (round(shift, 3) for shift in shifts))),
        "development": measured(head, Signed([given.dev], given.cache, report["eyes"])),
    }
    folder, source = Path(given.out) / report["model"], ROOT / "packages/lab/weights" / report["eyes"]
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(given.cache) / f"{report['eyes']}.onnx", folder / "onnx/vision_model.onnx")
    # One picture at a time, as the lab's models look.
    export(head, torch.zeros(1, *SHAPE), folder / "onnx/sign_model.onnx", ["features"], "logits", {})
    for name in ["tokenizer.json", "tokenizer_config.json", "preprocessor_config.json"]:
        shutil.copy(source / name, folder / name)
    config = json.loads((source / "config.json").read_text())
    write(folder, "config.json", config | {
        "model_type": "lab-sign-reader", "architectures": ["LabSignReader"], "signs": report["signs"],
    })
    write(folder, "training.json", report)
    grids = np.array(cached(given.cache, report["eyes"], given.dev)[:PARITY], np.float32)
    packed, greatest = eyes(folder / "onnx/sign_model.onnx"), 0
    head.eval()
    for grid in grids:
        said = nn.functional.sigmoid(head(torch.from_numpy(grid[None]))).detach().numpy()
        also = 1 / (1 + np.exp(-packed.run(None, {"features": grid[None]})[0]))
        greatest = max(greatest, float(abs(said - also).max()))
    if not greatest < 0.01:
        raise SystemExit(f"{report['model']}: probabilities differ by {greatest:.2g}")
    sizes = {path.name: path.stat().st_size for path in sorted((folder / "onnx").iterdir())}
    print(report["model"], sizes, f"parity {greatest:.2g}")


if __name__ == "__main__":
    main()
