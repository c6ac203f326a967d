"""A CLIP of open_clip: embeddings of images and texts, for groups of images and clip-score."""

from ..failure import Failure
from ..images import upright_rgb
from ..whole import cut_by_transforms, tokens_of
from .backend import Backend, numbers


class OpenClip(Backend):
    """The model is ARCHITECTURE, or ARCHITECTURE+WEIGHTS: a tag of open_clip's, or a file."""

    name = "open-clip"
    abilities = ("embed-image", "embed-text")
    default_model = "ViT-B-16+laion2b_s34b_b88k"
    extra = "open-clip"
    packages = ("open_clip_torch", "torch")

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
        self.network, _, self.prepared = open_clip.create_model_and_transforms(
            architecture, pretrained=weights, device=self.where
        )
        self.network.eval()
        self.tokens = open_clip.get_tokenizer(architecture)
        scale = float(self.network.logit_scale.detach().exp())
        return {**self.facts(), "device": self.where, "logitScale": scale}

    def not_whole(self, image=None, text=None) -> dict:
        if image is not None:
            return cut_by_transforms(upright_rgb(image).size, self.prepared)
        return tokens_of(self.tokens, text)

    def embed_image(self, image) -> "list[float]":
        pixels = self.prepared(upright_rgb(image)).unsqueeze(0).to(self.where)
        with self.torch.no_grad():
            return numbers(self.network.encode_image(pixels))

    def embed_text(self, text) -> "list[float]":
        with self.torch.no_grad():
            return numbers(self.network.encode_text(self.tokens([text]).to(self.where)))
