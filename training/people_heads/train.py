"""Trains a head over frozen eyes that says which signs a person shows.

    python3 training/people_heads/train.py packages/lab/weights/vqa --as vqa-people --data DIR ... --dev DIR
      --cache DIR --out DIR [--seed N] [--threads N] [--steps N]

Grids are those of features.py, signs those that make-data.mjs wrote of each scene. Every two minutes all
is written to DIR/<name>.part, from which the same command goes on; DIR/<name>.pt is the end.
"""

import argparse
import hashlib
import json
import math
import os
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from heads import SignHead, Signed

SETTINGS = {"hidden": 96, "batch": 64, "rate": 0.003, "warmUp": 50, "decay": 0.01, "steps": 1500}
KEPT_EVERY = 120


@torch.no_grad()
def measured(head, data):
    """By sign how often it is told where it is, and not told where it is not, and the scenes it is in."""
    head.eval()
    said = torch.cat([head(data.features(rows)) for rows in np.array_split(data.rows, len(data.rows) // 50 + 1)])
    head.train()
    truth = data.signs[data.rows] > 0
    right = (said > 0) == truth
    shares = {
        name: {
            "shown": int(truth[:, at].sum()),
            "told": round(right[:, at][truth[:, at]].float().mean().item(), 3) if truth[:, at].any() else None,
            "falselyTold": round((~right[:, at][~truth[:, at]]).float().mean().item(), 4),
        }
        for at, name in enumerate(data.layout["signs"])
    }
    return {
        "scenes": len(right), "loss": round(F.binary_cross_entropy_with_logits(said, truth.float()).item(), 5),
        "shownAndTold": round(right[truth].float().mean().item(), 4),
        "allRight": round(right.all(1).float().mean().item(), 4), "signs": shares,
    }


def brief(found):
    return {name: found[name] for name in ["loss", "shownAndTold", "allRight"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--as", dest="name", required=True)
    parser.add_argument("--data", nargs="+", required=True)
    parser.add_argument("--dev", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=SETTINGS["steps"])
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    settings = SETTINGS | {"seed": arguments.seed, "steps": arguments.steps}
    data = Signed(arguments.data, arguments.cache, arguments.folder)
    dev = Signed([arguments.dev], arguments.cache, arguments.folder)
    head = SignHead(settings["hidden"], len(data.layout["signs"]))
    optimiser = torch.optim.AdamW(head.parameters(), lr=settings["rate"], weight_decay=settings["decay"])
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    part = out / f"{arguments.name}.part"
    # Numbers of 16 bits where the processor multiplies them.
    half = "avx512_bf16" in Path("/proc/cpuinfo").read_text()
    step, spent = 0, 0.0
    if part.exists():
        kept = torch.load(part)
        head.load_state_dict(kept["weights"])
        optimiser.load_state_dict(kept["optimiser"])
        torch.set_rng_state(kept["random"])
        step, spent = kept["step"], kept["seconds"]
    start, looked = time.time() - spent, spent
    for step in range(step, settings["steps"]):
        rate = min(1, (step + 1) / settings["warmUp"]) * (0.01 + 0.99 * (1 + math.cos(math.pi * step / settings["steps"])) / 2)
        for group in optimiser.param_groups:
            group["lr"] = settings["rate"] * rate
        rows = data.rows[torch.randint(len(data.rows), (settings["batch"],)).numpy()]
        with torch.autocast("cpu", torch.bfloat16, half):
            said = head(data.features(rows)).float()
        loss = F.binary_cross_entropy_with_logits(said, data.signs[rows], reduction="sum") / len(rows)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        spent = time.time() - start
        if spent - looked > KEPT_EVERY:
            looked = spent
            whole = {"weights": head.state_dict(), "optimiser": optimiser.state_dict(), "random": torch.get_rng_state(), "step": step + 1, "seconds": spent}
            torch.save(whole, part.with_suffix(".new"))
            os.replace(part.with_suffix(".new"), part)
            print(f"{arguments.name} step {step + 1} {spent:.0f} s loss {loss.item():.4f} {brief(measured(head, dev))}", flush=True)
    report = {
        "model": arguments.name, "settings": settings, "minutes": round(spent / 60, 1),
        "parameters": sum(each.numel() for each in head.parameters()),
        "eyes": Path(arguments.folder).name, "data": data.sources, "signs": data.layout["signs"],
        "dataHash": hashlib.sha256(data.signs[:1000].byte().numpy().tobytes()).hexdigest(),
        "torch": str(torch.__version__), "development": measured(head, dev),
    }
    torch.save({"weights": head.state_dict(), "report": report}, out / f"{arguments.name}.pt")
    print(brief(report["development"]), flush=True)


if __name__ == "__main__":
    main()
