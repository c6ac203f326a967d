"""Image embeddings, kept on disk. The vision encoder is frozen, so each image is embedded once, into a
file by the hash of the image's bytes, of the model's name and of what changes the embedding."""

import hashlib
import os
from pathlib import Path

import torch
from PIL import Image
from safetensors.torch import load_file, save_file

AT_ONCE = 8


class Embeddings:
    def __init__(self, model, processor, config, folder, kept):
        self.model, self.processor, self.folder, self.kept = model, processor, Path(folder), Path(kept)
        self.settings = "\n".join(str(config[name]) for name in ["model", "maxPixels", "precision"])
        self.files = {}

    def file(self, name):
        if name not in self.files:
            digest = hashlib.sha256(self.settings.encode() + (self.folder / name).read_bytes()).hexdigest()
            self.files[name] = self.kept / f"{digest}.safetensors"
        return self.files[name]

    def __getitem__(self, name):
        """The embedding, [tokens, width], and the image's grid of patches."""
        return load_file(self.file(name), device=str(self.model.device))

    def make(self, names):
        """Embeds images in batches and says after each how many are there. A batch that was broken off is embedded
        again whole, since the last bits of an embedding may depend on what stands beside it."""
        self.kept.mkdir(parents=True, exist_ok=True)
        names = list(dict.fromkeys(names))
        for at in range(0, len(names), AT_ONCE):
            batch = names[at : at + AT_ONCE]
            lacking = [name for name in batch if not self.file(name).exists()]
            if lacking:
                made = self.embed(batch)
                for name in lacking:
                    part = self.file(name).with_suffix(".part")
                    save_file(made[name], part)
                    os.replace(part, self.file(name))
            yield at + len(batch), len(lacking)

    @torch.no_grad()
    def embed(self, names):
        images = []
        for name in names:
            with Image.open(self.folder / name) as image:
                images.append(image.convert("RGB"))
        inputs = self.processor.image_processor(images=images, return_tensors="pt").to(self.model.device)
        found = self.model.get_image_features(**inputs, return_dict=True).pooler_output
        return {name: {"embedding": one.contiguous(), "grid": grid} for name, one, grid in zip(names, found, inputs["image_grid_thw"])}
