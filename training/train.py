"""Trains one of the lab's models, named in models.json.

    python3 training/train.py vqa --data DIR --out DIR [--held-out DIR] [--minutes M] [--steps N]

A seeded program: the same data, seed and machine give the same weights up to the order in which a
GPU adds. Where --minutes ends the run early, the learning rate falls along the clock in place of
the steps, and the number of steps that were made is written down.
"""

import argparse
import hashlib
import json
import math
import time
from pathlib import Path

import torch
from torch.nn import functional as F

from data import Scenes
from networks import DualEncoder, QuestionAnswerer

HERE = Path(__file__).parent


def make_network(settings, layout):
    vocabulary = len(layout["words"])
    if settings["network"] == "dual-encoder":
        return DualEncoder(vocabulary, settings)
    return QuestionAnswerer(vocabulary, len(layout["kinds"]), len(layout["colours"]), settings)


def dual_loss(network, scenes, rows, settings, pick):
    habit = scenes.layout["habits"].index(settings["habit"])
    ids = scenes.captions[rows, habit, pick].long()
    logits = network(scenes.images(rows, 0.02), ids)
    # Equal captions in a batch are each other's right answers.
    same = (ids[:, None] == ids[None]).all(2).float()
    target = same / same.sum(1, keepdim=True)
    return (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2


def answer_loss(network, scenes, rows, settings, pick):
    asked = torch.randperm(scenes.questions.shape[1], device=rows.device)[: settings["asked"]]
    ids = scenes.questions[rows][:, asked].long()
    ids = ids[:, :, : int((ids != 0).sum(2).max())]
    logits, kind, colour, centre = network(scenes.images(rows, 0.02), ids)
    cells = scenes.cells[rows].long()
    answer = F.binary_cross_entropy_with_logits(logits.float(), scenes.answers[rows][:, asked].float())
    dense = sum(
        F.cross_entropy(read.float(), cells[..., index])
        for index, read in enumerate([kind, colour, centre])
    )
    return answer + 0.5 * dense


@torch.no_grad()
def evaluate(network, scenes, settings):
    """On held-out scenes: retrieval@1 of 100 for a dual encoder, accuracy by type otherwise."""
    network.eval()
    total = min(len(scenes), 4000)
    rows = torch.arange(total, device=scenes.device)
    if settings["network"] == "dual-encoder":
        habit = scenes.layout["habits"].index(settings["habit"])
        hits = []
        for chunk in rows.split(100):
            logits = network(scenes.images(chunk), scenes.captions[chunk, habit, 0].long())
            hits.append((logits.argmax(0) == torch.arange(len(chunk), device=chunk.device)).float())
        result = {"retrievalAt1Of100": round(torch.cat(hits).mean().item(), 4)}
    else:
        right = []
        for chunk in rows.split(200):
            logits = network(scenes.images(chunk), scenes.questions[chunk].long())[0]
            right.append(((logits > 0) == (scenes.answers[chunk] == 1)).float())
        right, types = torch.cat(right).flatten(), scenes.types[:total].flatten()
        result = {"all": round(right.mean().item(), 4)} | {
            name: round(right[types == index].mean().item(), 4)
            for index, name in enumerate(scenes.layout["questionTypes"])
            if (types == index).any()
        }
    network.train()
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--data", required=True)
    parser.add_argument("--held-out")
    parser.add_argument("--out", required=True)
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--resume")
    arguments = parser.parse_args()

    settings = json.loads((HERE / "models.json").read_text())[arguments.model]
    steps = arguments.steps or settings["steps"]
    torch.manual_seed(settings["seed"])
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    scenes = Scenes(arguments.data, arguments.device)
    held_out = Scenes(arguments.held_out, arguments.device) if arguments.held_out else None
    network = make_network(settings, scenes.layout).to(arguments.device)
    if arguments.resume:
        network.load_state_dict(torch.load(arguments.resume)["weights"])
    loss_of = dual_loss if settings["network"] == "dual-encoder" else answer_loss
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=settings["rate"], weight_decay=0.02, betas=(0.9, 0.98)
    )
    count = sum(parameter.numel() for parameter in network.parameters())
    print(f"{arguments.model}: {count} parameters, {len(scenes)} scenes, {steps} steps", flush=True)

    start, step, done = time.time(), 0, 0.0
    while done < 1:
        rows = torch.randint(len(scenes), (settings["batch"],), device=arguments.device)
        pick = torch.randint(
            scenes.captions.shape[2], (settings["batch"],), device=arguments.device
        )
        done = max(step / steps, (time.time() - start) / 60 / arguments.minutes)
        rate = min(1, step / 500) * (0.02 + 0.98 * (1 + math.cos(math.pi * min(done, 1))) / 2)
        for group in optimiser.param_groups:
            group["lr"] = settings["rate"] * rate
        with torch.autocast(arguments.device, torch.bfloat16, arguments.device == "cuda"):
            loss = loss_of(network, scenes, rows, settings, pick)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        if step % max(1, steps // 20) == 0 or done >= 1:
            seen = evaluate(network, held_out, settings) if held_out else {}
            print(f"{arguments.model} step {step} {time.time() - start:.0f}s loss {loss.item():.4f} {seen}", flush=True)
        step += 1

    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    report = {
        "model": arguments.model,
        "settings": settings,
        "steps": step,
        "parameters": count,
        "data": {name: scenes.layout[name] for name in ["seed", "scenes", "workers"]},
        "dataHash": hashlib.sha256(scenes.questions[:1000].cpu().numpy().tobytes()).hexdigest(),
        "torch": torch.__version__,
        "heldOut": evaluate(network, held_out, settings) if held_out else None,
    }
    state = {name: value.cpu().half() if value.is_floating_point() else value.cpu() for name, value in network.state_dict().items()}
    torch.save({"weights": state, "report": report, "layout": scenes.layout}, out / f"{arguments.model}.pt")
    print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
