"""CLIPs of four packages: embeddings of images and texts, whose cosine each package's score is made of."""

import os
from functools import partial

from ..failure import Failure
from ..whole import cut_to_middle, tokens_of, tokens_read
from .backend import Network


class Clip(Network):
    """`open` sets network, transforms and tokens, as open_clip makes them."""

    abilities = ("embed-image", "embed-text")
    how = {}

    def embed_image(self, images):
        return self.network.encode_image(self.pixels(images), **self.how)

    def embed_text(self, texts):
        return self.network.encode_text(self.tokens(texts).to(self.where), **self.how)

    def cast(self) -> dict:
        """Casts the network to the chosen precision; says its scale."""
        self.network = self.network.eval().to(self.where).to(self.dtype)
        self.weights = next(self.network.parameters()).dtype
        return {"logitScale": float(self.network.logit_scale.detach().exp())}


class OpenClip(Clip):
    """For groups of images and clip-score. The model is ARCHITECTURE+WEIGHTS: a tag of open_clip's, or a file."""

    name = "open-clip"
    default_model = "ViT-B-16+laion2b_s34b_b88k"
    packages = ("open_clip_torch", "torch")

    def open(self):
        import open_clip

        architecture, _, weights = self.model.partition("+")
        if not weights:
            hint = f"Such as {self.default_model}; without weights its answers would be random"
            raise Failure("load-failed", f"Expected ARCHITECTURE+WEIGHTS but received {self.model!r}", hint)
        made = open_clip.create_model_and_transforms(architecture, pretrained=weights, device=self.where)
        self.network, _, self.transforms = made
        self.tokens = open_clip.get_tokenizer(architecture)
        return self.cast()

    def about_text(self, text) -> dict:
        return tokens_of(self.tokens, text)


class ClipScore(Clip):
    """That of t2v_metrics (Lin et al. 2024)."""

    name = "t2v-clip-score"
    default_model = "openai:ViT-L-14-336"
    extra = "t2v"
    packages = ("t2v-metrics", "open-clip-torch", "torch")
    precisions = ()

    def open(self):
        import t2v_metrics

        clip = t2v_metrics.CLIPScore(model=self.model, device=self.where).model
        self.network, self.transforms, self.tokens = clip.model, clip.preprocess, clip.tokenizer


class HpsV2(Clip):
    """HPS v2 by the package hpsv2 (Wu et al. 2023). The revision is the version of its weights, v2.0 or v2.1. The inner
    product of embeddings is the package's `score`, which itself reads the checkpoint of 4 GB again for each call."""

    name = "hpsv2"
    default_model = "HPSv2"
    default_revision = "v2.1"
    takes_revision = True
    packages = ("hpsv2", "torch")
    how = {"normalize": True}

    def open(self):
        from huggingface_hub import hf_hub_download

        try:
            from hpsv2 import img_score
            from hpsv2.src.open_clip import get_tokenizer
            from hpsv2.utils import hps_version_map
        except FileNotFoundError as error:
            # The wheel of hpsv2 1.2.0 lacks bpe_simple_vocab_16e6.txt.gz, which its tokenizer reads when it is imported.
            folder, name = os.path.split(error.filename or "")
            hint = f"Copy it from hpsv2/src/open_clip of github.com/tgxs002/HPSv2 to {folder}"
            raise Failure("load-failed", f"The installed hpsv2 lacks {name}", hint)
        if self.model != self.default_model:
            raise Failure("load-failed", f"hpsv2 has no model {self.model!r}", "Name none")
        if self.revision not in hps_version_map:
            known = ", ".join(hps_version_map)
            raise Failure("load-failed", f"Expected one of {known} but received {self.revision!r}")
        # The package chooses where its network goes by a variable of the module.
        img_score.device = self.where
        img_score.initialize_model()
        self.network = img_score.model_dict["model"]
        self.transforms = img_score.model_dict["preprocess_val"]
        checkpoint = hf_hub_download("xswu/HPSv2", hps_version_map[self.revision])
        self.network.load_state_dict(self.torch.load(checkpoint, map_location=self.where)["state_dict"])
        self.network = self.network.to(self.where).eval()
        self.tokens = get_tokenizer("ViT-H-14")

    def called(self, method, *given):
        # The package computes with 16 bits on a GPU, and with 32 elsewhere.
        with self.autocast(None if self.on_cpu else self.torch.float16):
            return super().called(method, *given)


class PickScore(Clip):
    """As its public code has it (Kirstain et al. 2023), or any CLIP of transformers."""

    name = "pick-score"
    default_model = "yuvalkirstain/PickScore_v1"
    takes_revision = True
    packages = ("transformers", "torch")

    def open(self):
        from transformers import AutoModel, AutoProcessor

        # The published one has no processor of its own.
        base = "laion/CLIP-ViT-H-14-laion2B-s32B-b79K" if self.model == self.default_model else self.model
        self.processor = AutoProcessor.from_pretrained(base)
        self.network = AutoModel.from_pretrained(self.model, revision=self.revision or "main")
        # 77 of the published one.
        self.most = self.network.config.text_config.max_position_embeddings
        return self.cast()

    def preparer(self):
        return partial(processed, self.processor.image_processor)

    def about_text(self, text) -> dict:
        return tokens_read(self.most, self.processor(text=[text], return_tensors="pt")["input_ids"].shape[-1])

    def embed_image(self, images):
        return features(self.network.get_image_features(pixel_values=self.pixels(images)))

    def embed_text(self, texts):
        cut = {"padding": True, "truncation": True, "max_length": self.most}
        inputs = self.processor(text=texts, **cut, return_tensors="pt").to(self.where)
        return features(self.network.get_text_features(**inputs))


def features(found):
    """Later versions of transformers give them within an object."""
    return getattr(found, "pooler_output", found)


def processed(settings, picture):
    pixels = settings(images=[picture], return_tensors="pt")["pixel_values"][0]
    if not settings.do_center_crop or "shortest_edge" not in settings.size:
        return pixels, {}
    crop = (settings.crop_size["width"], settings.crop_size["height"])
    return pixels, cut_to_middle(picture.size, settings.size["shortest_edge"], crop)
