"""Trains the lab's ProtoScore over what a frozen encoder makes of pictures and texts, and tries it.

    python3 train.py --train PAIRS --train-scenes SCENES --dev PAIRS --dev-scenes SCENES
      [--test PAIRS --test-scenes SCENES] --cache DIR --out DIR [--only NAME,...]

PAIRS is a folder of `touchstone export pairs`, SCENES one of training/make-data.mjs, for ordinary
alignment. data/proto-score/lab.yaml has every variant. Each is trained with three seeds; checkpoints and
figures lie in DIR, and what is there is not trained again. DIR also gets the scores on the test.
"""

import argparse
import copy
import json
import math
import sys
import time
from functools import cache
from pathlib import Path

import numpy as np
import torch
import yaml
from torch import nn
from torch.nn import functional as F

from features import ROOT, Texts, image_features, ordinary

# The reward is the 7B recipe's, the sum of a grid the encoder's.
sys.path += [str(ROOT / "training/proto_score"), str(ROOT / "training")]
from networks import summed_up
from proto_score.rewards import group_relative, pair_reward

DATA = ROOT / "data/proto-score"
ENCODER = ROOT / "packages/lab/weights/dual-encoder-skewed"


class Scorer(nn.Module):
    """A distribution over `levels` scores. It starts as the encoder's cosine; a tuned copy of the image's
    projection and a small head beside the cosine learn the rest."""

    def __init__(self, projections, constants, settings):
        super().__init__()
        hidden, width = settings["hidden"], projections["text"].shape[1]
        self.register_buffer("text", torch.tensor(projections["text"]))
        self.image_hidden = nn.Parameter(torch.tensor(projections["image_hidden"]))
        self.image_bias = nn.Parameter(torch.tensor(projections["image_bias"]))
        self.image = nn.Parameter(torch.tensor(projections["image"]))
        self.head = nn.Sequential(nn.Linear(3 * width, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        nn.init.zeros_(self.head[2].weight)
        nn.init.zeros_(self.head[2].bias)
        self.slope = nn.Parameter(torch.tensor(settings["slope"]))
        self.middle = nn.Parameter(torch.tensor(settings["middle"]))
        steps = torch.linspace(-settings["reach"], settings["reach"], constants["levels"])
        self.register_buffer("places", steps)
        self.sigma = settings["sigma"]

    def features(self, images):
        """What the projection takes, [n, 768]: here the cached numbers of the pictures."""
        return images

    def embedding(self, images):
        """[n, 128], each of length 1."""
        hidden = F.relu(F.linear(self.features(images), self.image_hidden, self.image_bias))
        return F.normalize(hidden @ self.image, dim=1)

    def merit(self, images, meanings):
        """What the distribution is about, [n]."""
        text, image = F.normalize(meanings @ self.text, dim=1), self.embedding(images)
        beside = self.head(torch.cat([image, text, image * text * 10], 1))[:, 0]
        return self.slope * ((image * text).sum(1) - self.middle) + beside

    def forward(self, images, meanings):
        """Logits [n, levels] of the scores 0, 1 / (levels - 1), ..., 1."""
        away = self.places - self.merit(images, meanings)[:, None]
        return -(away**2) / (2 * self.sigma**2)

    def score(self, images, meanings):
        """The expected score, in [0, 1]."""
        chances = self(images, meanings).double().softmax(1)
        return chances @ torch.linspace(0, 1, chances.shape[1], dtype=torch.float64)


class BlockScorer(Scorer):
    """Tunes a copy of the trunk's last block as well. Its pictures are the grids before that block."""

    def __init__(self, projections, block, constants, settings):
        super().__init__(projections, constants, settings)
        self.block = nn.ParameterDict({name.replace(".", "_"): torch.tensor(block[name]) for name in block})

    def features(self, images):
        """Of grids [n, 128, 12, 12]; features stay as they are."""
        return images if images.dim() == 2 else torch.cat([self.after_block(grids) for grids in images.split(256)])

    def after_block(self, grids):
        part = lambda name: (self.block[f"{name}_weight"], self.block[f"{name}_bias"])
        grids = grids.float()
        mixed = F.conv2d(grids, *part("mix"), padding=2, groups=grids.shape[1])
        return summed_up(grids + F.conv2d(F.relu(F.conv2d(mixed, *part("widen"))), *part("narrow")))


class Pairs:
    """Exported pairs with the numbers of their pictures, as a cut of the encoder sees them, and texts."""

    def __init__(self, folder, cache, sees="vision_model"):
        folder = Path(folder)
        lines = (folder / "pairs.jsonl").read_text().splitlines()
        self.rows = [json.loads(line) for line in lines]
        manifest = json.loads((folder / "export.json").read_text())
        self.hash = manifest["files"]["pairs.jsonl"]
        kept = Path(cache) / f"{self.hash[:16]}-{sees}.npz"
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            files = sorted({row[side] for row in self.rows for side in ["correct", "adversarial"]})
            said = sorted({row["prompt"] for row in self.rows})
            np.savez(
                kept, files=files, said=said,
                images=image_features(Path(cache) / "encoder", [folder / file for file in files], sees),
                texts=Texts(Path(cache) / "encoder", ENCODER).features(said),
            )
        found = np.load(kept)
        file_at = {str(name): at for at, name in enumerate(found["files"])}
        text_at = {str(name): at for at, name in enumerate(found["said"])}
        images = torch.tensor(found["images"])
        self.images = images.float() if images.dim() == 2 else images
        self.texts = torch.tensor(found["texts"]).float()
        column = lambda name, places: torch.tensor([places[row[name]] for row in self.rows])
        self.text, self.correct = column("prompt", text_at), column("correct", file_at)
        self.adversarial = column("adversarial", file_at)

    def numbers(self, keep):
        return torch.tensor([at for at, row in enumerate(self.rows) if keep(row)])

    def sides(self, at):
        """Text, correct and adversarial of rows."""
        return self.texts[self.text[at]], self.images[self.correct[at]], self.images[self.adversarial[at]]


def pairwise_loss(kind, model, sides, settings):
    texts, correct, adversarial = sides
    lead = model.merit(correct, texts) - model.merit(adversarial, texts)
    if kind == "logistic":
        return F.softplus(-lead).mean()
    scores = [model(images, texts).softmax(1) @ torch.linspace(0, 1, 10) for images in [correct, adversarial]]
    return F.relu(settings["margin"] - (scores[0] - scores[1])).mean()


def grpo_loss(model, old, firsts, sides, settings, constants):
    """Group-relative advantages within the G samples of one image, each sample against those of the
    other image of its pair; clipped ratio; KL to the start."""
    texts, *images = sides
    group, top = settings["group"], constants["levels"] - 1
    with torch.no_grad():
        before = [old(image, texts).log_softmax(1) for image in images]
        drawn = [torch.multinomial(logs.exp(), group, replacement=True) for logs in before]
        correct, adversarial = (each.float() / top for each in drawn)
        rewards = pair_reward(correct[:, :, None], adversarial[:, None, :], constants)
        gains = [rewards.mean(2), rewards.mean(1)]
    loss = 0
    for image, logs, said, gain, first in zip(images, before, drawn, gains, firsts):
        spread = gain.std(1, keepdim=True)
        advantage = (gain - gain.mean(1, keepdim=True)) / (spread + settings["epsilon"])
        now = model(image, texts).log_softmax(1)
        ratio = (now.gather(1, said) - logs.gather(1, said)).exp()
        clipped = ratio.clip(1 - settings["clip"], 1 + settings["clip"])
        loss = loss - torch.minimum(ratio * advantage, clipped * advantage).mean()
        loss = loss + settings["kl"] * (now.exp() * (now - first)).sum(1).mean()
    return loss


def closed_loss(model, firsts, sides, settings, constants):
    """What grpo_loss is of as many samples as one likes, from the policy as it is: no ratio, nothing drawn."""
    texts, *images = sides
    now = torch.stack([model(image, texts).log_softmax(1) for image in images], 1)
    gains = group_relative(F.pad(now.detach().exp(), (0, 1)), constants, settings["epsilon"])[0][..., :-1]
    kl = now.exp() * (now - torch.stack(firsts, 1))
    return (settings["kl"] * kl - gains * now).sum(2).mean(0).sum()


@torch.no_grad()
def same_start(model, grids, features):
    """Expects the block to begin as the encoder's own; both are stored in half precision."""
    apart = float((model.embedding(grids) - model.embedding(features)).abs().max())
    if not apart < 5e-4:
        raise SystemExit(f"Expected the encoder's embeddings from its last block but they differ by {apart:.2g}")


@torch.no_grad()
def seen_by(model, data):
    """The data with the model's features in place of its pictures."""
    seen = copy.copy(data)
    seen.images = model.features(data.images)
    return seen


@torch.no_grad()
def started(model, data):
    """What the start says of each pair's pictures, for the KL."""
    texts, *images = data.sides(torch.arange(len(data.rows)))
    return [model(each, texts).log_softmax(1) for each in images]


def kept_apart(model, old_says, scenes, at):
    """KL to the start on pictures of no benchmark: what was learned of ordinary texts is to stay."""
    texts, images = scenes.sides(at)
    now = model(images, texts).log_softmax(1)
    return (now.exp() * (now - old_says[at])).sum(1).mean()


def train(model_of, data, scenes, chosen, settings, constants, seed, trained=None, report=None):
    """Goes on from the weights `trained`; whatever is kept close to the start is so to what model_of makes."""
    torch.manual_seed(seed)
    model, old = model_of(), model_of()
    firsts = started(old, seen_by(old, data))
    with torch.no_grad():
        texts, images = seen_by(old, scenes).sides(slice(None))
        says = old(images, texts).log_softmax(1)
    if trained:
        model.load_state_dict(model.state_dict() | trained)
    shares = {"head": 1, "block": settings.get("blockRate")}
    share = lambda name: shares.get(name.split(".")[0], settings["projectionRate"])
    optimizer = torch.optim.AdamW(
        [{"params": [one], "lr": settings["rate"] * share(name)} for name, one in model.named_parameters()],
        weight_decay=settings["decay"],
    )
    total = max(1, settings["steps"])
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / 50) * (0.5 + 0.5 * math.cos(math.pi * step / total)))
    for step in range(settings["steps"]):
        at = chosen[torch.randint(len(chosen), (settings["batch"],))]
        sides = data.sides(at)
        if settings["loss"] == "grpo":
            if step % settings["every"] == 0:
                old.load_state_dict(model.state_dict())
            loss = grpo_loss(model, old, [each[at] for each in firsts], sides, settings, constants)
        elif settings["loss"] == "closed":
            loss = closed_loss(model, [each[at] for each in firsts], sides, settings, constants)
        else:
            loss = pairwise_loss(settings["loss"], model, sides, settings)
        if settings["ordinary"]:
            at = torch.randint(len(says), (settings["batch"],))
            loss = loss + settings["ordinary"] * kept_apart(model, says, scenes, at)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if report and step % 100 == 99:
            report(step + 1, model)
    return model


