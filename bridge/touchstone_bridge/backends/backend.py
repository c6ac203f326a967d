"""What every backend has, and what those have whose network torch computes."""

import contextlib
import os
from functools import partial
from importlib import metadata

from ..failure import Failure
from ..images import pictures, upright_rgb
from ..pool import Pool
from ..protocol import ABILITIES
from ..whole import cut_by_transforms

PRECISIONS = ("fp32", "bf16", "fp16")


class Backend:
    """Its methods are named like abilities and take lists: `reward(images, texts)`, `embed_text(texts)`. They
    return as many numbers, rows, tensors or Failures. Images come as `preparer()` has made them, in other processes."""

    name: str
    abilities: "tuple[str, ...]"
    default_model: "str | None" = None
    default_revision: "str | None" = None
    takes_revision = False
    extra: "str | None" = None
    """The extra of this package that installs what it needs, where it has another name."""
    packages: "tuple[str, ...]" = ()
    """Distributions whose versions make its numbers."""
    precisions: "tuple[str, ...]" = ()
    """Those that can be chosen."""
    pool: "Pool | None" = None
    opened = staticmethod(upright_rgb)

    def __init__(
        self, model=None, revision=None, device=None, batch=None, workers=None, precision=None,
        seconds=300.0, settings=None,
    ):
        self.model = model or self.default_model
        self.revision = revision or self.default_revision
        self.chosen_device, self.chosen_workers = device, workers
        self.batch, self.precision, self.seconds, self.settings = batch, precision, seconds, settings or {}
        if precision is not None and precision not in self.precisions:
            known = ", ".join(self.precisions) or "none"
            raise Failure("load-failed", f"Expected {known} for precision of {self.name} but received {precision!r}")

    def load(self) -> dict:
        """Loads the model; says what a reader of its numbers must know: `packages`, and what `open` adds."""
        if self.revision is not None and not self.takes_revision:
            raise Failure("load-failed", f"{self.name} takes no revision; name another model")
        found = self.open() or {}
        return {"packages": {name: version_of(name) for name in self.packages}, **found}

    def open(self) -> "dict | None":
        raise NotImplementedError

    def preparer(self):
        """What a worker makes of a picture: (what is computed with, what of it does not reach the network)."""
        return whole_picture

    def prepare(self, task) -> None:
        if self.pool is None:
            work = partial(pictures, self.opened, self.preparer())
            if self.workers() == 0:
                [made] = work([task.asked])
                return task.done(made)
            self.pool = Pool(partial(partial, work), self.workers(), self.seconds)
        self.pool.add(task)

    def about_text(self, text) -> dict:
        """What of a text does not reach the network, as answers have it (`whole`)."""
        return {}

    def forward(self, method, batch):
        """The answers to a batch of items, perhaps still on their way on the device."""
        given = ([item.image if name == "image" else item.asked[name] for item in batch] for name in ABILITIES[method])
        return self.called(method, *given)

    def called(self, method, *given):
        with self.computing():
            return getattr(self, method.replace("-", "_"))(*given)

    def alone(self, method, item):
        """The answer to one item with an image and a text, prepared here."""
        image, _ = self.preparer()(self.opened(item["image"]))
        return self.fetched(self.called(method, [image], [item["text"]]))[0]

    def fetched(self, values) -> list:
        """The answers as Python's own numbers."""
        return values.detach().float().cpu().tolist() if hasattr(values, "detach") else values

    def workers(self) -> int:
        """Processes that prepare images."""
        return cores() if self.chosen_workers is None else self.chosen_workers

    def most_at_once(self) -> int:
        return 32

    def computing(self):
        return contextlib.nullcontext()

    def free_memory(self) -> None:
        pass


class Network(Backend):
    """Torch computes it, without gradients and in the chosen precision."""

    precisions = PRECISIONS
    transforms = None
    """Torchvision's, of a picture."""
    weights = None
    """The type of numbers that they were cast to."""

    def load(self) -> dict:
        import torch

        self.torch = torch
        self.where = self.chosen_device or ("cuda" if torch.cuda.is_available() else "cpu")
        return {**super().load(), "device": self.where}

    def preparer(self):
        return super().preparer() if self.transforms is None else partial(transformed, self.transforms)

    def pixels(self, images):
        return self.torch.stack(images).to(self.where, self.weights, non_blocking=True)

    def on_cpu(self) -> bool:
        return not str(self.where).startswith("cuda")

    def workers(self) -> int:
        """Where the processor computes, too, half of its cores."""
        return max(1, cores() // 2) if self.chosen_workers is None and self.on_cpu() else super().workers()

    def most_at_once(self) -> int:
        return 32 if self.on_cpu() else 256

    def computing(self):
        return self.torch.inference_mode()

    def autocast(self, published=None):
        """Computes as chosen, else as the package does: at `published`, or as its weights are."""
        kind = "cpu" if self.on_cpu() else "cuda"
        chosen = self.dtype() if self.precision else published
        if chosen in (None, self.torch.float32):
            return self.torch.autocast(kind, enabled=False)
        return self.torch.autocast(kind, dtype=chosen)

    def dtype(self):
        """What weights are cast to; None where they stay as they are."""
        named = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}
        return getattr(self.torch, named[self.precision]) if self.precision else None

    def free_memory(self) -> None:
        if self.torch.cuda.is_available():
            self.torch.cuda.empty_cache()


def whole_picture(picture):
    return picture, {}


def transformed(transforms, picture):
    return transforms(picture), cut_by_transforms(picture.size, transforms)


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def version_of(distribution: str) -> "str | None":
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None
