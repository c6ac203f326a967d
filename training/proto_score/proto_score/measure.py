"""Seconds and memory, measured where it runs: with random weights of the model's shape and random images, nothing is
downloaded. `proto-score train --dry-run` forecasts from what was measured, and from nothing else."""

import json
import platform
import resource
import tempfile
import time
from pathlib import Path

from proto_score.pairs import SIDES
from proto_score.settings import read

MEASURED = Path(__file__).parents[1] / "measured.yaml"
# What must be the same for a measurement to hold.
SAME = ["model", "maxPixels", "pairsPerStep", "pairsAtOnce", "precision"]


def dry_run(config, steps, path=None):
    """What a training takes by a measurement, or that it was of other settings."""
    measured = read(path or MEASURED)
    if any(config[name] != measured[name] for name in SAME):
        settings = ", ".join(f"{name} {config[name]}" for name in SAME)
        return f"{len(steps):,} steps. Nothing was measured with {settings}: gpu.sh measures it, and --measured FILE takes what it found."
    return forecast(measured, len(steps), len({row[side] for step in steps for row in step for side in SIDES}))


def forecast(measured, steps, images):
    look, learn = images * measured["secondsAnImage"], steps * measured["secondsAStep"]
    return f"""{steps:,} steps of {measured['pairsPerStep']} pairs, {images:,} images to look at once
  {(look + learn) / 60:6.0f} min    {learn / steps:.2f} s a step and {1000 * look / images:.1f} ms an image: {look / (look + learn):.0%} are the eye's
  {measured['gib']:6.1f} GiB    of memory at most
  {images * measured['mibAnImage'] / 1024:6.1f} GiB    of disk for what was seen in the images, while training
Measured on {measured['device']}, {measured['says']}."""


def measure(config, model, out, seconds):
    """Prints as it goes, ends within `seconds`, and writes to `out` what it found."""
    begun = time.monotonic()
    say = lambda text: print(f"{time.monotonic() - begun:5.0f} s  {text}", flush=True)
    say("loading torch and transformers")
    import torch
    from PIL import Image

    from proto_score.random_model import SHAPES, random_model, random_processor
    from proto_score.train import DEVICE, PRECISIONS, Training, shrink_to

    cuda = DEVICE == "cuda"
    config = config | {"model": model or (config["model"] if cuda else "tiny")}
    if config["model"] == "tiny":
        config |= {"maxPixels": 12544, "precision": "fp32"}
    if config["model"] not in SHAPES:
        raise SystemExit(f"Expected a model of shapes.yaml ({', '.join(SHAPES)}) but received {config['model']}")
    device = torch.cuda.get_device_name() if cuda else f"a processor ({platform.processor() or platform.machine()}, {torch.get_num_threads()} threads)"
    say(f"{config['model']} with random weights, on {device}")
    processor = random_processor()
    shrink_to(processor, config["maxPixels"])
    torch.set_default_dtype(PRECISIONS[config["precision"]])
    with torch.device(DEVICE):
        model = random_model(config["model"], processor)
    torch.set_default_dtype(torch.float32)
    say(f"{sum(one.numel() for one in model.parameters()) / 1e9:.2f} billion parameters")
    wait = torch.cuda.synchronize if cuda else lambda: None
    looked, learned = [], []
    with tempfile.TemporaryDirectory() as folder:
        side, count = int(config["maxPixels"] ** 0.5), 2 * config["pairsPerStep"]
        rows = [{"prompt": f"A penguin is on beach {number}."} | {one: f"{number}-{one}.png" for one in SIDES} for number in range(count)]
        for name in (row[one] for row in rows for one in SIDES):
            Image.effect_noise((side, side), 90).convert("RGB").save(Path(folder) / name)
        training = Training(config | {"epochs": 1}, model, processor, folder, rows, Path(folder) / "seen")
        last = time.monotonic()
        for done, made in training.embed():
            wait()
            looked.append((time.monotonic() - last) / made)
            last = time.monotonic()
            say(f"embedded {done} images, {1000 * looked[-1]:.0f} ms an image")
        tokens = training.inputs_of(rows[:1])["input_ids"].shape[1]
        kept = [file.stat().st_size for file in (Path(folder) / "seen").iterdir()]
        # Twenty steps are enough; another has to fit.
        while len(learned) < 20 and (not learned or time.monotonic() - begun + 1.5 * max(learned) < seconds):
            last = time.monotonic()
            training.step(len(learned) % 2)
            wait()
            learned.append(time.monotonic() - last)
            say(f"step {len(learned)}: {learned[-1]:.2f} s")
    middle = lambda values: sorted(values[1:] or values)[len(values[1:] or values) // 2]
    found = {name: config[name] for name in SAME} | {
        "device": device, "says": f"random weights, {tokens} tokens an image with its text, torch {torch.__version__}, middle of {len(learned)} steps",
        "secondsAnImage": middle(looked), "secondsAStep": middle(learned), "mibAnImage": max(kept) / 2**20,
        "gib": torch.cuda.max_memory_allocated() / 2**30 if cuda else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }
    Path(out).write_text(json.dumps(found, indent=1))
    print(f"\n10,000 pairs, each image in one: {forecast(found, 10_000 // config['pairsPerStep'], 20_000)}")
    print(f"proto-score train --dry-run --measured {out} forecasts from it.")