class Scenes:
    """Pictures of no benchmark with sentences that are true or false of them."""

    def __init__(self, folder, cache, sees="vision_model"):
        kept = Path(cache) / f"scenes-{Path(folder).name}-{sees}.npz"
        if not kept.exists():
            np.savez(kept, **ordinary(Path(cache) / "encoder", ENCODER, folder, sees))
        found = np.load(kept)
        self.asked = found["faults"].shape[1]
        self.images = torch.tensor(found["images"])
        self.texts = torch.tensor(found["texts"]).float().flatten(0, 1)
        self.right = found["faults"].ravel() == 0

    def sides(self, at):
        """Texts and their pictures."""
        shown = torch.arange(len(self.texts))[at] // self.asked
        return self.texts[at], self.images[shown]


@torch.no_grad()
def scored(model, data, scenes):
    """Scores of every pair's right and wrong picture, and of scenes."""
    texts, correct, adversarial = seen_by(model, data).sides(torch.arange(len(data.rows)))
    said, shown = seen_by(model, scenes).sides(slice(None))
    scores = {"right": (correct, texts), "wrong": (adversarial, texts), "scenes": (shown, said)}
    return {name: model.score(*each).numpy() for name, each in scores.items()}


def units(data, scenes):
    """What was scored: kind and prompt of every pair, and which sentences are right of which scene."""
    prompts = [row["id"].split("/")[0] for row in data.rows]
    return {
        "kinds": [row["kind"].split("-")[0] for row in data.rows],
        "prompts": np.unique(prompts, return_inverse=True)[1],
        "true": scenes.right,
        "shown": np.arange(len(scenes.right)) // scenes.asked,
    }


