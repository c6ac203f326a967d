"""Packs a trained model into packages/lab/weights/<name>/: a Hugging Face CLIP folder for the dual encoders, the
same layout with a model that reads texts for the others, and one that compares for the judge.

    python3 training/export.py DIR/vqa.pt [--out weights] [--held-out DIR] [--as rater]

Weights are stored in half precision and cast back when the session opens, which halves the files.
Where onnxruntime is installed, the packed model and the trained network are asked the same on 64
inputs (scenes of --held-out, as make-data.mjs wrote them; else seeded noise), and the greatest
difference of their scores (P(yes), the cosine, or P(inside)) is printed; from 0.01 on it is an error.
--as rater packs what a judge has of a rater, under that name; it then shares the half that looks at
pictures with the judge, where that lies packed beside it.
"""

import argparse
import json
from inspect import signature
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from data import Entities, Scenes
from networks import FineVision, Witness
from train import make_network

OPSET = 14
PARITY_INPUTS = 64
MOST_DIFFERENCE = 0.01


class FlatVision(nn.Module):
    """A localiser's grid and places, one after another in one row of numbers."""

    def __init__(self, vision):
        super().__init__()
        self.vision = vision

    def forward(self, pixels):
        return torch.cat([part.flatten(1) for part in self.vision(pixels)], 1)


class MaskReader(nn.Module):
    """Takes that row apart; a place is inside no surer than that there is any such entity."""

    def __init__(self, finder, width, cells):
        super().__init__()
        self.finder, self.grid = finder, [width, cells, cells]
        self.places = [FineVision.pixel, 4 * cells, 4 * cells]

    def forward(self, features, ids):
        end = self.grid[0] * self.grid[1] * self.grid[2]
        grid = features[:, :end].reshape(1, *self.grid)
        logits, found = self.finder(grid, features[:, end:].reshape(1, *self.places), ids)
        return torch.minimum(logits, found[:, None, None])


# By network: the file of the half that reads, and how its settings call the words that it reads.
READER = {
    "question-answerer": "answer_model", "localizer": "mask_model", "rater": "rating_model",
    "judge": "reader_model",
}
LENGTH = {
    "dual-encoder": "captionTokens", "question-answerer": "questionTokens",
    "localizer": "entityTokens", "rater": "captionTokens", "judge": "captionTokens",
}


def halves(network, settings):
    """What looks at the image and what reads the text, as modules."""
    if settings["network"] == "dual-encoder":
        return network.image, network.text
    if settings["network"] == "localizer":
        reader = MaskReader(network.finder, settings["width"], settings["cells"])
        return FlatVision(network.vision), reader
    if settings["network"] == "judge":
        return network.vision, Witness(network)
    return network.vision, network.reader if settings["network"] == "rater" else network.answerer


def halve(path):
    """Stores large float32 initialisers as float16, each followed by a cast."""
    model = onnx.load(path)
    graph = model.graph
    casts, kept = [], []
    for tensor in graph.initializer:
        array = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or array.size < 64:
            kept.append(tensor)
            continue
        name = f"{tensor.name}_half"
        kept.append(numpy_helper.from_array(array.astype(np.float16), name))
        casts.append(helper.make_node("Cast", [name], [tensor.name], to=TensorProto.FLOAT))
    del graph.initializer[:]
    graph.initializer.extend(kept)
    nodes = casts + list(graph.node)
    del graph.node[:]
    graph.node.extend(nodes)
    model.doc_string = ""
    for node in graph.node:
        node.doc_string = ""
    onnx.checker.check_model(model)
    onnx.save(model, path)


def export(module, inputs, path, input_names, output_name, dynamic):
    module.eval()
    path.parent.mkdir(parents=True, exist_ok=True)
    # Later versions write graphs in another way, and by this one where they are told to.
    old_way = {"dynamo": False} if "dynamo" in signature(torch.onnx.export).parameters else {}
    with torch.no_grad():
        torch.onnx.export(
            module, inputs, str(path), opset_version=OPSET, input_names=input_names,
            output_names=[output_name], dynamic_axes=dynamic, do_constant_folding=True, **old_way,
        )
    halve(str(path))


def write(folder, name, value):
    (folder / name).write_text(json.dumps(value, indent=2) + "\n")


def tokenizer(words):
    special = [
        {"id": index, "content": word, "special": True, "single_word": False, "lstrip": False,
         "rstrip": False, "normalized": False}
        for index, word in enumerate(words[:2])
    ]
    return {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": special,
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {
            "type": "Split", "pattern": {"Regex": "[a-z-]+|[^\\sa-z-]"},
            "behavior": "Removed", "invert": True,
        },
        "post_processor": None, "decoder": None,
        "model": {
            "type": "WordLevel", "vocab": {word: index for index, word in enumerate(words)},
            "unk_token": "[unk]",
        },
    }


