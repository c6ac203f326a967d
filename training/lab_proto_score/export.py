"""Packs what train.py made into packages/lab/weights/<name>/, in the layout of the lab's other models: what looks at a
picture (the frozen trunk's summed-up grid), what makes a text's meaning, and the head that scores both.

    python3 export.py DIR/trained/grpo-1.pt --cache DIR/cache --as proto-score [--shares proto-score]

--shares NAME leaves out all but the head: the rest are the same files in packages/lab/weights/NAME.
"""

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from features import ROOT, Texts, session
from train import ENCODER, Scorer

OPSET = 14
PARITY = 64


class Reader(nn.Module):
    def __init__(self, scorer):
        super().__init__()
        self.scorer = scorer

    def forward(self, features, meaning):
        return self.scorer(features, meaning)


def halve(path):
    """Stores large numbers in half precision, each followed by a cast."""
    model = onnx.load(path)
    graph = model.graph
    casts, kept = [], []
    for tensor in graph.initializer:
        array = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or array.size < 64:
            kept.append(tensor)
            continue
        kept.append(numpy_helper.from_array(array.astype(np.float16), f"{tensor.name}_half"))
        casts.append(helper.make_node("Cast", [f"{tensor.name}_half"], [tensor.name], to=TensorProto.FLOAT))
    nodes = casts + list(graph.node)
    del graph.initializer[:], graph.node[:]
    graph.initializer.extend(kept)
    graph.node.extend(nodes)
    onnx.save(model, path)


def write(folder, name, value):
    (folder / name).write_text(json.dumps(value, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint")
    parser.add_argument("--cache", required=True)
    parser.add_argument("--as", dest="name", required=True)
    parser.add_argument("--shares")
    parser.add_argument("--out", default=str(ROOT / "packages/lab/weights"))
    given = parser.parse_args()
    saved = torch.load(given.checkpoint)
    encoder = Path(given.cache) / "encoder"
    scorer = Scorer(np.load(encoder / "projections.npz"), saved["reward"], saved["settings"])
    scorer.load_state_dict(saved["weights"])
    scorer.eval()
    folder = Path(given.out) / given.name
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    head = folder / "onnx/head.onnx"
    inputs = (torch.zeros(1, 768), torch.zeros(1, 96))
    torch.onnx.export(
        Reader(scorer), inputs, str(head), opset_version=OPSET, input_names=["features", "meaning"],
        output_names=["logits"], dynamo=False,
    )
    halve(head)
    # What looks and what makes a text's meaning are the encoder's own.
    if not given.shares:
        for half in ["vision_model.onnx", "text_model.onnx"]:
            shutil.copy(encoder / half, folder / "onnx" / half)
    for name in ["tokenizer.json", "tokenizer_config.json", "preprocessor_config.json"]:
        shutil.copy(ENCODER / name, folder / name)
    config = json.loads((ENCODER / "config.json").read_text())
    shared = f"../{given.shares}/" if given.shares else ""
    write(folder, "config.json", {
        "model_type": "lab-digit-scorer", "architectures": ["LabDigitScorer"],
        "text_config": {name: config["text_config"][name] for name in ["vocab_size", "max_position_embeddings", "pad_token_id"]},
        "vision_config": {"image_size": 96},
    } | {half: f"{shared}onnx/{half}.onnx" for half in ["vision_model", "text_model"]})
    write(folder, "training.json", {
        "model": given.name, "settings": saved["settings"] | {"seed": saved["seed"]}, "reward": saved["reward"],
        "pairs": saved["pairs"], "data": {"pairs.jsonl": saved["data"]}, "start": [{"model": "dual-encoder-skewed"}],
        "seconds": saved["seconds"], "parameters": sum(one.numel() for one in scorer.parameters()),
    })
    random = np.random.default_rng(0)
    read = session(head)
    texts = Texts(encoder, ENCODER)
    said = [f"An animal is in a park with exactly {count} {thing}." for count in ["one", "two", "three"] for thing in ["flower", "rock"]]
    greatest = 0
    for at in range(PARITY):
        features = random.uniform(0, 3, (1, 768)).astype(np.float32)
        meaning = texts.features([said[at % len(said)]])
        packed = read.run(None, {"features": features, "meaning": meaning})[0]
        trained = scorer(torch.tensor(features), torch.tensor(meaning)).detach().numpy()
        softmax = lambda logits: np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
        greatest = max(greatest, float(abs(softmax(packed) - softmax(trained)).max()))
    if not greatest < 0.01:
        raise SystemExit(f"{given.name}: probabilities differ by {greatest:.2g}")
    sizes = {path.name: path.stat().st_size for path in sorted((folder / "onnx").iterdir())}
    print(given.name, sizes, f"parity {greatest:.2g}")


if __name__ == "__main__":
    main()
