"""The config, the reward's constants and the words of the question: one place each, all checked."""

from pathlib import Path

import yaml

ROOT = Path(__file__).parents[3]
NUMBER = (int, float)
MEMBERS = {
    "model": str, "maxPixels": int, "lora": dict, "pairsPerStep": int, "pairsAtOnce": int, "epochs": NUMBER,
    "learningRate": NUMBER, "kl": NUMBER, "saveEvery": int, "seed": int, "precision": str,
}


def load_config(path):
    config = yaml.safe_load(Path(path).read_text())
    unknown, lacking = set(config) - set(MEMBERS), set(MEMBERS) - set(config)
    if unknown or lacking:
        raise SystemExit(f"Expected the members {', '.join(MEMBERS)} but received {', '.join(config)} (in {path})")
    for name, kind in MEMBERS.items():
        if not isinstance(config[name], kind):
            expected = "a number such as 1.0e-5" if kind == NUMBER else kind.__name__
            raise SystemExit(f"Expected {expected} for {name} but received {config[name]!r} (in {path})")
    if config["precision"] not in ["bf16", "fp32"]:
        raise SystemExit(f"Expected bf16 or fp32 for precision but received {config['precision']} (in {path})")
    for name in ["pairsPerStep", "pairsAtOnce", "saveEvery"]:
        if config[name] < 1:
            raise SystemExit(f"Expected at least 1 for {name} but received {config[name]} (in {path})")
    return config


def reward_constants():
    return yaml.safe_load((ROOT / "data/proto-score/reward.yaml").read_text())


def messages(text):
    """The question as the metric proto-score puts it, an image before its text."""
    words = yaml.safe_load((ROOT / "data/metrics/proto-score.yaml").read_text())
    asked = f"{words['question'].replace('{text}', text)}\n{words['answer']}"
    return [
        {"role": "system", "content": [{"type": "text", "text": words["instruction"]}]},
        {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": asked}]},
    ]