def failed(right, wrong):
    """A tie is a failure."""
    return right - wrong <= 1e-6 * np.maximum(abs(right), abs(wrong))


def measured(scores, data, scenes, unseen=()):
    """Failure rates by kind and domain, and of right and wrong pictures AUC, Brier score and calibration
    error."""
    right, wrong, said = (scores[name] for name in ["right", "wrong", "scenes"])
    fails = failed(right, wrong)
    kinds = np.array([row["kind"].split("-")[0] for row in data.rows])
    domains = np.array([row["domain"] for row in data.rows])
    rate = lambda which: {"n": int(which.sum()), "failureRate": float(fails[which].mean()) if which.any() else None}
    found = {
        kind: rate(kinds == kind) | {domain: rate((kinds == kind) & (domains == domain)) for domain in sorted(set(domains))}
        for kind in ["contrastive", "control", "reversed", "foreign"]
    }
    members = np.array([row["nonPrototype"] in unseen for row in data.rows])
    found["unseenMembers"] = rate((kinds == "contrastive") & members)
    own = kinds != "foreign"
    scores = np.concatenate([right[own], wrong[own]])
    truth = np.concatenate([np.ones(own.sum()), np.zeros(own.sum())])
    return found | {
        "alignment": {"n": len(said), "auc": alignment(said[scenes.right], said[~scenes.right])},
        "calibration": calibration(scores, truth),
    }


