"""VQAScore and CLIPScore by the package t2v_metrics (Lin et al. 2024)."""

from ..images import upright_rgb
from .backend import Backend, numbers
from .picture_file import PictureFile


class VqaScore(Backend):
    """P("Yes") as the package gives it: the word's own probability, not its share of yes and no."""

    name = "t2v-vqa-score"
    abilities = ("probability-of-yes",)
    default_model = "clip-flant5-xxl"
    extra = "t2v"
    packages = ("t2v-metrics", "transformers", "torch")

    def load(self) -> dict:
        import t2v_metrics

        self.refuse_revision()
        where = self.device()
        self.scorer = t2v_metrics.VQAScore(model=self.model, device=where)
        return {**self.facts(), "device": where}

    def probability_of_yes(self, image, text) -> float:
        # The whole question comes from the other side, so the package's own wording is left out.
        wording = {"question_template": "{}", "answer_template": "Yes"}
        with PictureFile(upright_rgb(image)) as path:
            return numbers(self.scorer(images=[path], texts=[text], **wording))[0]


class ClipScore(Backend):
    """The two embeddings whose cosine the package's CLIPScore is."""

    name = "t2v-clip-score"
    abilities = ("embed-image", "embed-text")
    default_model = "openai:ViT-L-14-336"
    extra = "t2v"
    packages = ("t2v-metrics", "open-clip-torch", "torch")

    def load(self) -> dict:
        import t2v_metrics
        import torch

        self.refuse_revision()
        self.torch = torch
        where = self.device()
        self.clip = t2v_metrics.CLIPScore(model=self.model, device=where).model
        self.where = where
        return {**self.facts(), "device": where}

    def embed_image(self, image) -> "list[float]":
        with PictureFile(upright_rgb(image)) as path, self.torch.no_grad():
            return numbers(self.clip.model.encode_image(self.clip.load_images([path])))

    def embed_text(self, text) -> "list[float]":
        with self.torch.no_grad():
            tokens = self.clip.tokenizer([text]).to(self.where)
            return numbers(self.clip.model.encode_text(tokens))
