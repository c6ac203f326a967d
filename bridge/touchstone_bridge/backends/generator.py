"""A user's own function generate(prompt, seed) -> image, and what is an image."""

import io
import os

from ..failure import Failure
from .function import Own, described, function_named


class Generator(Own):
    """It returns a PIL image, the bytes of an image's file, or an array (height x width x 3: 0 to 255, or floats from 0 to
    1); None, or an exception named Refused, is a refusal. Its attribute `making` says how (steps, guidance, …)."""

    name = "generator"
    abilities = ("generate",)
    taking = "prompt, seed"

    def open(self):
        if (self.device or "").startswith("cuda:"):
            # What it calls "cuda" is then its own card.
            os.environ["CUDA_VISIBLE_DEVICES"] = card_of(self.device, os.environ.get("CUDA_VISIBLE_DEVICES"))
        self.function, self.together = function_named(self.model, self.taking)
        self.most = 1 if self.together is None else self.most
        return {"metric": described(self.function, "making")}

    def generate(self, prompts, seeds) -> list:
        return self.asked(file_of, prompts, seeds)


def card_of(device, visible) -> str:
    """The card that cuda:NUMBER is, where only some are visible (CUDA_VISIBLE_DEVICES)."""
    number = device.split(":")[1]
    if not visible:
        return number
    cards = [card.strip() for card in visible.split(",")]
    if not number.isdigit() or int(number) >= len(cards):
        visible = f"{len(cards)} visible cards (CUDA_VISIBLE_DEVICES)"
        raise Failure("load-failed", f"Expected one of {visible} but received {device}")
    return cards[int(number)]


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

    if hasattr(made, "detach"):
        # A tensor as numpy takes it, which has no bfloat16. Whole numbers stay whole: their range is another.
        made = made.detach().cpu()
        made = made.float() if made.is_floating_point() else made
    found = numpy.asarray(made)
    if found.ndim == 3 and found.shape[0] in (1, 3, 4) and found.shape[2] not in (1, 3, 4):
        found = found.transpose(1, 2, 0)
    if found.ndim not in (2, 3) or found.size == 0 or found.dtype.kind not in "fbiu":
        shown = f"an array of shape {found.shape} of {found.dtype}" if found.ndim else repr(made)
        raise Failure("failed", f"Expected an image, bytes or an array but the generator gave {shown}")
    if not numpy.isfinite(found).all():
        raise Failure("not-finite", "Expected finite numbers in the array that the generator gave")
    most = 1 if found.dtype.kind in "fb" else 255
    least_found, most_found = found.min(), found.max()
    if least_found < -0.01 * most or most_found > 1.01 * most:
        shown = f"{least_found:g} to {most_found:g}"
        raise Failure("failed", f"Expected numbers from 0 to {most} in the array but the generator gave {shown}")
    found = (255 / most * found.astype("float64").clip(0, most)).round().astype("uint8")
    return found[:, :, 0] if found.ndim == 3 and found.shape[2] == 1 else found
