"""Takes a packed question answerer apart again, into a checkpoint that train.py starts from.

    python3 training/unpack.py packages/lab/weights/vqa --data DIR --out DIR/vqa.pt

So a training goes on from weights that are shipped, where its checkpoint is gone. What packing
loses: the layers that read cells, half of the digits, and the norms of batches, which were folded into
the layers before them. Their means and deviations are measured again on scenes of --data, so that the
network answers as the packed one.
"""

import argparse
import json
import re
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from data import Scenes
from train import make_network, save

MEASURED = 512


def parameter_names(node):
    """Under which names the network has the inputs of one of the graph's nodes."""
    # The graph repeats a container's name before its member's: /layers/layers.0/layers.0.2/Conv.
    path = []
    for part in node.name.split("/")[1:-1]:
        parts = part.split(".")
        if path and parts[: len(path[-1])] == path[-1]:
            path[-1] = parts
        elif not (path and parts[0] == path[-1][-1] and len(parts) == 1):
            path.append(parts)
    module = ".".join(".".join(parts) for parts in path)
    return [f"{module}.{end}" for end in ["weight", "bias"]]


def packed_weights(path):
    """By the name in the network, its weights; and a bias for each norm that was folded."""
    graph = onnx.load(path).graph
    arrays = {
        re.sub("_half$", "", tensor.name): torch.tensor(numpy_helper.to_array(tensor)).float()
        for tensor in graph.initializer
    }
    weights = {name: array for name, array in arrays.items() if not name.startswith("onnx::")}
    # A bias that is added keeps its name, which tells the module's sooner than the node's does.
    biases = {
        source: bias
        for node in graph.node
        if node.op_type == "Add"
        for bias, source in [node.input, reversed(node.input)]
        if bias in arrays
    }
    for node in graph.node:
        if node.op_type not in ("Conv", "MatMul") or node.input[1] not in arrays:
            continue
        names = parameter_names(node)
        if (bias := biases.get(node.output[0], "")).endswith(".bias"):
            names = [bias.removesuffix("bias") + "weight"]
        for name, source in zip(names, node.input[1:]):
            weights[name] = arrays[source].T if node.op_type == "MatMul" else arrays[source]
    return weights


def fold_back(vision, weights):
    """Gives each norm the bias of the layer it was folded into; it changes nothing else yet."""
    layers = dict(vision.named_modules())
    for name, layer in layers.items():
        if not isinstance(layer, nn.BatchNorm2d):
            continue
        before = re.sub(r"\d+$", lambda number: str(int(number[0]) - 1), name)
        layer.bias.data.copy_(weights.pop(f"{before}.bias"))
        layer.weight.data.fill_((1 + layer.eps) ** 0.5)


@torch.no_grad()
def measure_norms(vision, pixels):
    """Has each norm expect what it gets, and undo that, so that training goes on from where it was."""
    norms = [layer for layer in vision.modules() if isinstance(layer, nn.BatchNorm2d)]
    got = {}
    hooks = [
        norm.register_forward_hook(lambda layer, given, _: got.__setitem__(layer, given[0]))
        for norm in norms
    ]
    vision.eval()(pixels)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        norm.running_mean.copy_(got[norm].mean((0, 2, 3)))
        norm.running_var.copy_(got[norm].var((0, 2, 3)))
        norm.weight.copy_((norm.running_var + norm.eps).sqrt())
        norm.bias.add_(norm.running_mean)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True, type=Path)
    arguments = parser.parse_args()
    report = json.loads((arguments.folder / "training.json").read_text())
    words = json.loads((arguments.folder / "tokenizer.json").read_text())["model"]["vocab"]
    scenes = Scenes([arguments.data], "cpu")
    layout = {**scenes.layout, "words": sorted(words, key=words.get)}
    network = make_network(report["settings"], layout)
    for half, file in [(network.vision, "vision_model"), (network.answerer, "answer_model")]:
        weights = packed_weights(arguments.folder / "onnx" / f"{file}.onnx")
        fold_back(half, weights)
        missing = half.load_state_dict(weights, strict=False)
        norms = {name for name, layer in half.named_modules() if isinstance(layer, nn.BatchNorm2d)}
        lost = [name for name in missing.missing_keys if name.rsplit(".", 1)[0] not in norms]
        if lost or missing.unexpected_keys:
            raise SystemExit(f"{arguments.folder}: expected {lost}, found {missing.unexpected_keys}")
    images = scenes.images(torch.arange(MEASURED) % len(scenes))
    before = network.vision.eval()(images[:8]).detach()
    measure_norms(network.vision, images)
    difference = (network.vision.eval()(images[:8]) - before).abs().max().item()
    print(f"{arguments.folder}: the grid differs by {difference:.2g}, of {before.abs().max():.2g}")
    save(network, report, layout, arguments.out)


if __name__ == "__main__":
    main()
