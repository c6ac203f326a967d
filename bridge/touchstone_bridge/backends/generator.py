"""A user's own function generate(prompt, seed) -> image, named module:function or file.py:function."""

import io
import os

from ..failure import Failure
from ..pool import each
from .backend import Backend
from .function import batch_of, described, function_named


class Generator(Backend):
    """It returns a PIL image, the bytes of an image's file, or an array (height x width x 3: 0 to 255, or floats from 0 to
    1); None, or an exception named Refused, is a refusal. A class is called once, without arguments, and what it makes
    is asked. NAME_batch(prompts, seeds) in its module, or a class's method `generate_batch`, is called with lists."""

    name = "generator"
    abilities = ("generate",)

    def load(self) -> dict:
        self.refuse_revision()
        if self.chosen_device is not None and self.chosen_device.startswith("cuda:"):
            # What it calls "cuda" is then its own card.
            os.environ["CUDA_VISIBLE_DEVICES"] = self.chosen_device.split(":")[1]
        self.function = function_named(self.model, "generate(prompt, seed)")
        self.together = batch_of(self.model, self.function)
        return {"packages": {}, "metric": described(self.function)}

    def generate(self, prompts, seeds) -> list:
        if self.together is None:
            return each(lambda *asked: file_of(self.function(*asked)), zip(prompts, seeds))
        return each(file_of, ((made,) for made in self.together(prompts, seeds)))

    def most_at_once(self) -> int:
        return 1 if self.together is None else super().most_at_once()


def file_of(made) -> bytes:
    """A file of the image that a generator made; PNG unless it is one already."""
    if isinstance(made, Exception):
        raise made
    if made is None:
        raise Failure("refused", "The generator returned no image")
    if isinstance(made, (bytes, bytearray)):
        return bytes(made)
    from PIL import Image

    picture = made if isinstance(made, Image.Image) else Image.fromarray(pixels_of(made))
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def pixels_of(made):
    import numpy

    found = numpy.asarray(made.detach().float().cpu() if hasattr(made, "detach") else made)
    if found.ndim == 3 and found.shape[0] in (1, 3, 4) and found.shape[2] not in (1, 3, 4):
        found = found.transpose(1, 2, 0)
    if found.ndim not in (2, 3) or found.size == 0:
        shown = f"an array of shape {found.shape}" if found.ndim else repr(made)
        raise Failure("failed", f"Expected an image, bytes or an array but the generator gave {shown}")
    if found.dtype.kind == "f":
        if not numpy.isfinite(found).all():
            raise Failure("not-finite", "Expected finite numbers in the array that the generator gave")
        found = (255 * found.clip(0, 1)).round()
    found = found.astype("uint8")
    return found[:, :, 0] if found.ndim == 3 and found.shape[2] == 1 else found