def alignment(right, wrong):
    """AUC: how often a right picture of any text scores above a wrong one of any text; ties half."""
    order = np.argsort(np.concatenate([right, wrong]), kind="stable")
    values = np.concatenate([right, wrong])[order]
    ranks = np.empty(len(values))
    first = np.searchsorted(values, values, "left")
    last = np.searchsorted(values, values, "right")
    ranks[order] = (first + last + 1) / 2
    n, m = len(right), len(wrong)
    return float((ranks[:n].sum() - n * (n + 1) / 2) / (n * m)) if n and m else None


def calibration(scores, truth, bins=10):
    """Expected calibration error of P(right) = the score, and the Brier score."""
    place = np.clip(np.ceil(scores * bins) - 1, 0, bins - 1)
    gaps = [
        (place == each).mean() * abs(scores[place == each].mean() - truth[place == each].mean())
        for each in range(bins) if (place == each).any()
    ]
    return {"ece": float(sum(gaps)), "brier": float(((scores - truth) ** 2).mean()), "auc": alignment(scores[truth == 1], scores[truth == 0])}


def choose(data, variant, seed):
    """Numbers of the pairs that a variant is trained on."""
    kinds, domains, without = variant.get("kinds"), variant.get("domains"), variant.get("without")
    keep = lambda row: (
        (kinds is None or row["kind"].split("-")[0] in kinds)
        and (domains is None or row["domain"] in domains)
        and (without is None or row["nonPrototype"] not in without)
    )
    found = data.numbers(keep)
    order = torch.randperm(len(found), generator=torch.Generator().manual_seed(seed))
    return found[order][: variant.get("pairs", len(found))]


