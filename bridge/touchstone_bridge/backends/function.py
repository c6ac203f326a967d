"""A user's own function f(image, text) -> float, named module:function or file.py:function."""

import importlib
import importlib.util
import inspect
import math
import sys

from ..failure import Failure
from ..images import upright_rgb
from .backend import Backend


class Function(Backend):
    """The image is a PIL image, upright and RGB. A class is called once, without arguments, and what
    it makes is asked. Its attributes `range` (two numbers), `direction` ("higher" or "lower") and
    `version` (from 1) say more of it."""

    name = "function"
    abilities = ("reward",)

    def load(self) -> dict:
        self.refuse_revision()
        self.function = self.found()
        try:
            import PIL  # noqa: F401
        except ImportError as error:
            raise Failure(
                "missing-package",
                f"A metric in Python is handed PIL images: {error}",
                f"{sys.executable} -m pip install Pillow",
            )
        return {"packages": {}, "metric": self.described()}

    def found(self):
        module_name, _, path = (self.model or "").rpartition(":")
        if not module_name:
            raise Failure("load-failed", f"Expected module:function but received {self.model!r}")
        try:
            found = imported(module_name)
            for name in path.split("."):
                found = getattr(found, name)
            found = found() if inspect.isclass(found) else found
        except Exception as error:
            raise Failure(
                "load-failed",
                f"Can't get {path} of {module_name}: {type(error).__name__}: {error}",
                "Modules are looked for in the folder that the command runs in, and by "
                f"{sys.executable} (TOUCHSTONE_PYTHON names another)",
            )
        if not callable(found):
            raise Failure("load-failed", f"Expected a function f(image, text) for {self.model}")
        return found

    def described(self) -> dict:
        known = {}
        for name in ("range", "direction", "version"):
            value = getattr(self.function, name, None)
            if value is not None:
                known[name] = list(value) if name == "range" else value
        return known

    def reward(self, image, text) -> float:
        value = self.function(upright_rgb(image), text)
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = math.nan
        if math.isfinite(number):
            return number
        raise Failure("not-finite", f"Expected a number from {self.model} but received {value!r}")


def imported(name: str):
    if not name.endswith(".py"):
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location("touchstone_metric", name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