def write_settings(folder, layout, settings, report):
    dual = settings["network"] == "dual-encoder"
    length = settings[LENGTH[settings["network"]]]
    side = layout["side"]
    text = {
        "vocab_size": len(layout["words"]), "max_position_embeddings": length, "pad_token_id": 0,
    }
    config = {
        "model_type": "clip" if dual else f"lab-{settings['network']}",
        "architectures": [
            "CLIPModel" if dual else f"Lab{settings['network'].title().replace('-', '')}"
        ],
        "text_config": text | ({"model_type": "clip_text_model"} if dual else {}),
        "vision_config": {"image_size": side} | ({"model_type": "clip_vision_model"} if dual else {}),
    }
    if dual:
        config["projection_dim"] = settings["embedding"]
    if "sharpness" in settings:
        config["sharpness"] = settings["sharpness"]
    write(folder, "config.json", config)
    write(folder, "tokenizer.json", tokenizer(layout["words"]))
    write(folder, "tokenizer_config.json", {
        "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": length,
        "pad_token": "[pad]", "unk_token": "[unk]", "padding_side": "right",
    })
    write(folder, "preprocessor_config.json", {
        "feature_extractor_type": "CLIPFeatureExtractor",
        "image_processor_type": "CLIPImageProcessor", "do_resize": True,
        "size": {"width": side, "height": side}, "resample": 2, "do_center_crop": False,
        "do_rescale": True, "rescale_factor": 1 / 255, "do_normalize": True, "do_convert_rgb": True,
        "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5],
    })
    write(folder, "training.json", report)


def parity_inputs(held_out, layout, settings):
    """Pictures [n, 3, side, side], ids [n, length], and where they come from."""
    network, length = settings["network"], settings[LENGTH[settings["network"]]]
    if held_out is None:
        generator = torch.Generator().manual_seed(0)
        side = layout["side"]
        pixels = torch.rand(PARITY_INPUTS, 3, side, side, generator=generator) * 2 - 1
        ids = torch.randint(2, len(layout["words"]), (PARITY_INPUTS, length), generator=generator)
        return pixels, ids, "pictures of seeded noise"
    scenes = Scenes([held_out], "cpu")
    rows = torch.arange(min(PARITY_INPUTS, len(scenes)))
    if network == "localizer":
        ids = Entities(scenes, length).batch(rows, 1, np.random.default_rng(0))[0][:, 0]
    elif network == "question-answerer":
        ids = scenes.questions[rows, 0]
    else:
        ids = scenes.captions[rows, 0, 0]
    return scenes.images(rows), ids.long(), f"held-out scenes of seed {scenes.layout['seed']}"


