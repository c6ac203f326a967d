"""Puts the adapter into the model, and writes what a reader must know beside it."""

import json
from pathlib import Path

from peft import PeftModel

from proto_score.evaluation import section, table
from proto_score.settings import reward_constants
from proto_score.train import load

CARD = """---
base_model: {model}
library_name: transformers
pipeline_tag: image-text-to-text
---

# ProtoScore

A metric of text-to-image alignment, trained from {model} by GRPO ({form}) on pairs of images, so that
it does not prefer the typical image to the right one. It answers with one digit; the score is the expected digit over 9.

Trained on {pairs} pairs ({kinds}), {steps} steps. {warning}

    vllm serve THIS_FOLDER --served-model-name proto-score
    touchstone score RUN --metric proto-score --model openai-compatible:proto-score

## Reward

{reward}

## Config

{config}

{evaluation}
Triplets alone say nothing: a metric that scores everything atypical high would win this reward. `proto-score evaluate`
puts measured figures into this table.
"""
PAPERS = (
    "These are the paper's pairs, triplets alone: in the lab a metric trained so failed most reversed "
    "conflicts, that is, it preferred what is atypical."
)


def merge(out, into):
    report = json.loads((Path(out) / "training.json").read_text())
    config, kinds, sampled = (report[name] for name in ["config", "kinds", "sampled"])
    model, processor = load(config)
    PeftModel.from_pretrained(model, str(Path(out) / "adapter")).merge_and_unload().save_pretrained(into)
    processor.save_pretrained(into)
    lines = lambda values: "\n".join(f"- {name}: {value}" for name, value in values.items())
    card = CARD.format(
        model=config["model"], form=f"{sampled} samples an image" if sampled else "in closed form",
        pairs=report["pairs"], steps=report["steps"], kinds=", ".join(kinds or ["all kinds"]),
        warning=PAPERS if kinds == ["contrastive"] else "",
        reward=lines(reward_constants()), config=lines(config), evaluation=section(table()),
    )
    (Path(into) / "README.md").write_text(card)
