"""What every backend has."""

import contextlib
import os
from functools import partial
from importlib import metadata

from ..failure import Failure
from ..images import pictures, unpacked, upright_rgb, whole_picture
from ..pool import Pool

PRECISIONS = ("fp32", "bf16", "fp16")


class Backend:
    """Its methods are named like abilities and take lists: `reward(images, texts)`, `embed_text(texts)`. They
    return as many numbers, rows, tensors or Failures. Images come as `preparer()` has made them, in other processes."""

    name: str
    abilities: "tuple[str, ...]"
    default_model: "str | None" = None
    default_revision: "str | None" = None
    extra: str
    """The extra of this package that installs what it needs."""
    packages: "tuple[str, ...]" = ()
    """Distributions whose versions make its numbers."""
    precisions: "tuple[str, ...]" = ()
    """Those that can be chosen."""
    pool: "Pool | None" = None

    def __init__(
        self, model=None, revision=None, device=None, batch=None, workers=None, precision=None,
        seconds=300.0, settings=None,
    ):
        self.model = model or self.default_model
        self.revision = revision or self.default_revision
        self.chosen_device = device
        self.batch = batch
        self.chosen_workers = workers
        self.precision = precision
        self.seconds = seconds
        self.settings = settings or {}

    def load(self) -> dict:
        """Loads the model; says what a reader of its numbers must know: `packages`, `device`."""
        raise NotImplementedError

    def preparer(self):
        """What a worker makes of a picture: (what is computed with, what of it does not reach the network)."""
        return whole_picture

    def prepare(self, task) -> None:
        if self.chosen_workers == 0:
            [made] = unpacked(pictures(self.preparer(), [task.asked]))
            return task.done(made)
        if self.pool is None:
            self.pool = Pool(partial(partial, pictures, self.preparer()), self.workers(), self.seconds)
        self.pool.add(task)

    def about_text(self, text) -> dict:
        """What of a text does not reach the network, as answers have it (`whole`)."""
        return {}

    def forward(self, method, batch):
        """The answers to a batch of items, perhaps still on their way on the device."""
        given = {
            "image": [item.image for item in batch],
            **{name: [item.asked.get(name) for item in batch] for name in ("text", "seed")},
        }
        return self.called(method, given)

    def called(self, method, given):
        from ..serve import ABILITIES

        call = getattr(self, method.replace("-", "_"))
        with self.computing():
            return call(*(given[name] for name in ABILITIES[method]))

    def alone(self, method, item):
        """The answer to one item, prepared here."""
        image, _ = self.preparer()(upright_rgb(item["image"]))
        [value] = self.fetched(self.called(method, {"image": [image], "text": [item.get("text")]}))
        return value

    def fetched(self, values) -> list:
        """The answers as Python's own numbers."""
        return values.detach().float().cpu().tolist() if hasattr(values, "detach") else values

    def facts(self) -> dict:
        return {"packages": {name: version_of(name) for name in self.packages}}

    def device(self) -> str:
        import torch

        return self.chosen_device or ("cuda" if torch.cuda.is_available() else "cpu")

    def on_cpu(self) -> bool:
        return not str(getattr(self, "where", "cpu")).startswith("cuda")

    def workers(self) -> int:
        """Processes that prepare images; where the processor computes, too, half of its cores."""
        return self.chosen_workers or max(1, cores() // 2 if self.on_cpu() else cores())

    def most_at_once(self) -> int:
        return 32 if self.on_cpu() else 256

    def computing(self):
        """Without gradients, where torch computes; in the chosen precision, unless its weights have it already."""
        torch = getattr(self, "torch", None)
        return contextlib.nullcontext() if torch is None else torch.inference_mode()

    def autocast(self, published=None):
        """Computes as chosen, else as the package does: at `published`, or as its weights are."""
        chosen = self.dtype() if self.precision else published
        kind = "cpu" if self.on_cpu() else "cuda"
        if chosen in (None, self.torch.float32):
            return self.torch.autocast(kind, enabled=False)
        return self.torch.autocast(kind, dtype=chosen)

    def dtype(self):
        """What weights are cast to; None where they stay as they are."""
        import torch

        named = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
        return named[self.precision] if self.precision else None

    def free_memory(self) -> None:
        torch = getattr(self, "torch", None)
        if torch is not None and torch.cuda.is_available():
            torch.cuda.empty_cache()

    def check_precision(self) -> None:
        if self.precision is not None and self.precision not in self.precisions:
            known = ", ".join(self.precisions) or "none"
            raise Failure(
                "load-failed", f"Expected {known} for precision of {self.name} but received {self.precision!r}"
            )

    def refuse_revision(self) -> None:
        if self.revision is not None:
            raise Failure("load-failed", f"{self.name} takes no revision; name another model")


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def version_of(distribution: str) -> "str | None":
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None
