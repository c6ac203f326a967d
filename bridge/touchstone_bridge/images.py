"""Images as they come in a request: a path, or the bytes in base64."""

import base64
import binascii
import io

from .failure import Failure


def image_bytes(image) -> bytes:
    """The encoded image. Throws "bad-input" where there is none."""
    if isinstance(image, dict) and isinstance(image.get("base64"), str):
        try:
            return base64.b64decode(image["base64"], validate=True)
        except binascii.Error as error:
            raise Failure("bad-input", f"The image is no base64: {error}")
    if isinstance(image, dict) and isinstance(image.get("path"), str):
        try:
            with open(image["path"], "rb") as file:
                return file.read()
        except OSError as error:
            raise Failure("bad-input", f"Can't read the image: {error}")
    raise Failure("bad-input", 'Expected {"path": …} or {"base64": …} for image')


def upright_rgb(image):
    """A PIL image: upright, flattened on white, RGB. Touchstone itself sends images that are so already."""
    from PIL import Image, ImageOps

    try:
        opened = ImageOps.exif_transpose(Image.open(io.BytesIO(image_bytes(image))))
        if opened.mode == "P" or "A" in opened.getbands():
            opened = opened.convert("RGBA")
            white = Image.new("RGBA", opened.size, (255, 255, 255, 255))
            opened = Image.alpha_composite(white, opened)
        return opened.convert("RGB")
    except Failure:
        raise
    except Exception as error:
        raise Failure("bad-input", f"Can't decode the image: {error}")


def pictures(prepared, asked) -> list:
    """Runs in a worker: what `prepared` makes of each item's picture."""
    from .pool import each

    return packed(each(lambda _, item: prepared(upright_rgb(item["image"])), asked))


def whole_picture(picture):
    return picture, {}


def packed(made):
    """Tensors of one shape as a single one: it goes through memory that both processes share."""
    first = next((one[0] for one in made if isinstance(one, tuple)), None)
    if type(first).__name__ != "Tensor":
        return made
    import torch
    import torch.multiprocessing  # noqa: F401  teaches pipes to share tensors

    kept = [one for one in made if isinstance(one, tuple)]
    stack = torch.stack([pixels for pixels, _ in kept])
    return stack, [one[1] if isinstance(one, tuple) else one for one in made]


def unpacked(made) -> list:
    if isinstance(made, list):
        return made
    stack, rest = made
    rows = iter(stack)
    return [(next(rows), one) if isinstance(one, dict) else one for one in rest]
