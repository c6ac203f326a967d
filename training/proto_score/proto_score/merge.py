"""Puts the adapter into the model, and writes what a reader must know beside it."""

import json
from pathlib import Path

from peft import PeftModel

from proto_score.evaluation import HEADING, NOT_MEASURED
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

{evaluation}"""
PAPERS = (
    "These are the paper's pairs, triplets alone: in the lab a metric trained so failed most reversed "
    "conflicts, that is, it preferred what is atypical."
)


def merge(out, into):
    report = json.loads((Path(out) / "training.json").read_text())
    config = report["config"]
    model, processor = load(config)
    merged = PeftModel.from_pretrained(model, str(Path(out) / "adapter")).merge_and_unload()
    merged.save_pretrained(into)
    processor.save_pretrained(into)
    kinds = report["kinds"]
    lines = lambda values: "\n".join(f"- {name}: {value}" for name, value in values.items())
    (Path(into) / "README.md").write_text(
        CARD.format(
            model=config["model"], form=f"{report['sampled']} samples an image" if report["sampled"] else "in closed form", pairs=report["pairs"], kinds=", ".join(kinds) if kinds else "all kinds",
            steps=report["steps"], warning=PAPERS if kinds == ["contrastive"] else "",
            reward=lines(reward_constants()), config=lines(config), evaluation=NOT_MEASURED.format(heading=HEADING),
        )
    )
