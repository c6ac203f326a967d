"""The config, the reward's constants and the words of the question: one place each, all checked."""

from pathlib import Path

import yaml

ROOT = Path(__file__).parents[3]
MEMBERS = {
    "model": str, "maxPixels": int, "lora": dict, "pairsPerStep": int, "samples": int, "imagesAtOnce": int,
    "epochs": (int, float), "learningRate": float, "kl": float, "clip": float, "temperature": float,
    "saveEvery": int, "seed": int, "precision": str,
}


def load_config(path):
    config = yaml.safe_load(Path(path).read_text())
    unknown, lacking = set(config) - set(MEMBERS), set(MEMBERS) - set(config)
    if unknown or lacking:
        raise SystemExit(f"Expected the members {', '.join(MEMBERS)} but received {', '.join(config)} (in {path})")
    for name, kind in MEMBERS.items():
        if not isinstance(config[name], kind):
            raise SystemExit(f"Expected {kind} for {name} but received {config[name]!r} (in {path})")
    if config["pairsPerStep"] * 2 % config["imagesAtOnce"]:
        raise SystemExit(f"Expected a divisor of {config['pairsPerStep'] * 2} for imagesAtOnce but received {config['imagesAtOnce']} (in {path})")
    if config["samples"] < 2:
        raise SystemExit(f"Expected at least 2 for samples but received {config['samples']} (in {path})")
    return config


def reward_constants():
    return yaml.safe_load((ROOT / "data/proto-score/reward.yaml").read_text())


def messages(text, image):
    """The question as the metric proto-score puts it."""
    words = yaml.safe_load((ROOT / "data/metrics/proto-score.yaml").read_text())
    asked = f"{words['question'].replace('{text}', text)}\n{words['answer']}"
    return [
        {"role": "system", "content": [{"type": "text", "text": words["instruction"]}]},
        {"role": "user", "content": [{"type": "image", "image": image}, {"type": "text", "text": asked}]},
    ]
