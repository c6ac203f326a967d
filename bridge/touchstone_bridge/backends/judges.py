"""Networks that look at an image and its text at once."""

import os
import tempfile

from .backend import Network


class ImageReward(Network):
    """By the package image-reward (Xu et al. 2023): the network's own reward; the package's `score` is that after
    (reward - mean) / std. It scores one image at a time, so here its parts are called as it calls them, with many."""

    name = "image-reward"
    abilities = ("reward",)
    default_model = "ImageReward-v1.0"
    packages = ("image-reward", "transformers", "torch")

    def open(self):
        import ImageReward as published

        self.network = published.load(os.path.expanduser(self.model), device=self.where)
        self.transforms = self.network.preprocess

    def reward(self, images, texts):
        blip = self.network.blip
        # The package cuts a prompt at 35 tokens.
        cut = {"padding": "max_length", "truncation": True, "max_length": 35}
        read = blip.tokenizer(texts, **cut, return_tensors="pt").to(self.where)
        with self.autocast():
            seen = blip.visual_encoder(self.pixels(images))
            everywhere = self.torch.ones(seen.size()[:-1], dtype=self.torch.long, device=self.where)
            about = {"encoder_hidden_states": seen, "encoder_attention_mask": everywhere}
            found = blip.text_encoder(read.input_ids, attention_mask=read.attention_mask, return_dict=True, **about)
        return self.network.mlp(found.last_hidden_state[:, 0, :].float()).reshape(-1)


class VqaScore(Network):
    """By the package t2v_metrics (Lin et al. 2024): P("Yes") as it gives it, the word's own probability, not its
    share of yes and no."""

    name = "t2v-vqa-score"
    abilities = ("probability-of-yes",)
    default_model = "clip-flant5-xxl"
    extra = "t2v"
    packages = ("t2v-metrics", "transformers", "torch")
    precisions = ()

    def open(self):
        import t2v_metrics

        self.scorer = t2v_metrics.VQAScore(model=self.model, device=self.where)

    def probability_of_yes(self, images, texts):
        # The whole question comes from the other side, so the package's own wording is left out. The scorer
        # itself asks all texts of all images; its model asks one of each, and reads images from files alone.
        wording = {"question_template": "{}", "answer_template": "Yes"}
        with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
            paths = [os.path.join(folder, f"{place}.png") for place in range(len(images))]
            for image, path in zip(images, paths):
                image.save(path)
            return self.scorer.model.forward(paths, texts, **wording)
