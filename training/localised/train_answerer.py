"""Trains the half of lab:vqa that reads, over its frozen eyes, on what L-VQAScore shows, and packs it.

    python3 training/localised/train_answerer.py --data DIR --dev DIR --cache DIR --out DIR
      [--variants NAME,NAME] [--seeds N,N] [--steps N] [--threads N]

DIRs of --data and --dev are those of looks.mjs, the rest stands in design.yaml. Writes OUT/<variant>-<seed>/, a
folder as weights/ has them; what is there is not made again. What the eyes make of the pictures is kept in --cache.
"""

import argparse
import json
import math
import shutil
import sys
import time
from pathlib import Path

import numpy as np
import torch
import yaml
from onnxruntime import InferenceSession, SessionOptions
from torch.nn import functional as F

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent)]
from export import export, write
from networks import Answerer
from unpack import packed_weights

WEIGHTS = HERE.parents[1] / "packages/lab/weights"
MOST_DIFFERENCE = 0.01


def session(path):
    options = SessionOptions()
    options.intra_op_num_threads = 1
    return InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


class Looks:
    """Scenes by every strategy, as the frozen eyes see them: features [scenes, strategies, width, cells, cells]."""

    def __init__(self, folder, cache, start):
        folder = Path(folder)
        self.layout = json.loads((folder / "data.json").read_text())
        self.strategies, asked = self.layout["strategies"], self.layout["questionsPerScene"]
        read = lambda name, kind, *shape: np.fromfile(folder / name, kind).reshape(-1, *shape)
        self.questions = torch.from_numpy(read("questions.u16", np.uint16, asked, self.layout["questionTokens"]).astype(np.int64))
        self.answers = torch.from_numpy(read("answers.u8", np.uint8, asked)).float()
        self.things = read("things.u8", np.uint8)
        self.features = self._look(folder, Path(cache), start)

    def _look(self, folder, cache, start):
        eyes = session(WEIGHTS / start / "onnx/vision_model.onnx")
        (seen,), (said,) = eyes.get_inputs(), eyes.get_outputs()
        shape, pictures = said.shape[1:], len(self.answers) * len(self.strategies)
        path = cache / f"{start}-{self.layout['seed']}-{self.layout['scenes']}.f16"
        if not path.exists():
            side = self.layout["side"]
            pixels = np.memmap(folder / "pixels.u8", np.uint8, "r").reshape(pictures, side, side, 3)
            cache.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(".part")
            with open(part, "wb") as file:
                for one in pixels:
                    shown = one.transpose(2, 0, 1)[None].astype(np.float32) / np.float32(127.5) - 1
                    file.write(eyes.run(None, {seen.name: shown})[0].astype(np.float16).tobytes())
            part.rename(path)
        return np.memmap(path, np.float16, "r").reshape(len(self.answers), len(self.strategies), *shape)

    def seen(self, scenes, strategies):
        return torch.from_numpy(self.features[scenes, strategies].astype(np.float32))


def answerer_of(start):
    report = json.loads((WEIGHTS / start / "training.json").read_text())
    words = json.loads((WEIGHTS / start / "tokenizer.json").read_text())["model"]["vocab"]
    settings = report["settings"]
    network = Answerer(len(words), settings["width"], settings["questionTokens"], settings["layers"], settings["cells"])
    network.load_state_dict(packed_weights(WEIGHTS / start / "onnx/answer_model.onnx"))
    return network


