"""What a frozen encoder makes of pictures and texts, worked out once: all that is trained after it
reads these numbers."""

import json
import re
from pathlib import Path

import numpy as np
import yaml
from onnxruntime import InferenceSession, SessionOptions
from PIL import Image

ROOT = Path(__file__).parents[2]
SIDE = 96


def session(path):
    options = SessionOptions()
    options.intra_op_num_threads = 1
    return InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def pixels(path):
    """[3, side, side] in [-1, 1], shrunk by whole blocks as src/images/shrink.ts does."""
    picture = np.asarray(Image.open(path).convert("RGB"), dtype=np.int64)
    block = picture.shape[0] // SIDE
    sums = picture.reshape(SIDE, block, SIDE, block, 3).sum((1, 3))
    levels = (sums + block * block // 2) // (block * block)
    return (levels.transpose(2, 0, 1) / 255 - 0.5).astype(np.float32) / np.float32(0.5)


def image_features(model, paths, sees="vision_model", batch=32):
    """[n, 768] by the file's stem, which is the picture's hash; by grid_model [n, 128, 12, 12]."""
    look = session(Path(model) / f"{sees}.onnx")
    parts = [
        look.run(None, {"pixel_values": np.stack([pixels(path) for path in paths[at : at + batch]])})[0]
        for at in range(0, len(paths), batch)
    ]
    return np.concatenate(parts).astype(np.float16)


class Texts:
    """Reads texts as packages/lab/src/models/tensors.ts does."""

    def __init__(self, model, settings):
        tokenizer = json.loads((Path(settings) / "tokenizer.json").read_text())
        self.ids = tokenizer["model"]["vocab"]
        self.meant = yaml.safe_load((ROOT / "packages/lab/data/read-as.yaml").read_text())
        self.read = session(Path(model) / "text_model.onnx")

    def tokens(self, text):
        said = text.lower()
        for word, meaning in self.meant.items():
            said = re.sub(rf"\b{word}\b", meaning, said)
        return [self.ids[word] for word in re.findall(r"[a-z-]+|[^\sa-z-]", said)]

    def features(self, texts):
        """[n, 96], one text at a time, since padding is none of the lab's."""
        return self.features_of([self.tokens(text) for text in texts])

    def features_of(self, tokens):
        run = lambda ids: self.read.run(None, {"input_ids": np.array([ids], np.int64)})[0]
        return np.concatenate([run(ids) for ids in tokens])


def ordinary(model, settings, folder, sees="vision_model"):
    """Scenes of make-data.mjs, which are of no benchmark: features of pictures, as above, and of sentences
    [n, asked, 96], and how much is wrong with each sentence, [n, asked], 0 for nothing."""
    folder = Path(folder)
    layout = json.loads((folder / "data.json").read_text())
    read = lambda name, kind: np.concatenate([np.fromfile(path, kind) for path in sorted(folder.glob(f"{name}-*"))])
    shown = read("pixels", np.uint8).reshape(-1, SIDE, SIDE, 3).transpose(0, 3, 1, 2) / np.float32(127.5) - 1
    look = session(Path(model) / f"{sees}.onnx")
    images = np.concatenate([look.run(None, {"pixel_values": shown[at : at + 32]})[0] for at in range(0, len(shown), 32)])
    said = read("prompts", np.uint16).reshape(-1, layout["captionTokens"])
    texts = Texts(model, settings).features_of([[int(word) for word in ids if word] for ids in said])
    asked = layout["promptsPerScene"]
    faults = read("faults", np.uint8).reshape(-1, asked)
    return {"images": images, "texts": texts.reshape(len(images), asked, -1), "faults": faults}
