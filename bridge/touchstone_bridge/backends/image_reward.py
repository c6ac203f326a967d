"""ImageReward by the package image-reward (Xu et al. 2023)."""

import os
from functools import partial

from .backend import PRECISIONS, Backend
from .hpsv2 import pixels_of

MOST_TOKENS = 35
"""Of a prompt, as the package cuts it."""


class ImageReward(Backend):
    """Gives the network's own reward; the package's `score` is that after (reward - mean) / std. It scores one image
    at a time, so here its parts are called as it calls them, with many."""

    name = "image-reward"
    abilities = ("reward",)
    default_model = "ImageReward-v1.0"
    extra = "image-reward"
    packages = ("image-reward", "transformers", "torch")
    precisions = PRECISIONS

    def load(self) -> dict:
        import ImageReward as published
        import torch

        self.refuse_revision()
        self.torch = torch
        self.where = self.device()
        self.network = published.load(os.path.expanduser(self.model), device=self.where)
        return {**self.facts(), "device": self.where}

    def preparer(self):
        return partial(pixels_of, self.network.preprocess)

    def reward(self, images, texts):
        blip = self.network.blip
        read = blip.tokenizer(
            texts, padding="max_length", truncation=True, max_length=MOST_TOKENS, return_tensors="pt"
        ).to(self.where)
        with self.autocast():
            seen = blip.visual_encoder(self.torch.stack(images).to(self.where, non_blocking=True))
            everywhere = self.torch.ones(seen.size()[:-1], dtype=self.torch.long, device=self.where)
            found = blip.text_encoder(
                read.input_ids,
                attention_mask=read.attention_mask,
                encoder_hidden_states=seen,
                encoder_attention_mask=everywhere,
                return_dict=True,
            )
        return self.network.mlp(found.last_hidden_state[:, 0, :].float()).reshape(-1)
