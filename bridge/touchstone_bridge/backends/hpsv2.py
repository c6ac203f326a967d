"""HPS v2 by the package hpsv2 (Wu et al. 2023)."""

import os
from functools import partial

from ..failure import Failure
from .backend import PRECISIONS, Backend

ARCHITECTURE = "ViT-H-14"


class HpsV2(Backend):
    """The revision is the version of its weights, v2.0 or v2.1.

    The package's own `score` reads the checkpoint of 4 GB again for each call. Here the same
    functions are called once to load, and then the same network to embed: its `score` is the inner
    product of these two.
    """

    name = "hpsv2"
    abilities = ("embed-image", "embed-text")
    default_model = "HPSv2"
    default_revision = "v2.1"
    extra = "hpsv2"
    packages = ("hpsv2", "torch")
    precisions = PRECISIONS

    def load(self) -> dict:
        import torch

        vocabulary_is_there()
        from huggingface_hub import hf_hub_download
        from hpsv2 import img_score
        from hpsv2.src.open_clip import get_tokenizer
        from hpsv2.utils import hps_version_map

        if self.model != self.default_model:
            raise Failure("load-failed", f"hpsv2 has no model {self.model!r}", "Name none")
        if self.revision not in hps_version_map:
            known = ", ".join(hps_version_map)
            raise Failure("load-failed", f"Expected one of {known} but received {self.revision!r}")
        self.torch = torch
        self.where = self.device()
        # The package chooses where its network goes by a variable of the module.
        img_score.device = self.where
        img_score.initialize_model()
        self.network = img_score.model_dict["model"]
        self.transforms = img_score.model_dict["preprocess_val"]
        checkpoint = hf_hub_download("xswu/HPSv2", hps_version_map[self.revision])
        weights = torch.load(checkpoint, map_location=self.where)["state_dict"]
        self.network.load_state_dict(weights)
        self.network = self.network.to(self.where).eval()
        self.tokenize = get_tokenizer(ARCHITECTURE)
        return {**self.facts(), "device": self.where}

    def preparer(self):
        return partial(pixels_of, self.transforms)

    def embed_image(self, images):
        pixels = self.torch.stack(images).to(self.where, non_blocking=True)
        with self.autocast(self.published()):
            return self.network.encode_image(pixels, normalize=True)

    def embed_text(self, texts):
        tokens = self.tokenize(texts).to(self.where)
        with self.autocast(self.published()):
            return self.network.encode_text(tokens, normalize=True)

    def published(self):
        """The package computes with 16 bits on a GPU, and with 32 elsewhere."""
        return None if self.on_cpu() else self.torch.float16


def pixels_of(transforms, picture):
    return transforms(picture), {}


def vocabulary_is_there() -> None:
    """The wheel of hpsv2 1.2.0 lacks a file that its tokenizer reads when it is imported."""
    from importlib.util import find_spec

    found = find_spec("hpsv2")
    if found is None or found.origin is None:
        raise ImportError("No module named 'hpsv2'")
    folder = os.path.join(os.path.dirname(found.origin), "src", "open_clip")
    name = "bpe_simple_vocab_16e6.txt.gz"
    if os.path.isdir(folder) and not os.path.exists(os.path.join(folder, name)):
        raise Failure(
            "load-failed",
            f"The installed hpsv2 lacks {name}",
            f"Copy it from hpsv2/src/open_clip of github.com/tgxs002/HPSv2 to {folder}",
        )