@torch.no_grad()
def logits_of(network, looks, strategy):
    network.eval()
    rows = np.arange(len(looks.answers))
    said = [
        network.answer(network.understand_each(looks.seen(part, strategy), looks.questions[part]))
        for part in np.array_split(rows, len(rows) // 50 + 1)
    ]
    network.train()
    return torch.cat(said).reshape(looks.answers.shape)


def measured(network, looks):
    """By strategy the share of right answers about things and about garments, and the mean negative log-likelihood."""
    found = {}
    things = torch.from_numpy(looks.things == 1)
    for at, name in enumerate(looks.strategies):
        logits = logits_of(network, looks, at)
        right = ((logits >= 0) == (looks.answers == 1)).float()
        found[name] = {
            "things": round(right[things].mean().item(), 4),
            "garments": round(right[~things].mean().item(), 4),
            "nll": round(F.binary_cross_entropy_with_logits(logits, looks.answers).item(), 4),
        }
    return found


def train(network, looks, strategies, settings, seed):
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    allowed = np.array([looks.strategies.index(name) for name in strategies])
    optimiser = torch.optim.AdamW(network.parameters(), lr=settings["rate"], weight_decay=settings["decay"])
    # Numbers of 16 bits where the processor multiplies them.
    half = "avx512_bf16" in Path("/proc/cpuinfo").read_text()
    network.train()
    for step in range(settings["steps"]):
        rate = min(1, (step + 1) / settings["warmUp"]) * (0.01 + 0.99 * (1 + math.cos(math.pi * step / settings["steps"])) / 2)
        for group in optimiser.param_groups:
            group["lr"] = settings["rate"] * rate
        scenes = np.sort(random.integers(len(looks.answers), size=settings["batch"]))
        asked = random.permutation(looks.answers.shape[1])[: settings["asked"]]
        with torch.autocast("cpu", torch.bfloat16, half):
            features = looks.seen(scenes, random.choice(allowed, len(scenes)))
            said = network.answer(network.understand_each(features, looks.questions[scenes][:, asked]))
        loss = F.binary_cross_entropy_with_logits(said.float().flatten(), looks.answers[scenes][:, asked].flatten())
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        if step % 100 == 99:
            print(f"  step {step + 1} loss {loss.item():.4f}", flush=True)


def pack(network, looks, start, report, folder):
    """Writes the folder; the packed half and the network are asked the same of 32 scenes."""
    part = folder.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    shutil.copytree(WEIGHTS / start, part)
    ids, features = torch.ones(2, 12, dtype=torch.long), looks.seen([0], [0])
    export(network, (features, ids), part / "onnx/answer_model.onnx", ["features", "input_ids"], "logits",
           {"input_ids": {0: "texts", 1: "input_ids_length"}, "logits": {0: "texts"}})
    packed, greatest = session(part / "onnx/answer_model.onnx"), 0
    for scene in range(32):
        features, ids = looks.seen([scene], [scene % len(looks.strategies)]), looks.questions[scene]
        with torch.no_grad():
            trained = torch.sigmoid(network(features, ids)).numpy()
        said = packed.run(None, {"features": features.numpy(), "input_ids": ids.numpy()})[0]
        greatest = max(greatest, float(abs(trained - 1 / (1 + np.exp(-said))).max()))
    if not greatest < MOST_DIFFERENCE:
        raise SystemExit(f"{folder.name}: probabilities differ by {greatest:.2g}")
    write(part, "training.json", report)
    part.rename(folder)


def main():
    parser = argparse.ArgumentParser()
    for name in ["data", "dev", "cache", "out"]:
        parser.add_argument(f"--{name}", required=True)
    for name in ["variants", "seeds"]:
        parser.add_argument(f"--{name}")
    parser.add_argument("--steps", type=int)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    design = yaml.safe_load((HERE / "design.yaml").read_text())
    settings = design["training"] | ({"steps": given.steps} if given.steps else {})
    looks, dev = (Looks(folder, given.cache, design["start"]) for folder in [given.data, given.dev])
    brief = lambda found: {name: list(one.values()) for name, one in found.items()}
    print(design["start"], brief(measured(answerer_of(design["start"]), dev)), flush=True)
    out = Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    for seed in map(int, given.seeds.split(",")) if given.seeds else design["seeds"]:
        for variant in given.variants.split(",") if given.variants else design["variants"]:
            folder = out / f"{variant}-{seed}"
            if folder.exists():
                continue
            start, network = time.time(), answerer_of(design["start"])
            train(network, looks, design["variants"][variant], settings, seed)
            found = measured(network, dev)
            report = {
                "model": folder.name, "start": design["start"], "seed": seed, "settings": settings,
                "strategies": design["variants"][variant], "data": looks.layout, "torch": str(torch.__version__),
                "minutes": round((time.time() - start) / 60, 1), "development": found,
            }
            pack(network, dev, design["start"], report, folder)
            print(folder.name, report["minutes"], brief(found), flush=True)


if __name__ == "__main__":
    main()
