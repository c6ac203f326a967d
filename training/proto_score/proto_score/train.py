"""GRPO in closed form with LoRA on a vision-language model. The answer is one token, so one forward pass gives the
chances of all ten digits and of anything else: the mean over samples is a sum over eleven outcomes, and nothing is
drawn. Both images of a pair go through the network together.

Left out, as none gains a tenth where it was counted: sharing the 53 tokens before the image (at most 9 % of a step's
tokens), sorting pairs by length (under 1 %), and one call of attention for all of the eye's windows of a size (1.2 to
1.6 times the processor time of a call each, at the 7B model's shape; not measured on a GPU)."""

import hashlib
import json
import math
import os
import time
from pathlib import Path

# What makes a training on a GPU repeat itself; cuBLAS reads it when it starts.
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
import torch
from peft import LoraConfig, get_peft_model
from torch.nn import functional as F
from transformers import AutoModelForImageTextToText, AutoProcessor
from transformers.modeling_outputs import BaseModelOutputWithPooling

from proto_score.images import Embeddings
from proto_score.pairs import SIDES, read_pairs, steps_of
from proto_score.rewards import group_relative
from proto_score.settings import messages, reward_constants

PRECISIONS = {"bf16": torch.bfloat16, "fp32": torch.float32}
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def load(config):
    processor = AutoProcessor.from_pretrained(config["model"], padding_side="left")
    shrink_to(processor, config["maxPixels"])
    return AutoModelForImageTextToText.from_pretrained(config["model"], dtype=PRECISIONS[config["precision"]]), processor


def shrink_to(processor, most):
    size = processor.image_processor.size
    size["longest_edge"] = most
    size["shortest_edge"] = min(size["shortest_edge"], most)


class Training:
    def __init__(self, config, model, processor, folder, rows, kept, most=None, sampled=None):
        torch.manual_seed(config["seed"])
        self.config, self.sampled, self.constants = config, sampled, reward_constants()
        self.processor, self.tokenizer = processor, processor.tokenizer
        self.steps = steps_of(rows, config, most)
        model = model.to(DEVICE).requires_grad_(False)
        self.images = Embeddings(model, processor, config, folder, kept)
        lora = config["lora"]
        # Layers of the eye, which is frozen, may be called as those of the language model are.
        targets = rf".*language_model.*\.({'|'.join(lora['targets'])})"
        self.model = get_peft_model(
            model, LoraConfig(r=lora["rank"], lora_alpha=lora["alpha"], lora_dropout=lora["dropout"], target_modules=targets, task_type="CAUSAL_LM")
        ).train()
        self.trained = [one for one in self.model.parameters() if one.requires_grad]
        self.adam = torch.optim.AdamW(self.trained, lr=config["learningRate"], weight_decay=0.0)
        self.digits = self.tokenizer.convert_tokens_to_ids([str(digit) for digit in range(self.constants["levels"])])
        if len(set(self.digits)) != len(self.digits) or None in self.digits:
            raise SystemExit(f"Expected a token for each digit but the tokenizer of {config['model']} has not")

    def embed(self):
        """Makes the embeddings of all images that the steps need."""
        yield from self.images.make(row[side] for step in self.steps for row in step for side in SIDES)

    def inputs_of(self, rows):
        embeddings = [self.images[row[side]] for row in rows for side in SIDES]
        image, texts = self.processor.image_token, []
        for row in rows:
            text = self.processor.apply_chat_template(messages(row["prompt"]), add_generation_prompt=True, tokenize=False)
            texts += [text, text]
        texts = [text.replace(image, image * len(one["embedding"]), 1) for text, one in zip(texts, embeddings)]
        words = self.tokenizer(texts, padding=True, padding_side="left", return_tensors="pt").to(self.model.device)
        return words | {
            "image_grid_thw": torch.stack([one["grid"] for one in embeddings]),
            "mm_token_type_ids": (words["input_ids"] == self.tokenizer.convert_tokens_to_ids(image)).int(),
            "mm_encoder_outputs": {"image": BaseModelOutputWithPooling(pooler_output=[one["embedding"] for one in embeddings])},
        }

    def answers(self, inputs):
        """Log-probabilities of the answer's token, [images, vocabulary]."""
        return self.model(**inputs, logits_to_keep=1, use_cache=False).logits[:, -1].float().log_softmax(-1)

    def outcomes(self, answers):
        """Log-probabilities of each digit and of all else, [images, levels + 1]."""
        other = answers.clone()
        other[:, self.digits] = -math.inf
        return torch.cat([answers[:, self.digits], other.logsumexp(-1, keepdim=True)], 1)

    def loss(self, rows):
        """Of some pairs, a sum over their images; with it the sums of rewards and of the KL."""
        inputs = self.inputs_of(rows)
        with torch.no_grad(), self.model.disable_adapter():
            start = self.answers(inputs)
        now = self.answers(inputs)
        outcomes = self.outcomes(now)
        chances = outcomes.detach().exp()
        if self.sampled:
            drawn = torch.multinomial(chances, self.sampled, replacement=True)
            chances = F.one_hot(drawn, chances.shape[1]).float().mean(1)
        gains, rewards = group_relative(chances.view(len(rows), 2, -1), self.constants)
        kl = F.kl_div(start, now, log_target=True, reduction="sum")
        return self.config["kl"] * kl - (gains.view_as(outcomes) * outcomes).sum(), rewards.sum(), kl.detach()

    def step(self, number):
        """One step of the optimiser. It depends on its number and on the state alone."""
        torch.manual_seed(self.config["seed"] + number)
        rows, at_once = self.steps[number], self.config["pairsAtOnce"]
        sums = torch.zeros(3, device=self.model.device)
        for at in range(0, len(rows), at_once):
            loss, reward, kl = (each / (2 * len(rows)) for each in self.loss(rows[at : at + at_once]))
            loss.backward()
            sums += torch.stack([loss.detach(), reward, kl])
        torch.nn.utils.clip_grad_norm_(self.trained, 1.0)
        # A twentieth of the steps to warm up, then half a cosine.
        done = number / len(self.steps)
        share = min(1, (number + 1) / max(1, len(self.steps) / 20)) * (0.5 + 0.5 * math.cos(math.pi * done))
        self.adam.param_groups[0]["lr"] = self.config["learningRate"] * share
        self.adam.step()
        self.adam.zero_grad()
        return dict(zip(["loss", "reward", "kl"], sums.tolist()))

    def state(self):
        return {"weights": [one.data for one in self.trained], "adam": self.adam.state_dict()}

    def restore(self, state):
        for one, kept in zip(self.trained, state["weights"], strict=True):
            one.data.copy_(kept)
        self.adam.load_state_dict(state["adam"])


