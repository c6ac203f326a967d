"""Images as they come in a request: a path, or the bytes in base64."""

import base64
import binascii
import io

from .failure import Failure


def image_bytes(image) -> bytes:
    """The encoded image. Throws "bad-input" where there is none."""
    given = image if isinstance(image, dict) else {}
    try:
        if isinstance(given.get("base64"), str):
            return base64.b64decode(given["base64"], validate=True)
        if isinstance(given.get("path"), str):
            with open(given["path"], "rb") as file:
                return file.read()
    except binascii.Error as error:
        raise Failure("bad-input", f"The image is no base64: {error}")
    except OSError as error:
        raise Failure("bad-input", f"Can't read the image: {error}")
    raise Failure("bad-input", 'Expected {"path": …} or {"base64": …} for image')


def upright_rgb(image):
    """A PIL image: upright, flattened on white, RGB. Touchstone itself sends images that are so already."""
    from PIL import Image, ImageOps

    data = io.BytesIO(image_bytes(image))
    try:
        opened = Image.open(data)
        opened.load()
        # Either call copies all pixels, also of an image that needs neither.
        if opened.getexif().get(0x0112, 1) != 1:
            opened = ImageOps.exif_transpose(opened)
        if opened.mode == "P" or "A" in opened.getbands():
            opened = opened.convert("RGBA")
            white = Image.new("RGBA", opened.size, (255, 255, 255, 255))
            opened = Image.alpha_composite(white, opened)
        return opened if opened.mode == "RGB" else opened.convert("RGB")
    except Exception as error:
        raise Failure("bad-input", f"Can't decode the image: {error}")


def prepared(opened, made, _, item):
    """Runs in a worker: what is made of an item's picture."""
    return made(opened(item["image"]))
