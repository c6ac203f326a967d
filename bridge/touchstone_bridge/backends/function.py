"""Functions of a user's own, named module:function or file.py:function, and score(image, text) -> float among them."""

import functools
import importlib
import importlib.util
import inspect
import math
import operator
import queue
import sys
from contextlib import suppress

from ..failure import Failure, each
from ..images import upright_rgb
from ..pool import Pool, Task
from .backend import Backend, cores


class Own(Backend):
    """A class is called without arguments, and what it makes is asked. Where the module has NAME_batch, or the class a
    method `score_batch` or `generate_batch`, that is called with lists. Its attributes `range` (two numbers), `direction`
    ("higher" or "lower") and `version` (from 1) say more of it."""

    taking = "image, text"
    """What it is called with, as an error says it."""

    def asked(self, read, *given) -> list:
        """What `read` makes of each answer."""
        if self.together is None:
            return each(lambda *one: read(self.function(*one)), zip(*given))
        return each(read, zip(self.together(*given)))


class Function(Own):
    """The image is a PIL image, upright and RGB. It is called in as many processes as there are cores, where a class is
    made once in each; with `parallel = False` in one, and with lists in one for each device."""

    name = "function"
    abilities = ("reward",)

    def open(self):
        # A fresh process: what it loads may hold a device, and this one must be able to have it, too.
        self.pool = Pool(functools.partial(scorer, self.model), self.workers or cores(), self.seconds)
        told = queue.SimpleQueue()
        self.pool.add(Task(("describe", None), told.put))
        found = told.get()
        if isinstance(found, Failure):
            raise Failure("load-failed", found.message, found.hint) if found.kind == "failed" else found
        self.is_parallel = found.pop("parallel")
        if self.is_parallel:
            # What was computed in workers waits for nothing.
            self.most = 1
        else:
            self.pool.close()
            self.pool = None
            self.function, self.together = function_named(self.model, self.taking)
        return {"metric": found}

    def reward(self, images, texts):
        # In workers it was called when the images were prepared.
        return images if self.is_parallel else self.asked(functools.partial(number_of, self.model), images, texts)


def scorer(model):
    """Runs in a worker: loads the function, and calls it with each item."""
    function, together = function_named(model, Function.taking)
    try:
        import PIL  # noqa: F401
    except ImportError as error:
        hint = f"{sys.executable} -m pip install Pillow"
        raise Failure("missing-package", f"A function in Python is handed PIL images: {error}", hint)

    def answer(method, item):
        if method == "describe":
            parallel = together is None and getattr(function, "parallel", True) is not False
            return {**described(function, "range", "direction"), "parallel": parallel}
        return number_of(model, function(upright_rgb(item["image"]), item["text"])), {}

    return answer


def number_of(model, value) -> float:
    with suppress(TypeError, ValueError):
        if math.isfinite(float(value)):
            return float(value)
    raise Failure("not-finite", f"Expected a number from {model} but received {value!r}")


def described(function, *names) -> dict:
    found = {name: getattr(function, name, None) for name in (*names, "version")}
    known = {name: value for name, value in found.items() if value is not None}
    return known if "range" not in known else {**known, "range": list(known["range"])}


def function_named(model, taking):
    """What `module:name` names, made where it is a class, and what is called with lists: the function of its name and
    _batch beside it in its module, or that method of what a class made."""
    module, _, path = (model or "").rpartition(":")
    if not module:
        raise Failure("load-failed", f"Expected module:function but received {model!r}")
    try:
        found = operator.attrgetter(path)(imported(module))
        found = found() if inspect.isclass(found) else found
    except Exception as error:
        looked = f"Modules are looked for in the folder that the command runs in, and by {sys.executable}"
        told = f"Can't get {path} of {module}: {type(error).__name__}: {error}"
        raise Failure("load-failed", told, f"{looked} (TOUCHSTONE_PYTHON names another)")
    own = getattr(found, "score_batch", None) or getattr(found, "generate_batch", None)
    together = own or getattr(imported(module), f"{path.split('.')[-1]}_batch", None)
    if not callable(found) and together is None:
        raise Failure("load-failed", f"Expected a function f({taking}) for {model}")
    return found, together


@functools.lru_cache(maxsize=None)
def imported(name: str):
    """A module by its name or file, which is run once."""
    if not name.endswith(".py"):
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location("touchstone_metric", name)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
