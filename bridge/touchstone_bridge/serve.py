"""The protocol: one JSON object a line, in on stdin, out on stdout.

First, unasked, what this is:
    {"type": "hello", "protocol": 1, "version": …, "backend": …, "model": …, "revision": …,
     "abilities": ["embed-image", …], "pid": …}
Then an answer to each request, in their order:
    {"id": 1, "method": "load"}       -> {"id": 1, "result": {"packages": {…}, "logitScale"?: …, "metric"?: …}}
    {"id": 2, "method": "health"}     -> {"id": 2, "result": {"loaded": true, "answered": 0}}
    {"id": 3, "method": "reward", "items": [{"image": I, "text": T}, …]}
    {"id": 4, "method": "probability-of-yes", "items": [{"image": I, "text": QUESTION}, …]}
    {"id": 5, "method": "embed-image", "items": [{"image": I}, …]}
    {"id": 6, "method": "embed-text", "items": [{"text": T}, …]}
    {"id": 7, "method": "localize", "items": [{"image": I, "text": ENTITY}, …]}
                                      -> {"id": …, "results": [{"value": V, "tokens"?: …, "unseen"?: …} or {"error": E}, …]}
I is {"path": …} or {"base64": …}; V a finite number, of embeddings a list of them, of a mask
height, width and run lengths column by column, first those outside; "tokens" {"read", "of"} of a text that
was cut, "unseen" the share of an image's pixels that were cut off; E is {"kind", "message", "hint"?} with a kind of `failure.KINDS`. A request that fails as a whole gets {"id",
"error": E}. The model is loaded by "load", or by the first request that needs it. The end of stdin
ends the process, also in the middle of a request: nobody is left to answer.
"""

import json
import math
import os
import queue
import sys
import threading
import traceback

from . import PROTOCOL, VERSION
from .failure import Failure, failure_of

LONGEST_LINE = 128 * 1024 * 1024
"""Bytes. A longer request is refused without being held."""

MOST_WAITING = 64
"""Requests. More stay in the pipe, so that who sends them waits."""

ABILITIES = {
    "reward": ("image", "text"),
    "probability-of-yes": ("image", "text"),
    "embed-image": ("image",),
    "embed-text": ("text",),
    "localize": ("image", "text"),
}
"""What can be asked, and what each item must hold."""

TOO_LONG = object()
END = object()


def serve(backend, source, sink, abandon=os._exit) -> None:
    """Answers until `source` ends. `abandon` leaves the process with requests unanswered: what is
    computed may take minutes more, and nobody waits for it. With None all are answered first."""
    server = Server(backend, sink)
    waiting = queue.Queue(MOST_WAITING)

    def read():
        for line in lines(source):
            waiting.put(line)
        if abandon is not None and waiting.unfinished_tasks > 0:
            abandon(0)
        waiting.put(END)

    server.hello()
    threading.Thread(target=read, daemon=True).start()
    while True:
        line = waiting.get()
        if line is END:
            return
        server.answer(line)
        waiting.task_done()


def lines(source):
    """Lines of at most LONGEST_LINE bytes; TOO_LONG in place of a longer one."""
    while True:
        line = source.readline(LONGEST_LINE + 1)
        if not line:
            return
        if len(line) <= LONGEST_LINE:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(LONGEST_LINE)
        yield TOO_LONG


class Server:
    def __init__(self, backend, sink):
        self.backend = backend
        self.sink = sink
        self.facts = None
        self.answered = 0

    def hello(self) -> None:
        self.write(
            {
                "type": "hello",
                "protocol": PROTOCOL,
                "version": VERSION,
                "backend": self.backend.name,
                "model": self.backend.model,
                "revision": self.backend.revision,
                "abilities": list(self.backend.abilities),
                "pid": os.getpid(),
            }
        )

    def answer(self, line) -> None:
        identifier = None
        try:
            if line is TOO_LONG:
                raise Failure("bad-input", f"A request has more than {LONGEST_LINE} bytes")
            request = parse(line)
            identifier = request.get("id")
            self.write({"id": identifier, **self.reply(request)})
        except Exception as error:
            log_failure(error)
            self.write({"id": identifier, "error": failure_of(error).to_json()})
        finally:
            self.answered += 1

    def reply(self, request) -> dict:
        method = request.get("method")
        if method == "health":
            return {"result": {"loaded": self.facts is not None, "answered": self.answered}}
        if method == "load":
            return {"result": self.load()}
        if method not in ABILITIES or method not in self.backend.abilities:
            raise Failure("not-supported", f"{self.backend.name} has no method {method!r}")
        items = request.get("items")
        if not isinstance(items, list):
            raise Failure("bad-input", "Expected a list for items")
        self.load()
        return {"results": [self.item(method, item) for item in items]}

    def load(self) -> dict:
        if self.facts is None:
            try:
                self.facts = self.backend.load()
            except Failure:
                raise
            except ImportError as error:
                raise Failure(
                    "missing-package", f"Can't import {self.backend.name}: {error}", self.advice()
                )
            except Exception as error:
                log_failure(error)
                raise Failure("load-failed", f"Can't load {self.backend.name}: {error}")
        return self.facts

    def advice(self) -> str:
        extra = self.backend.extra
        return f"pip install '.[{extra}]' in touchstone's folder bridge, for {sys.executable}"

    def item(self, method, item) -> dict:
        try:
            if not isinstance(item, dict):
                raise Failure("bad-input", "Expected an object for an item")
            if "text" in ABILITIES[method] and not isinstance(item.get("text"), str):
                raise Failure("bad-input", "Expected a string for text")
            call = getattr(self.backend, method.replace("-", "_"))
            asked = {name: item.get(name) for name in ABILITIES[method]}
            value = call(**asked)
            return {"value": finite(value), **self.backend.not_whole(**asked)}
        except Exception as error:
            failure = failure_of(error)
            if failure.kind in ("failed", "out-of-memory"):
                log_failure(error)
            return {"error": failure.to_json()}

    def write(self, message) -> None:
        line = json.dumps(message, ensure_ascii=True, allow_nan=False)
        self.sink.write(line.encode("ascii") + b"\n")
        self.sink.flush()


def parse(line: bytes) -> dict:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Failure("bad-input", f"A request is no JSON: {error}")
    if not isinstance(request, dict):
        raise Failure("bad-input", "Expected an object for a request")
    return request


def finite(value):
    numbers = value if isinstance(value, list) else [value]
    if not numbers or not all(isinstance(one, float) and math.isfinite(one) for one in numbers):
        shown = "an embedding" if isinstance(value, list) else repr(value)
        raise Failure("not-finite", f"Expected finite numbers but the model gave {shown}")
    return value


def log_failure(error) -> None:
    if not isinstance(error, Failure):
        traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
