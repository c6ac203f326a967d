"""PickScore, as its public code has it: a CLIP of transformers (Kirstain et al. 2023)."""

from functools import partial

from ..whole import cut_to_middle, tokens_read
from .backend import PRECISIONS, Backend

PUBLISHED_PROCESSOR = "laion/CLIP-ViT-H-14-laion2B-s32B-b79K"


class PickScore(Backend):
    """Any CLIP of transformers can be named; by default it is the published one with its processor."""

    name = "pick-score"
    abilities = ("embed-image", "embed-text")
    default_model = "yuvalkirstain/PickScore_v1"
    extra = "pick-score"
    packages = ("transformers", "torch")
    precisions = PRECISIONS

    def load(self) -> dict:
        import torch
        from transformers import AutoModel, AutoProcessor

        # The published repository holds the weights; images and texts are prepared by its base's.
        processor = PUBLISHED_PROCESSOR if self.model == self.default_model else self.model
        self.torch = torch
        self.where = self.device()
        self.processor = AutoProcessor.from_pretrained(processor)
        revision = {} if self.revision is None else {"revision": self.revision}
        self.network = AutoModel.from_pretrained(self.model, **revision).eval()
        self.network = self.network.to(self.where).to(self.dtype())
        self.weights = next(self.network.parameters()).dtype
        scale = float(self.network.logit_scale.detach().exp())
        return {**self.facts(), "device": self.where, "logitScale": scale}

    def preparer(self):
        return partial(processed, self.processor.image_processor)

    def about_text(self, text) -> dict:
        ids = self.processor(text=[text], return_tensors="pt")["input_ids"]
        return tokens_read(self.most_tokens(), ids.shape[-1])

    def embed_image(self, images):
        pixels = self.torch.stack(images).to(self.where, self.weights, non_blocking=True)
        return features(self.network.get_image_features(pixel_values=pixels))

    def embed_text(self, texts):
        inputs = self.processor(
            text=texts, padding=True, truncation=True, max_length=self.most_tokens(),
            return_tensors="pt",
        ).to(self.where)
        return features(self.network.get_text_features(**inputs))

    def most_tokens(self) -> int:
        """77 of the published one."""
        return self.network.config.text_config.max_position_embeddings


def features(found):
    """Later versions of transformers give them within an object."""
    return getattr(found, "pooler_output", found)


def processed(settings, picture):
    pixels = settings(images=[picture], return_tensors="pt")["pixel_values"][0]
    if not settings.do_center_crop or "shortest_edge" not in settings.size:
        return pixels, {}
    crop = (settings.crop_size["width"], settings.crop_size["height"])
    return pixels, cut_to_middle(picture.size, settings.size["shortest_edge"], crop)
