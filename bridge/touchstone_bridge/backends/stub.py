"""Answers by arithmetic, without a package: it proves the protocol, and judges nothing."""

import hashlib
import os
import sys
import time

from ..failure import Failure
from ..images import image_bytes
from .backend import Backend


class Stub(Backend):
    """Numbers in (0, 1) from hashes of what is asked. The model "moody" does what texts tell it."""

    name = "stub"
    abilities = ("reward", "probability-of-yes", "embed-image", "embed-text", "localize")
    default_model = "sha256"
    opened = staticmethod(image_bytes)

    def open(self):
        if self.model not in ("sha256", "moody"):
            raise Failure("load-failed", f"The stub has no model {self.model!r}", "Take sha256")
        self.workers = 0

    def reward(self, images, texts) -> "list[float]":
        return [shares(b"reward", image, told.encode())[0] for image, told in self.told(images, texts)]

    def probability_of_yes(self, images, texts) -> "list[float]":
        return [shares(b"yes", image, told.encode())[0] for image, told in self.told(images, texts)]

    def embed_image(self, images) -> "list[list[float]]":
        return [shares(b"image", image) for image in images]

    def embed_text(self, texts) -> "list[list[float]]":
        return [shares(b"text", told.encode()) for _, told in self.told(texts, texts)]

    def localize(self, images, texts) -> "list[list[float]]":
        """The left part of the image, so much of it as a hash says; nothing of "nothing"."""
        return [left_part(image, told) for image, told in self.told(images, texts)]

    def told(self, images, texts):
        for image, text in zip(images, texts):
            if self.model == "moody":
                obey(text)
            yield image, text


def obey(text) -> None:
    if text == "exit":
        print("told to exit", file=sys.stderr, flush=True)
        os._exit(3)
    if text == "print":
        print("a library prints what it likes", flush=True)
    if text == "throw":
        raise RuntimeError("told to throw")
    if text == "hang":
        time.sleep(3600)


def left_part(image, text) -> "list[float]":
    height, width = png_size(image)
    columns = 0 if text == "nothing" else 1 + int(shares(b"mask", text.encode())[0] * (width - 1))
    inside = columns * height
    return [float(one) for one in (height, width, 0, inside, height * width - inside)]


def png_size(data: bytes) -> "tuple[int, int]":
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise Failure("bad-input", "The stub localises in PNG only")
    return int.from_bytes(data[20:24], "big"), int.from_bytes(data[16:20], "big")


def shares(*parts: bytes) -> "list[float]":
    digest = hashlib.sha256(b"\0".join(parts)).digest()
    return [(digest[index] + 0.5) / 256 for index in range(4)]
