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
    extra = "stub"

    def load(self) -> dict:
        if self.model not in ("sha256", "moody"):
            raise Failure("load-failed", f"The stub has no model {self.model!r}", "Take sha256")
        return self.facts()

    def reward(self, image, text) -> float:
        self.obey(text)
        return shares(b"reward", image_bytes(image), text.encode())[0]

    def probability_of_yes(self, image, text) -> float:
        self.obey(text)
        return shares(b"yes", image_bytes(image), text.encode())[0]

    def embed_image(self, image) -> "list[float]":
        return shares(b"image", image_bytes(image))

    def embed_text(self, text) -> "list[float]":
        self.obey(text)
        return shares(b"text", text.encode())

    def localize(self, image, text) -> "list[float]":
        """The left part of the image, so much of it as a hash says; nothing of "nothing"."""
        self.obey(text)
        height, width = png_size(image_bytes(image))
        columns = 0 if text == "nothing" else 1 + int(shares(b"mask", text.encode())[0] * (width - 1))
        inside = columns * height
        return [float(one) for one in (height, width, 0, inside, height * width - inside)]

    def obey(self, text) -> None:
        if self.model != "moody":
            return
        if text == "exit":
            print("told to exit", file=sys.stderr, flush=True)
            os._exit(3)
        if text == "print":
            print("a library prints what it likes")
            sys.stdout.flush()
        if text == "throw":
            raise RuntimeError("told to throw")
        if text == "hang":
            time.sleep(3600)


def png_size(data: bytes) -> "tuple[int, int]":
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise Failure("bad-input", "The stub localises in PNG only")
    return int.from_bytes(data[20:24], "big"), int.from_bytes(data[16:20], "big")


def shares(*parts: bytes) -> "list[float]":
    digest = hashlib.sha256(b"\0".join(parts)).digest()
    return [(digest[index] + 0.5) / 256 for index in range(4)]