@torch.no_grad()
def parity(network, folder, held_out, layout, settings):
    """The greatest difference between the scores of the packed model and the trained network."""
    try:
        from onnxruntime import InferenceSession
    except ImportError:
        return "parity not checked: onnxruntime is not installed"
    # torch.onnx.export leaves a network in training mode, in which its norms answer otherwise.
    network.eval()
    pixels, ids, source = parity_inputs(held_out, layout, settings)
    session = {
        path.stem: InferenceSession(str(path), providers=["CPUExecutionProvider"])
        for path in folder.glob("*.onnx")
    }

    def run(name, **inputs):
        inputs = {key: np.asarray(value) for key, value in inputs.items()}
        return torch.from_numpy(session[name].run(None, inputs)[0])

    look, read = halves(network, settings)
    told = {"instruction_ids": torch.arange(1, 257)[None]}
    white = torch.ones_like(pixels[:1])

    def scores(picture, text):
        if settings["network"] == "dual-encoder":
            trained = nn.functional.cosine_similarity(look(picture), read(text))
            image = run("vision_model", pixel_values=picture)
            return trained, nn.functional.cosine_similarity(image, run("text_model", input_ids=text))
        if settings["network"] == "judge":
            # Against a white picture.
            sharp = settings["sharpness"]
            seen = [read(look(each), text) for each in [picture, white]]
            trained = network.comparer(*seen, *told.values())
            features = [run("vision_model", pixel_values=each) for each in [picture, white]]
            first, second = (run("reader_model", features=each, input_ids=text) for each in features)
            packed = run("judge_model", first=first, second=second, **told)
            return (trained * sharp).softmax(1), (packed * sharp).softmax(1)
        # Of a rater the instruction is the same throughout: half of the numbers a word may have.
        beside = told if settings["network"] == "rater" else {}
        trained = torch.sigmoid(read(look(picture), text, *beside.values()))
        features = run("vision_model", pixel_values=picture)
        packed = run(READER[settings["network"]], features=features, input_ids=text, **beside)
        return trained, torch.sigmoid(packed)

    pairs = [scores(picture[None], text[None]) for picture, text in zip(pixels, ids)]
    greatest = max((trained - packed).abs().max().item() for trained, packed in pairs)
    if not greatest < MOST_DIFFERENCE:
        raise SystemExit(f"{folder.parent.name}: scores differ by {greatest:.2g} on {source}")
    return f"parity {greatest:.2g} over {len(pairs)} {source}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint")
    parser.add_argument("--out", default=str(Path(__file__).parent.parent / "packages/lab/weights"))
    parser.add_argument("--held-out")
    parser.add_argument("--as", dest="packed_as", choices=["rater"])
    arguments = parser.parse_args()
    saved = torch.load(arguments.checkpoint, map_location="cpu", weights_only=False)
    report, layout = saved["report"], saved["layout"]
    settings = report["settings"]
    if arguments.packed_as:
        settings["network"] = report["model"] = arguments.packed_as
        settings.pop("sharpness", None)
        report["heldOut"], report["unseenStyle"] = (
            measured and measured["ratings"] for measured in [report["heldOut"], report["unseenStyle"]]
        )
        kept = make_network(settings, layout).state_dict()
        saved["weights"] = {name: value for name, value in saved["weights"].items() if name in kept}
    folder = Path(arguments.out) / report["model"]
    onnx_folder = folder / "onnx"
    pixels = torch.zeros(1, 3, layout["side"], layout["side"])
    weights = {name: value.float() if value.is_floating_point() else value for name, value in saved["weights"].items()}
    folder.mkdir(parents=True, exist_ok=True)
    network = make_network(settings, layout)
    network.load_state_dict(weights)
    network.eval()
    look, read = halves(network, settings)
    if settings["network"] == "dual-encoder":
        ids = torch.ones(1, settings["captionTokens"], dtype=torch.long)
        export(look, pixels, onnx_folder / "vision_model.onnx", ["pixel_values"], "image_embeds",
               {"pixel_values": {0: "batch"}, "image_embeds": {0: "batch"}})
        export(read, ids, onnx_folder / "text_model.onnx", ["input_ids"], "text_embeds",
               {"input_ids": {0: "batch", 1: "length"}, "text_embeds": {0: "batch"}})
    else:
        ids = torch.ones(2, 12, dtype=torch.long)
        features = look(pixels).detach()
        export(look, pixels, onnx_folder / "vision_model.onnx", ["pixel_values"], "features", {})
        told = ["instruction_ids"] if settings["network"] == "rater" else []
        # A judge's reader says what was seen of a picture; its third part compares that.
        said = "seen" if settings["network"] == "judge" else "logits"
        export(read, (features, ids, *[ids for _ in told]),
               onnx_folder / f"{READER[settings['network']]}.onnx",
               ["features", "input_ids", *told], said,
               {name: {0: "texts", 1: f"{name}_length"} for name in ["input_ids", *told]}
               | {said: {0: "texts"}})
        if settings["network"] == "judge":
            seen = read(features, ids).detach()
            export(network.comparer, (seen, seen, ids), onnx_folder / "judge_model.onnx",
                   ["first", "second", "instruction_ids"], "logits",
                   {name: {0: "pairs"} for name in ["first", "second", "logits"]}
                   | {"instruction_ids": {0: "pairs", 1: "words"}})
    write_settings(folder, layout, settings, report)
    sizes = {path.name: path.stat().st_size for path in sorted(onnx_folder.iterdir())}
    print(folder.name, sizes, parity(network, onnx_folder, arguments.held_out, layout, settings))
    if arguments.packed_as:
        share_vision(folder, "judge")


def share_vision(folder, other):
    """Drops a folder's vision model where it is the other's, and says in config.json where that is."""
    own, shared = folder / "onnx/vision_model.onnx", Path("..", other, "onnx/vision_model.onnx")
    if not (folder / shared).exists() or own.read_bytes() != (folder / shared).read_bytes():
        print(f"{folder.name}: {other}'s vision model is another, so both are kept")
        return
    own.unlink()
    config = json.loads((folder / "config.json").read_text())
    write(folder, "config.json", config | {"vision_model": shared.as_posix()})


if __name__ == "__main__":
    main()
