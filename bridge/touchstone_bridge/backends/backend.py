"""What every backend has, and what those have whose network torch computes."""

import os
from functools import partial
from importlib import metadata

from ..failure import Failure, each
from ..images import prepared, upright_rgb
from ..pool import Pool
from ..protocol import ABILITIES
from ..whole import cut_by_transforms

PRECISIONS = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}


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
    transforms = None
    """Torchvision's, of a picture."""
    most = 32
    """Items at once, where no number was chosen."""

    def __init__(
        self, model=None, revision=None, device=None, batch=None, workers=None, precision=None,
        seconds=300.0, settings=None,
    ):
        self.model = model or self.default_model
        self.revision = revision or self.default_revision
        self.device, self.batch, self.workers = device, batch, workers
        self.precision, self.seconds, self.settings = precision, seconds, settings or {}
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
        return partial(transformed, self.transforms)

    def prepare(self, task) -> None:
        if self.pool is None:
            work = partial(prepared, self.opened, self.preparer())
            if self.workers == 0:
                return task.done(*each(work, [task.asked]))
            self.pool = Pool(partial(partial, work), self.workers or cores(), self.seconds)
        self.pool.add(task)

    def about_text(self, text) -> dict:
        """What of a text does not reach the network, as answers have it (`whole`)."""
        return {}

    def forward(self, method, batch):
        """The answers to a batch of items, perhaps still on their way on the device."""
        given = ([item.image if name == "image" else item.asked[name] for item in batch] for name in ABILITIES[method])
        return self.called(method, *given)

    def called(self, method, *given):
        return getattr(self, method.replace("-", "_"))(*given)

    def alone(self, method, item):
        """The answer to one item with an image and a text, prepared here."""
        image, _ = self.preparer()(self.opened(item["image"]))
        return self.fetched(self.called(method, [image], [item["text"]]))[0]

    def fetched(self, values) -> list:
        """The answers as Python's own numbers."""
        return values.detach().float().cpu().tolist() if hasattr(values, "detach") else values


class Network(Backend):
    """Torch computes it, without gradients and in the chosen precision."""

    precisions = tuple(PRECISIONS)
    weights = None
    """The type of numbers that they were cast to."""

    def load(self) -> dict:
        import torch

        self.torch = torch
        self.where = self.device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.on_cpu = not str(self.where).startswith("cuda")
        if not self.on_cpu:
            self.most = 256
        elif self.workers is None:
            # The network takes the other half.
            self.workers = max(1, cores() // 2)
        # What weights are cast to; None where they stay as they are.
        self.dtype = getattr(torch, PRECISIONS[self.precision]) if self.precision else None
        return {**super().load(), "device": self.where}

    def pixels(self, images):
        return self.torch.stack(images).to(self.where, self.weights, non_blocking=True)

    def called(self, method, *given):
        with self.torch.inference_mode():
            return super().called(method, *given)

    def autocast(self, published=None):
        """Computes as chosen, else as the package does: at `published`, or as its weights are."""
        chosen = self.dtype or published
        lower = chosen not in (None, self.torch.float32)
        return self.torch.autocast("cpu" if self.on_cpu else "cuda", chosen if lower else None, enabled=lower)


def transformed(transforms, picture):
    return (picture, {}) if transforms is None else (transforms(picture), cut_by_transforms(picture.size, transforms))


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def version_of(distribution: str) -> "str | None":
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None
