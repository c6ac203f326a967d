"""The config, the reward's constants and the words of the question: one place each, all checked."""

from pathlib import Path

import yaml

ROOT = Path(__file__).parents[3]
SHIPPED = Path(__file__).parents[1] / "config.yaml"


def read(path):
    return yaml.safe_load(Path(path).read_text())


def load_config(path):
    """Its members are those of the shipped one, and of their kinds."""
    config, shipped = read(path), read(SHIPPED)
    if set(config) != set(shipped):
        raise SystemExit(f"Expected the members {', '.join(shipped)} but received {', '.join(config)} (in {path})")
    for name, like in shipped.items():
        if not isinstance(config[name], (int, float) if isinstance(like, float) else type(like)):
            raise SystemExit(f"Expected a value such as {like} for {name} but received {config[name]!r} (in {path})")
    if config["precision"] not in ["bf16", "fp32"]:
        raise SystemExit(f"Expected bf16 or fp32 for precision but received {config['precision']} (in {path})")
    for name in ["pairsPerStep", "pairsAtOnce", "saveEvery"]:
        if config[name] < 1:
            raise SystemExit(f"Expected at least 1 for {name} but received {config[name]} (in {path})")
    return config


def reward_constants():
    return read(ROOT / "data/proto-score/reward.yaml")


def messages(text):
    """The question as the metric proto-score puts it, an image before its text."""
    words = read(ROOT / "data/metrics/proto-score.yaml")
    asked = f"{words['question'].replace('{text}', text)}\n{words['answer']}"
    return [
        {"role": "system", "content": [{"type": "text", "text": words["instruction"]}]},
        {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": asked}]},
    ]
