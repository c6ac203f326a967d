"""A CLIP of open_clip: embeddings of images and texts, for groups of images and clip-score."""

from functools import partial

from ..failure import Failure
from ..whole import cut_by_transforms, tokens_of
from .backend import PRECISIONS, Backend


class OpenClip(Backend):
    """The model is ARCHITECTURE, or ARCHITECTURE+WEIGHTS: a tag of open_clip's, or a file."""

    name = "open-clip"
    abilities = ("embed-image", "embed-text")
    default_model = "ViT-B-16+laion2b_s34b_b88k"
    extra = "open-clip"
    packages = ("open_clip_torch", "torch")
    precisions = PRECISIONS

    def load(self) -> dict:
        import open_clip
        import torch

        self.refuse_revision()
        architecture, _, weights = self.model.partition("+")
        if not weights:
            raise Failure(
                "load-failed",
                f"Expected ARCHITECTURE+WEIGHTS but received {self.model!r}",
                f"Such as {self.default_model}; without weights its answers would be random",
            )
        self.torch = torch
        self.where = self.device()
        self.network, _, self.transforms = open_clip.create_model_and_transforms(
            architecture, pretrained=weights, device=self.where
        )
        self.network.eval().to(self.dtype())
        self.weights = next(self.network.parameters()).dtype
        self.tokens = open_clip.get_tokenizer(architecture)
        scale = float(self.network.logit_scale.detach().exp())
        return {**self.facts(), "device": self.where, "logitScale": scale}

    def preparer(self):
        return partial(transformed, self.transforms)

    def about_text(self, text) -> dict:
        return tokens_of(self.tokens, text)

    def embed_image(self, images):
        pixels = self.torch.stack(images).to(self.where, self.weights, non_blocking=True)
        return self.network.encode_image(pixels)

    def embed_text(self, texts):
        return self.network.encode_text(self.tokens(texts).to(self.where))


def transformed(transforms, picture):
    return transforms(picture), cut_by_transforms(picture.size, transforms)
