"""Trains one of the lab's models, named in models.json.

    python3 training/train.py vqa --data DIR ... --out DIR [--held-out DIR] [--unseen DIR]
      [--minutes M] [--steps N] [--batch N] [--rate R] [--warm-up N] [--start CHECKPOINT ...] [--freeze]
      [--seed N] [--sums FILE] [--instructions FILE]

--start takes over what a checkpoint has by the same name and shape, and of the words those that it
knows too; of several checkpoints, one after another. What a question answerer reads with becomes what
a rater or a judge reads with. --freeze leaves the trunk as it starts; a dual encoder then has every
picture go through it once, and costs little more than its texts; --sums keeps what comes of that, for
others that start from the same trunk with the same data.
--instructions is what make-instructions.mjs wrote, for a judge.
--unseen are held-out scenes in a style that is not trained on. --seed is another one than that of
models.json, to see how much of a result is chance.

A seeded program: the same data, seed and machine give the same weights up to the order in which a
GPU adds. Where --minutes ends the run early, the learning rate falls along the clock in place of
the steps, and the number of steps that were made is written down.
"""

import argparse
import hashlib
import json
import math
import os
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from data import Entities, Instructions, Pairs, Scenes
from networks import PAD, DualEncoder, Judge, Localizer, QuestionAnswerer, Rater, Seer

HERE = Path(__file__).parent
# A statement begins after so many words of the question about it (Does this figure show "…").
BEFORE_STATEMENT = 5
networks = {
    "dual-encoder": lambda layout, settings: DualEncoder(len(layout["words"]), settings),
    "judge": Judge,
    "localizer": Localizer,
    "question-answerer": QuestionAnswerer,
    "rater": Rater,
    "trunk": Seer,
}


def make_network(settings, layout):
    return networks[settings["network"]](layout, settings)


