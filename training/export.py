"""Packs a trained model into weights/<name>/: a Hugging Face CLIP folder for the dual encoders, the
same layout with an answer model for the question answerers.

    python3 training/export.py DIR/vqa.pt [--out weights] [--held-out DIR]

Weights are stored in half precision and cast back when the session opens, which halves the files.
Where onnxruntime is installed, the packed model and the trained network are asked the same on 64
inputs (scenes of --held-out, as make-data.mjs wrote them; else seeded noise), and the greatest
difference of their scores (P(yes), or the cosine) is printed; from 0.01 on it is an error.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from data import Scenes
from networks import DualEncoder, QuestionAnswerer

OPSET = 14
PARITY_INPUTS = 64
MOST_DIFFERENCE = 0.01


class DualText(nn.Module):
    def __init__(self, text):
        super().__init__()
        self.text = text

    def forward(self, input_ids):
        return self.text(input_ids)


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
    with torch.no_grad():
        torch.onnx.export(
            module, inputs, str(path), opset_version=OPSET, input_names=input_names,
            output_names=[output_name], dynamic_axes=dynamic, do_constant_folding=True,
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
    length = settings["captionTokens" if dual else "questionTokens"]
    side = layout["side"]
    text = {
        "vocab_size": len(layout["words"]), "max_position_embeddings": length, "pad_token_id": 0,
    }
    config = {
        "model_type": "clip" if dual else "lab-question-answerer",
        "architectures": ["CLIPModel" if dual else "LabQuestionAnswerer"],
        "text_config": text | ({"model_type": "clip_text_model"} if dual else {}),
        "vision_config": {"image_size": side} | ({"model_type": "clip_vision_model"} if dual else {}),
    }
    if dual:
        config["projection_dim"] = settings["embedding"]
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
    dual = settings["network"] == "dual-encoder"
    if held_out is None:
        generator = torch.Generator().manual_seed(0)
        side, length = layout["side"], settings["captionTokens" if dual else "questionTokens"]
        pixels = torch.rand(PARITY_INPUTS, 3, side, side, generator=generator) * 2 - 1
        ids = torch.randint(2, len(layout["words"]), (PARITY_INPUTS, length), generator=generator)
        return pixels, ids, "pictures of seeded noise"
    scenes = Scenes(held_out, "cpu")
    rows = torch.arange(min(PARITY_INPUTS, len(scenes)))
    ids = scenes.captions[rows, 0, 0] if dual else scenes.questions[rows, 0]
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

    def scores(picture, text):
        if settings["network"] == "dual-encoder":
            trained = nn.functional.cosine_similarity(network.image(picture), network.text(text))
            image = run("vision_model", pixel_values=picture)
            return trained, nn.functional.cosine_similarity(image, run("text_model", input_ids=text))
        trained = torch.sigmoid(network.answerer(network.vision(picture), text))
        features = run("vision_model", pixel_values=picture)
        return trained, torch.sigmoid(run("answer_model", features=features, input_ids=text))

    pairs = [scores(picture[None], text[None]) for picture, text in zip(pixels, ids)]
    greatest = max((trained - packed).abs().item() for trained, packed in pairs)
    if not greatest < MOST_DIFFERENCE:
        raise SystemExit(f"{folder.parent.name}: scores differ by {greatest:.2g} on {source}")
    return f"parity {greatest:.2g} over {len(pairs)} {source}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint")
    parser.add_argument("--out", default=str(Path(__file__).parent.parent / "weights"))
    parser.add_argument("--held-out")
    arguments = parser.parse_args()
    saved = torch.load(arguments.checkpoint, map_location="cpu")
    report, layout = saved["report"], saved["layout"]
    settings = report["settings"]
    folder = Path(arguments.out) / report["model"]
    onnx_folder = folder / "onnx"
    vocabulary, side = len(layout["words"]), layout["side"]
    pixels = torch.zeros(1, 3, side, side)
    weights = {name: value.float() if value.is_floating_point() else value for name, value in saved["weights"].items()}
    folder.mkdir(parents=True, exist_ok=True)
    if settings["network"] == "dual-encoder":
        network = DualEncoder(vocabulary, settings)
        network.load_state_dict(weights)
        ids = torch.ones(1, settings["captionTokens"], dtype=torch.long)
        export(network.image, pixels, onnx_folder / "vision_model.onnx", ["pixel_values"], "image_embeds",
               {"pixel_values": {0: "batch"}, "image_embeds": {0: "batch"}})
        export(DualText(network.text), ids, onnx_folder / "text_model.onnx", ["input_ids"], "text_embeds",
               {"input_ids": {0: "batch", 1: "length"}, "text_embeds": {0: "batch"}})
    else:
        network = QuestionAnswerer(vocabulary, len(layout["kinds"]), len(layout["colours"]), settings)
        network.load_state_dict(weights)
        network.eval()
        ids = torch.ones(2, 12, dtype=torch.long)
        features = network.vision(pixels).detach()
        export(network.vision, pixels, onnx_folder / "vision_model.onnx", ["pixel_values"], "features", {})
        export(network.answerer, (features, ids), onnx_folder / "answer_model.onnx",
               ["features", "input_ids"], "logits",
               {"input_ids": {0: "questions", 1: "length"}, "logits": {0: "questions"}})
    write_settings(folder, layout, settings, report)
    sizes = {path.name: path.stat().st_size for path in sorted(onnx_folder.iterdir())}
    print(folder.name, sizes, parity(network, onnx_folder, arguments.held_out, layout, settings))


if __name__ == "__main__":
    main()