def train(config, pairs, out, kinds=None, steps=None, resume=False, sampled=None):
    out = Path(out)
    rows = read_pairs(pairs, kinds)
    told = {"config": config, "kinds": kinds, "sampled": sampled, "stopsAfter": steps}
    told["pairsSha256"] = hashlib.sha256((Path(pairs) / "pairs.jsonl").read_bytes()).hexdigest()
    checkpoint, history = out / "checkpoint.pt", []
    state = torch.load(checkpoint, map_location=DEVICE) if resume and checkpoint.exists() else None
    if state and state["told"] != told:
        differs = ", ".join(name for name in told if told[name] != state["told"][name])
        raise SystemExit(f"Expected what {checkpoint} was begun with but received other {differs}: leave --resume out to begin anew")
    out.mkdir(parents=True, exist_ok=True)
    torch.use_deterministic_algorithms(True, warn_only=True)
    training = Training(config, *load(config), pairs, rows, out / "embeddings", steps, sampled)
    for done, made in training.embed():
        if made:
            print(f"embedded {done:,} images", flush=True)
    if state:
        training.restore(state)
        history = state["history"]
    begun = time.monotonic()
    for number in range(first := len(history), len(training.steps)):
        history.append(training.step(number))
        left = (time.monotonic() - begun) / (number + 1 - first) * (len(training.steps) - number - 1)
        figures = "  ".join(f"{name} {value:.4f}" for name, value in history[-1].items())
        print(f"step {number + 1:,} of {len(training.steps):,}  {figures}  {left / 60:.0f} min left", flush=True)
        if (number + 1) % config["saveEvery"] == 0:
            torch.save(training.state() | {"told": told, "history": history}, out / "checkpoint.part")
            os.replace(out / "checkpoint.part", checkpoint)
    training.model.save_pretrained(out / "adapter")
    report = told | {"pairs": len({row["id"] for step in training.steps for row in step}), "steps": len(history), "history": history}
    (out / "training.json").write_text(json.dumps(report, indent=1))
