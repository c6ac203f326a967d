"""What every backend has."""

from importlib import metadata

from ..failure import Failure


class Backend:
    name: str
    abilities: "tuple[str, ...]"
    default_model: "str | None" = None
    default_revision: "str | None" = None
    extra: str
    """The extra of this package that installs what it needs."""
    packages: "tuple[str, ...]" = ()
    """Distributions whose versions make its numbers."""

    def __init__(self, model=None, revision=None, device=None):
        self.model = model or self.default_model
        self.revision = revision or self.default_revision
        self.chosen_device = device

    def load(self) -> dict:
        """Loads the model; says what a reader of its numbers must know: `packages`, `device`."""
        raise NotImplementedError

    def not_whole(self, image=None, text=None) -> dict:
        """What of an image and a text does not reach the network, as answers have it (`whole`)."""
        return {}

    def facts(self) -> dict:
        return {"packages": {name: version_of(name) for name in self.packages}}

    def device(self) -> str:
        import torch

        return self.chosen_device or ("cuda" if torch.cuda.is_available() else "cpu")

    def refuse_revision(self) -> None:
        if self.revision is not None:
            raise Failure("load-failed", f"{self.name} takes no revision; name another model")


def version_of(distribution: str) -> "str | None":
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def numbers(tensor) -> "list[float]":
    """One row as Python's own numbers."""
    return tensor.detach().float().cpu().reshape(-1).tolist()
