"""A user's own function score(image, text) -> float, named module:function or file.py:function."""

import importlib
import importlib.util
import inspect
import math
import sys
import threading
from functools import partial

from ..failure import Failure
from ..images import upright_rgb
from ..pool import Pool, Task, each
from .backend import Backend, cores


class Function(Backend):
    """The image is a PIL image, upright and RGB. A class is called without arguments, and what it makes is asked. Its
    attributes `range` (two numbers), `direction` ("higher" or "lower") and `version` (from 1) say more of it.

    It is called in as many processes as there are cores, where a class is made once in each; with `parallel = False`
    in one. Where the module has NAME_batch(images, texts), or the class a method `score_batch`, that is called with
    lists, in one process for each device.
    """

    name = "function"
    abilities = ("reward",)

    def load(self) -> dict:
        self.refuse_revision()
        # A fresh process: what it loads may hold a device, and this one must be able to have it, too.
        self.pool = Pool(partial(scorer, self.model), 1, self.seconds)
        found = self.asked_of_worker()
        self.is_parallel = found["parallel"] and not found["batch"]
        if self.is_parallel:
            self.pool.count = self.workers()
        else:
            self.pool.close()
            self.pool = None
            self.function = function_named(self.model)
            self.together = batch_of(self.model, self.function)
        return {"packages": {}, "metric": found["metric"]}

    def asked_of_worker(self) -> dict:
        told = []
        ready = threading.Event()
        self.pool.add(Task(("describe", None), lambda made: (told.append(made), ready.set())))
        ready.wait()
        [found] = told
        if isinstance(found, Failure):
            raise Failure("load-failed", found.message, found.hint) if found.kind == "failed" else found
        return found

    def most_at_once(self) -> int:
        # What was computed in workers waits for nothing.
        return 1 if self.is_parallel else super().most_at_once()

    def workers(self) -> int:
        return self.chosen_workers or cores()

    def reward(self, images, texts):
        # In workers it was called when the images were prepared.
        if self.is_parallel:
            return images
        if self.together is None:
            return each(lambda *asked: number_of(self.model, self.function(*asked)), zip(images, texts))
        values = list(self.together(images, texts))
        return each(partial(number_of, self.model), ((one,) for one in values))


def scorer(model):
    """Runs in a worker: loads the function, and calls it with each item."""
    function = function_named(model)
    try:
        import PIL  # noqa: F401
    except ImportError as error:
        raise Failure(
            "missing-package",
            f"A function in Python is handed PIL images: {error}",
            f"{sys.executable} -m pip install Pillow",
        )

    def answer(method, item):
        if method == "describe":
            return {
                "metric": described(function),
                "batch": batch_of(model, function) is not None,
                "parallel": getattr(function, "parallel", True) is not False,
            }
        return number_of(model, function(upright_rgb(item["image"]), item["text"])), {}

    return partial(each, answer)


def number_of(model, value) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isfinite(number):
        return number
    raise Failure("not-finite", f"Expected a number from {model} but received {value!r}")


def described(function) -> dict:
    known = {}
    for name in ("range", "direction", "version"):
        value = getattr(function, name, None)
        if value is not None:
            known[name] = list(value) if name == "range" else value
    return known


def function_named(model, hint="f(image, text)"):
    """What `module:name` names, made where it is a class."""
    module_name, _, path = (model or "").rpartition(":")
    if not module_name:
        raise Failure("load-failed", f"Expected module:function but received {model!r}")
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
    if not callable(found) and batch_of(model, found) is None:
        raise Failure("load-failed", f"Expected a function {hint} for {model}")
    return found


def batch_of(model, function):
    """The function of its name and _batch beside it in its module, or that method of what a class made."""
    module_name, _, path = model.rpartition(":")
    last = path.split(".")[-1]
    own = getattr(function, "score_batch", None) or getattr(function, "generate_batch", None)
    return own or getattr(imported(module_name), f"{last}_batch", None)


def imported(name: str):
    if not name.endswith(".py"):
        return importlib.import_module(name)
    if name in LOADED:
        return LOADED[name]
    spec = importlib.util.spec_from_file_location("touchstone_metric", name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    LOADED[name] = module
    return module


LOADED = {}
"""Modules by their files, each run once."""
