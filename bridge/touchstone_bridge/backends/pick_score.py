"""PickScore, as its public code has it: a CLIP of transformers (Kirstain et al. 2023)."""

from ..images import upright_rgb
from ..whole import cut_to_middle, tokens_read
from .backend import Backend, numbers

PUBLISHED_PROCESSOR = "laion/CLIP-ViT-H-14-laion2B-s32B-b79K"


class PickScore(Backend):
    """Any CLIP of transformers can be named; by default it is the published one with its processor."""

    name = "pick-score"
    abilities = ("embed-image", "embed-text")
    default_model = "yuvalkirstain/PickScore_v1"
    extra = "pick-score"
    packages = ("transformers", "torch")

    def load(self) -> dict:
        import torch
        from transformers import AutoModel, AutoProcessor

        # The published repository holds the weights; images and texts are prepared by its base's.
        processor = PUBLISHED_PROCESSOR if self.model == self.default_model else self.model
        self.torch = torch
        self.where = self.device()
        self.processor = AutoProcessor.from_pretrained(processor)
        revision = {} if self.revision is None else {"revision": self.revision}
        self.network = AutoModel.from_pretrained(self.model, **revision).eval().to(self.where)
        scale = float(self.network.logit_scale.detach().exp())
        return {**self.facts(), "device": self.where, "logitScale": scale}

    def not_whole(self, image=None, text=None) -> dict:
        if text is not None:
            ids = self.processor(text=[text], return_tensors="pt")["input_ids"]
            return tokens_read(self.most_tokens(), ids.shape[-1])
        settings = self.processor.image_processor
        if not settings.do_center_crop or "shortest_edge" not in settings.size:
            return {}
        crop = (settings.crop_size["width"], settings.crop_size["height"])
        return cut_to_middle(upright_rgb(image).size, settings.size["shortest_edge"], crop)

    def embed_image(self, image) -> "list[float]":
        inputs = self.processor(images=[upright_rgb(image)], return_tensors="pt").to(self.where)
        with self.torch.no_grad():
            return numbers(self.network.get_image_features(**inputs))

    def embed_text(self, text) -> "list[float]":
        inputs = self.processor(
            text=[text], padding=True, truncation=True, max_length=self.most_tokens(),
            return_tensors="pt",
        ).to(self.where)
        with self.torch.no_grad():
            return numbers(self.network.get_text_features(**inputs))

    def most_tokens(self) -> int:
        """77 of the published one."""
        return self.network.config.text_config.max_position_embeddings
