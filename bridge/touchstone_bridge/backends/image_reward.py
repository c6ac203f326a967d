"""ImageReward by the package image-reward (Xu et al. 2023)."""

import os

from ..images import upright_rgb
from .backend import Backend
from .picture_file import PictureFile


class ImageReward(Backend):
    """Gives the network's own reward; the package's `score` is that after (reward - mean) / std."""

    name = "image-reward"
    abilities = ("reward",)
    default_model = "ImageReward-v1.0"
    extra = "image-reward"
    packages = ("image-reward", "transformers", "torch")

    def load(self) -> dict:
        import ImageReward as published
        import torch

        self.refuse_revision()
        self.torch = torch
        self.where = self.device()
        self.network = published.load(os.path.expanduser(self.model), device=self.where)
        return {**self.facts(), "device": self.where}

    def reward(self, image, text) -> float:
        with PictureFile(upright_rgb(image)) as path, self.torch.no_grad():
            score = float(self.network.score(text, path))
        return score * self.network.std + self.network.mean