def dual_loss(network, scenes, rows, settings):
    habit = scenes.layout["habits"].index(settings["habit"])
    pick = torch.randint(scenes.captions.shape[2], (len(rows),), device=rows.device)
    ids = scenes.captions[rows, habit, pick].long()
    ids = ids[:, : int((ids != PAD).sum(1).max())]
    if scenes.sums is None:
        logits = network(scenes.images(rows, 0.02), ids)
    else:
        logits = network.compare(scenes.sums[rows], ids)
    # Equal captions in a batch are each other's right answers.
    same = (ids[:, None] == ids[None]).all(2).float()
    target = same / same.sum(1, keepdim=True)
    return (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2


def dense_loss(readings, scenes, rows):
    cells, layers = scenes.cells[rows].long(), scenes.layout["cellLayers"]
    return sum(
        F.cross_entropy(read.float(), cells[..., layers.index(layer)])
        for layer, read in readings.items()
    )


def trunk_loss(network, scenes, rows, settings):
    return dense_loss(network(scenes.images(rows, 0.02)), scenes, rows)


def answer_loss(network, scenes, rows, settings):
    asked = torch.randperm(scenes.questions.shape[1], device=rows.device)[: settings["asked"]]
    ids = scenes.questions[rows][:, asked].long()
    logits, readings = network(scenes.images(rows, 0.02), ids)
    answers = scenes.answers[rows][:, asked].float()
    answer = F.binary_cross_entropy_with_logits(logits.float(), answers)
    return answer + 0.5 * dense_loss(readings, scenes, rows)


def mask_loss(network, scenes, rows, settings):
    entities = Entities(scenes, settings["entityTokens"])
    random = np.random.default_rng(int(torch.randint(2**31, (1,))))
    ids, masks = entities.batch(rows, settings["asked"], random)
    logits, found, readings = network(scenes.images(rows, 0.02), ids)
    side = logits.shape[2]
    masks = F.avg_pool2d(masks.float(), masks.shape[2] // side)
    there = (masks.sum((2, 3)) > 0).float()
    inside = torch.sigmoid(logits.float())
    dice = 1 - (2 * (inside * masks).sum((2, 3)) + 1) / ((inside + masks).sum((2, 3)) + 1)
    each = F.binary_cross_entropy_with_logits(logits.float(), masks, reduction="none").mean((2, 3))
    # Where there is none, the places need not say so too: `found` does.
    shape = ((dice + 4 * each) * there).sum() / there.sum()
    absent = F.binary_cross_entropy_with_logits(found.float(), there)
    return shape + absent + 0.5 * dense_loss(readings, scenes, rows)


def rating_loss(network, scenes, rows, settings):
    asked = torch.randperm(scenes.prompts.shape[1], device=rows.device)[: settings["asked"]]
    instructions, ratings = Instructions(scenes).draw(rows, scenes.faults[rows][:, asked])
    ids = scenes.prompts[rows][:, asked].long()
    logits, readings = network(scenes.images(rows, 0.02), ids, instructions)
    rating = F.cross_entropy(logits.float().flatten(0, 1), ratings.flatten())
    return rating + 0.5 * dense_loss(readings, scenes, rows)


def judge_loss(network, scenes, rows, settings):
    asked = torch.randperm(scenes.prompts.shape[1], device=rows.device)[: settings["asked"]]
    faults = scenes.faults[rows][:, asked]
    instructions, ratings = Instructions(scenes).draw(rows, faults)
    ids = scenes.prompts[rows][:, asked].long()
    logits, readings, seen = network(scenes.images(rows, 0.02), ids, instructions)
    loss = F.cross_entropy(logits.float().flatten(0, 1), ratings.flatten())
    pairs = scenes.pairs.draw(rows, faults, settings["rounds"])
    seen = seen.flatten(0, 1)
    first, second = seen[pairs["first"]], seen[pairs["second"]]
    merits, lead, tie = network.comparer.compare(first, second, pairs["ids"])
    loss = loss + 2 * F.binary_cross_entropy_with_logits(lead.float(), pairs["said"])
    # Whether two tie is learned apart: it moves nothing in which of them leads.
    choices = torch.stack([lead.detach() / 2, -lead.detach() / 2, tie], 1).float()
    best = torch.where(pairs["wrong"] == 0, 2, (pairs["wrong"] < 0).long())
    loss = loss + 0.3 * F.cross_entropy(choices, best)
    # The first merits are called what the log-odds are made of.
    row = rows.repeat_interleave(faults.shape[1])[pairs["first"]]
    wrong = faults.flatten()[pairs["first"]].float()
    known = torch.cat([-wrong[:, None], scenes.pairs.merits[row]], 1)
    loss = loss + 0.3 * F.smooth_l1_loss(merits[0][:, : known.shape[1]].float(), known)
    if next(network.vision.parameters()).requires_grad:
        loss = loss + 0.5 * dense_loss(readings, scenes, rows)
    return loss


losses = {
    "dual-encoder": dual_loss,
    "judge": judge_loss,
    "localizer": mask_loss,
    "question-answerer": answer_loss,
    "rater": rating_loss,
    "trunk": trunk_loss,
}


def by_name(right, which, names):
    """The share that is right, of all and of each name; `right` and `which` are flat."""
    shares = {"all": right.mean().item()} | {
        name: right[which == index].mean().item()
        for index, name in enumerate(names)
        if (which == index).any()
    }
    return {name: round(share, 4) for name, share in shares.items()}


def measure_retrieval(network, scenes, rows, settings):
    habit = scenes.layout["habits"].index(settings["habit"])
    hits = []
    for chunk in rows.split(100):
        logits = network(scenes.images(chunk), scenes.captions[chunk, habit, 0].long())
        hits.append((logits.argmax(0) == torch.arange(len(chunk), device=chunk.device)).float())
    return {"retrievalAt1Of100": round(torch.cat(hits).mean().item(), 4)}


def measure_cells(network, scenes, rows, settings):
    """Of the cells that hold something, the share whose reading is right, by layer."""
    right = {}
    for chunk in rows.split(50):
        cells = scenes.cells[chunk].long()
        for layer, read in network(scenes.images(chunk)).items():
            truth = cells[..., scenes.layout["cellLayers"].index(layer)]
            right.setdefault(layer, []).append((read.argmax(1) == truth)[truth > 0].float())
    return {layer: round(torch.cat(each).mean().item(), 4) for layer, each in right.items()}


def measure_answers(network, scenes, rows, settings):
    right = []
    for chunk in rows.split(50):
        logits = network(scenes.images(chunk), scenes.questions[chunk].long())[0]
        right.append(((logits > 0) == (scenes.answers[chunk] == 1)).float())
    types = scenes.types[rows].flatten()
    return by_name(torch.cat(right).flatten(), types, scenes.layout["questionTypes"])


def measure_masks(network, scenes, rows, settings):
    """Mean IoU at the size of the model's input, 0 where nothing was found, of entities by their bare
    names; and how often what is not there was not found."""
    entities = Entities(scenes, settings["entityTokens"])
    random = np.random.default_rng(0)
    overlaps, refused = [], []
    for chunk in rows.split(50):
        ids, masks = entities.batch(chunk, settings["asked"], random, bare=True)
        logits, found, _ = network(scenes.images(chunk), ids)
        logits = torch.minimum(logits, found[:, :, None, None])
        inside = F.interpolate(logits, masks.shape[2:], mode="bilinear", align_corners=False) > 0
        there = masks.sum((2, 3)) > 0
        overlap = (inside & masks).sum((2, 3)) / (inside | masks).sum((2, 3)).clamp(min=1)
        overlaps.append(overlap[there])
        refused.append(~inside.flatten(2).any(2)[~there])
    overlaps, refused = torch.cat(overlaps), torch.cat(refused).float()
    return {
        "meanIoU": round(overlaps.mean().item(), 4),
        "medianIoU": round(overlaps.median().item(), 4),
        "found": round((overlaps > 0).float().mean().item(), 4),
        "absentNotFound": round(refused.mean().item(), 4),
    }


def measure_ratings(network, scenes, rows, settings):
    """How often the likeliest rating is the one that the instruction makes of the fault, by fault."""
    right, faults = [], []
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        for chunk in rows.split(50):
            instructions, ratings = Instructions(scenes).draw(chunk, scenes.faults[chunk], noisy=False)
            logits = network(scenes.images(chunk), scenes.prompts[chunk].long(), instructions)[0]
            right.append((logits.argmax(2) == ratings).float())
    return by_name(torch.cat(right).flatten(), scenes.faults[rows].flatten(), scenes.layout["faults"])


def measure_judgments(network, scenes, rows, settings):
    """How often the picture with less wrong is said to be better, over prompts drawn evenly, and over
    those that care for it most (the upper tenth, where that is known); how far P is from what it should
    be; and as for a rater."""
    said = []
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        for chunk in rows.split(100):
            faults, ids = scenes.faults[chunk], scenes.prompts[chunk].long()
            nothing = torch.zeros(*ids.shape[:2], 1, dtype=torch.long, device=ids.device)
            seen = network(scenes.images(chunk), ids, nothing)[2].flatten(0, 1)
            pairs = scenes.pairs.draw(chunk, faults, 2)
            lead = network.comparer.compare(seen[pairs["first"]], seen[pairs["second"]], pairs["ids"])[1]
            care = scenes.pairs.care[pairs["prompt"], pairs["style"].clamp(min=0), pairs["group"]]
            care = torch.where(pairs["style"] < 0, torch.full_like(care, -torch.inf), care)
            columns = [lead.float(), pairs["wrong"], pairs["group"], care, pairs["said"]]
            said.append(torch.stack([column.float() for column in columns], 1))
    lead, wrong, group, care, target = torch.cat(said).T
    unequal = wrong != 0
    right = ((lead > 0) == (wrong > 0)).float()
    result = by_name(right[unequal], group[unequal], scenes.pairs.groups)
    careful = unequal & (care >= scenes.pairs.care.flatten().quantile(0.9))
    if careful.any():
        result["mostCareful"] = round(right[careful].mean().item(), 4)
    known = ~target.isnan()
    if known.any():
        far = (torch.sigmoid(lead) - target)[known].abs().mean().item()
        result["meanDifferenceOfP"] = round(far, 4)
    return result | {"ratings": measure_ratings(network, scenes, rows, settings)}


measures = {
    "dual-encoder": measure_retrieval,
    "judge": measure_judgments,
    "localizer": measure_masks,
    "question-answerer": measure_answers,
    "rater": measure_ratings,
    "trunk": measure_cells,
}


@torch.no_grad()
def evaluate(network, scenes, settings, most=4000):
    """On held-out scenes."""
    network.eval()
    rows = torch.arange(min(len(scenes), most), device=scenes.device)
    result = measures[settings["network"]](network, scenes, rows, settings)
    network.train()
    return result


def start_from(network, layout, path):
    """Takes over what a checkpoint has by the same name and shape; of words those that both know.
    Gives the name of the checkpoint's model and the steps it had made."""
    # One that an earlier version of this program wrote holds more than tensors and plain values.
    saved = torch.load(path, map_location="cpu", weights_only=False)
    numbers = {word: index for index, word in enumerate(saved["layout"]["words"])}
    known = [(row, numbers[word]) for row, word in enumerate(layout["words"]) if word in numbers]
    state = network.state_dict()
    for name, value in saved["weights"].items():
        if name.startswith("vision.") and name not in state:
            name = name.replace("vision.", "image.", 1)
        if name.startswith("answerer.") and name not in state:
            name = name.replace("answerer.", "reader.", 1)
            if name.endswith("words.position") and name in state:
                value = value[:, BEFORE_STATEMENT:]
                value = value[:, : state[name].shape[1]]
        if name.endswith("words.word.weight") and name in state:
            rows, old = (torch.tensor(column) for column in zip(*known))
            state[name][rows] = value[old].to(state[name])
        elif name in state and state[name].shape == value.shape:
            state[name] = value.to(state[name])
    network.load_state_dict(state)
    return {name: saved["report"][name] for name in ["model", "steps"]}


@torch.no_grad()
def sums_of(encoder, scenes, path):
    """What a frozen trunk makes of every scene: read from a file, or made and written there."""
    if path and Path(path).exists():
        return torch.load(path, map_location=scenes.device)
    encoder.eval()
    rows = torch.arange(len(scenes), device=scenes.device)
    sums = torch.cat([encoder.sum_up(scenes.images(chunk)) for chunk in rows.split(100)])
    encoder.train()
    if path:
        torch.save(sums, path)
    return sums


def save(network, report, layout, path):
    state = {
        name: value.cpu().half() if value.is_floating_point() else value.cpu()
        for name, value in network.state_dict().items()
    }
    part = path.with_suffix(".part")
    torch.save({"weights": state, "report": report, "layout": layout}, part)
    os.replace(part, path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--data", required=True, nargs="+")
    parser.add_argument("--held-out")
    parser.add_argument("--unseen")
    parser.add_argument("--out", required=True)
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--warm-up", type=int, default=500, help="steps over which the rate rises")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--start", nargs="+", default=[])
    parser.add_argument("--seed", type=int)
    parser.add_argument("--freeze", action="store_true")
    parser.add_argument("--sums")
    parser.add_argument("--instructions")
    parser.add_argument("--looks", type=int, default=20, help="at the held-out scenes on the way")
    arguments = parser.parse_args()

    torch.set_num_threads(arguments.threads)
    settings = json.loads((HERE / "models.json").read_text())[arguments.model]
    for name in ["batch", "rate", "seed", "steps"]:
        if (given := getattr(arguments, name)) is not None:
            settings[name] = given
    steps = settings["steps"]
    torch.manual_seed(settings["seed"])
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    # Numbers of 16 bits where the machine multiplies them: any such GPU, and some processors.
    half = arguments.device == "cuda" or "avx512_bf16" in Path("/proc/cpuinfo").read_text()
    scenes = Scenes(arguments.data, arguments.device)
    held_out, unseen = (
        folder and Scenes([folder], arguments.device) for folder in [arguments.held_out, arguments.unseen]
    )
    if arguments.instructions:
        for each in filter(None, [scenes, held_out, unseen]):
            each.pairs = Pairs(each, arguments.instructions)
    # Colours last in memory: four times as fast on a CPU.
    network = make_network(settings, scenes.layout).to(
        arguments.device, memory_format=torch.channels_last
    )
    starts = [start_from(network, scenes.layout, path) for path in arguments.start]
    trunk = (network.image if settings["network"] == "dual-encoder" else network.vision).trunk
    if arguments.freeze:
        trunk.requires_grad_(False)
    if arguments.freeze and settings["network"] == "dual-encoder":
        scenes.sums = sums_of(network.image, scenes, arguments.sums)
    trained = [parameter for parameter in network.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=settings["rate"], weight_decay=0.02, betas=(0.9, 0.98))
    count = sum(parameter.numel() for parameter in network.parameters())
    print(f"{arguments.model}: {count} parameters, {len(scenes)} scenes, {steps} steps", flush=True)

    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)

    def keep(name, step):
        report = {
            "model": name,
            "settings": settings,
            "steps": step,
            "minutes": round((time.time() - start) / 60, 1),
            "parameters": count,
            "start": starts,
            "data": scenes.sources,
            "dataHash": hashlib.sha256(scenes.questions[:1000].cpu().numpy().tobytes()).hexdigest(),
            "torch": str(torch.__version__),
            "heldOut": evaluate(network, held_out, settings) if held_out else None,
            "unseenStyle": evaluate(network, unseen, settings) if unseen else None,
        }
        save(network, report, scenes.layout, out / f"{name}.pt")
        return report

    start, step, done, looked = time.time(), 0, 0.0, 0
    while done < 1:
        rows = torch.randint(len(scenes), (settings["batch"],), device=arguments.device)
        done = max(step / steps, (time.time() - start) / 60 / arguments.minutes)
        rate = min(1, (step + 1) / arguments.warm_up)
        rate *= 0.02 + 0.98 * (1 + math.cos(math.pi * min(done, 1))) / 2
        for group in optimiser.param_groups:
            group["lr"] = settings["rate"] * rate
        if arguments.freeze:
            # Its norms, too, stay as they are.
            trunk.eval()
        with torch.autocast(arguments.device, torch.bfloat16, half):
            loss = losses[settings["network"]](network, scenes, rows, settings)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        step += 1
        if step == settings.get("early"):
            keep(f"{arguments.model}-early", step)
        if done * arguments.looks >= looked + 1 and done < 1:
            looked = int(done * arguments.looks)
            seen = evaluate(network, held_out, settings, 200) if held_out else {}
            print(f"{arguments.model} step {step} {time.time() - start:.0f}s loss {loss.item():.4f} {seen}", flush=True)
            save(network, {"model": arguments.model, "settings": settings, "steps": step}, scenes.layout, out / f"{arguments.model}-unfinished.pt")
    print(json.dumps(keep(arguments.model, step)), flush=True)


if __name__ == "__main__":
    main()