def main():
    parser = argparse.ArgumentParser()
    for name in ["train", "dev", "train-scenes", "dev-scenes", "cache", "out"]:
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--test")
    parser.add_argument("--test-scenes")
    parser.add_argument("--only")
    parser.add_argument("--config", default=str(DATA / "lab.yaml"))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, help="of every variant that is trained; to try the program")
    parser.add_argument("--seeds", help="such as 1,2; default: those of the file")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    config = yaml.safe_load(Path(arguments.config).read_text())
    constants = yaml.safe_load((DATA / "reward.yaml").read_text())
    projections, block = (np.load(Path(arguments.cache) / f"encoder/{name}.npz") for name in ["projections", "block"])
    splits = ["train", "dev", "test"] if arguments.test else ["train", "dev"]

    @cache
    def seen_as(sees):
        """Pairs and scenes by split, as a cut of the encoder sees them."""
        given = lambda name: getattr(arguments, name)
        return {split: (Pairs(given(split), arguments.cache, sees), Scenes(given(f"{split}_scenes"), arguments.cache, sees)) for split in splits}

    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    unseen = config["variants"].get("unseen-members", {}).get("without", [])
    seeds = [int(each) for each in arguments.seeds.split(",")] if arguments.seeds else config["seeds"]
    wanted = arguments.only.split(",") if arguments.only else list(config["variants"])
    for name in wanted:
        variant = config["variants"][name]
        settings = config["settings"] | variant.get("settings", {})
        if arguments.steps and settings["steps"]:
            settings |= {"steps": arguments.steps}
        own_constants = constants | variant.get("reward", {})
        if "blockRate" in settings:
            model_of = lambda: BlockScorer(projections, block, own_constants, settings)
            tried = dict(seen_as("grid_model"))
            same_start(model_of(), *(seen_as(sees)["train"][0].images[:100] for sees in ["grid_model", "vision_model"]))
        else:
            model_of = lambda: Scorer(projections, own_constants, settings)
            tried = dict(seen_as("vision_model"))
        data, scenes = tried.pop("train")
        for seed in seeds if settings["steps"] else seeds[:1]:
            kept = out / f"{name}-{seed}.pt"
            began = time.process_time()
            if kept.exists():
                model = model_of()
                model.load_state_dict(torch.load(kept)["weights"])
            else:
                chosen = choose(data, variant, seed)
                trained = torch.load(out / f"{variant['from']}-{seed}.pt")["weights"] if "from" in variant else None
                say = lambda step, model: print(step, brief(measured(scored(model, *tried["dev"]), *tried["dev"], unseen)), flush=True)
                model = train(model_of, data, scenes, chosen, settings, own_constants, seed, trained, say if arguments.verbose else None)
                saved = {"weights": model.state_dict(), "settings": settings, "reward": own_constants, "seed": seed, "pairs": len(chosen), "data": data.hash, "seconds": round(time.process_time() - began, 1)}
                torch.save(saved, kept)
            scores = {split: scored(model, *where) for split, where in tried.items()}
            found = {split: measured(scores[split], *where, unseen) for split, where in tried.items()}
            if "test" in scores:
                np.savez(out / f"{name}-{seed}.npz", **scores["test"], **units(*tried["test"]))
            (out / f"{name}-{seed}.json").write_text(json.dumps({"variant": name, "seed": seed, "data": data.hash} | found, indent=1))
            print(f"{name:24} seed {seed}", *(f"{split}: {brief(one)}" for split, one in found.items()), f"{time.process_time() - began:.0f} s", flush=True)


def brief(found):
    percent = lambda kind: f"{100 * found[kind]['failureRate']:5.1f}"
    return f"triplets {percent('contrastive')} controls {percent('control')} reversed {percent('reversed')} foreign {percent('foreign')} alignment {found['alignment']['auc']:.3f} ece {found['calibration']['ece']:.3f} auc {found['calibration']['auc']:.3f}"


if __name__ == "__main__":
    main()
