"""GRPO with LoRA on a vision-language model, both images of a pair in one batch."""

import json
from pathlib import Path

import torch
from peft import LoraConfig
from transformers import AutoModelForImageTextToText, AutoProcessor
from trl import GRPOConfig, GRPOTrainer

from proto_score.pairs import image_rows, read_pairs
from proto_score.rewards import sampled_rewards
from proto_score.settings import reward_constants


def reward_of(constants):
    def proto_score(completions, pair, side, **_):
        answers = [said[-1]["content"] if isinstance(said, list) else said for said in completions]
        return sampled_rewards(answers, pair, side, constants)

    return proto_score


def load(config, where=None):
    dtype = {"bf16": torch.bfloat16, "fp32": torch.float32}[config["precision"]]
    processor = AutoProcessor.from_pretrained(where or config["model"], padding_side="left")
    shrink_to(processor, config["maxPixels"])
    return AutoModelForImageTextToText.from_pretrained(where or config["model"], dtype=dtype), processor


def shrink_to(processor, most):
    size = processor.image_processor.size
    size["longest_edge"] = most
    size["shortest_edge"] = min(size["shortest_edge"], most)


def grpo_config(config, out, steps):
    images = config["pairsPerStep"] * 2
    at_once = config["imagesAtOnce"] * config["samples"]
    # One generation holds whole pairs, whatever goes through the network at once.
    return GRPOConfig(
        output_dir=str(out), per_device_train_batch_size=at_once,
        gradient_accumulation_steps=images // config["imagesAtOnce"],
        generation_batch_size=images * config["samples"], num_generations=config["samples"],
        max_completion_length=2, temperature=config["temperature"], beta=config["kl"], epsilon=config["clip"],
        scale_rewards="group", loss_type="grpo", shuffle_dataset=False, dataloader_drop_last=True,
        learning_rate=config["learningRate"], num_train_epochs=config["epochs"], max_steps=steps or -1,
        lr_scheduler_type="cosine", warmup_steps=0.05, logging_steps=1, save_steps=config["saveEvery"],
        save_total_limit=3, seed=config["seed"], bf16=config["precision"] == "bf16",
        gradient_checkpointing=config["precision"] == "bf16", use_cpu=not torch.cuda.is_available(),
        report_to=[], remove_unused_columns=False,
    )


def train(config, pairs, out, kinds=None, steps=None, resume=False):
    out = Path(out)
    rows = read_pairs(pairs, kinds)
    if not rows:
        raise SystemExit(f"Expected pairs of {', '.join(kinds or ['any kind'])} in {pairs} but it has none")
    model, processor = load(config)
    lora = config["lora"]
    trainer = GRPOTrainer(
        model=model, processing_class=processor, reward_funcs=reward_of(reward_constants()),
        args=grpo_config(config, out, steps), train_dataset=image_rows(pairs, rows, config["seed"]),
        peft_config=LoraConfig(
            r=lora["rank"], lora_alpha=lora["alpha"], lora_dropout=lora["dropout"],
            target_modules=lora["targets"], task_type="CAUSAL_LM",
        ),
    )
    checkpoints = sorted(out.glob("checkpoint-*"), key=lambda path: int(path.name.split("-")[1]))
    trainer.train(resume_from_checkpoint=str(checkpoints[-1]) if resume and checkpoints else None)
    trainer.save_model(str(out / "adapter"))
    processor.save_pretrained(out / "adapter")
    history = [entry for entry in trainer.state.log_history if "loss" in entry]
    (out / "training.json").write_text(
        json.dumps({"config": config, "pairs": len(rows), "kinds": kinds, "steps": trainer.state.global_step, "history": history}, indent=1)
    )
    return trainer


