"""VQAScore and CLIPScore by the package t2v_metrics (Lin et al. 2024)."""

import contextlib
from functools import partial

from .backend import Backend
from .open_clip import transformed
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
        self.where = self.device()
        self.scorer = t2v_metrics.VQAScore(model=self.model, device=self.where)
        return {**self.facts(), "device": self.where}

    def probability_of_yes(self, images, texts):
        # The whole question comes from the other side, so the package's own wording is left out. The scorer
        # itself asks all texts of all images; its model asks one of each.
        wording = {"question_template": "{}", "answer_template": "Yes"}
        with contextlib.ExitStack() as files:
            paths = [files.enter_context(PictureFile(image)) for image in images]
            return self.scorer.model.forward(paths, texts, **wording)


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
        self.where = self.device()
        self.clip = t2v_metrics.CLIPScore(model=self.model, device=self.where).model
        return {**self.facts(), "device": self.where}

    def preparer(self):
        return partial(transformed, self.clip.preprocess)

    def embed_image(self, images):
        pixels = self.torch.stack(images).to(self.where, non_blocking=True)
        return self.clip.model.encode_image(pixels)

    def embed_text(self, texts):
        return self.clip.model.encode_text(self.clip.tokenizer(texts).to(self.where))
