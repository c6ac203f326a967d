"""The protocol. In on stdin comes a JSON object a line, out on stdout go frames: the letters TBF2, the bytes of
a JSON object and of what follows it (unsigned, 32 bits, little-endian), the object, and what follows.

First, unasked, what this is:
    {"type": "hello", "protocol": 2, "version": …, "backend": …, "model": …, "revision": …,
     "abilities": ["embed-image", …], "pid": …}
Then an answer to each request, as soon as it is there, in any order:
    {"id": 1, "method": "load"}       -> {"id": 1, "result": {"packages": {…}, "logitScale"?: …, "metric"?: …}}
    {"id": 2, "method": "health"}     -> {"id": 2, "result": {"loaded": true, "answered": 0, "batch": 8}}
    {"id": 3, "method": "reward", "items": [{"image": I, "text": T}, …]}
    {"id": 4, "method": "probability-of-yes", "items": [{"image": I, "text": QUESTION}, …]}
    {"id": 5, "method": "embed-image", "items": [{"image": I}, …]}
    {"id": 6, "method": "embed-text", "items": [{"text": T}, …]}
    {"id": 7, "method": "localize", "items": [{"image": I, "text": ENTITY}, …]}
    {"id": 8, "method": "generate", "items": [{"text": PROMPT, "seed": N}, …]}
                                      -> {"id": …, "results": [R, …]}
I is {"path": …} or {"base64": …}. R is {"value": V} with a finite number, {"numbers": N} for an embedding or a mask
(height, width and run lengths column by column, first those outside) whose N numbers of 64 bits follow, {"bytes": N}
for an image whose file follows, or {"error": E}; "tokens" {"read", "of"} of a text that was cut, "unseen" the share of
an image's pixels that were cut off. E is {"kind", "message", "hint"?} with a kind of `failure.KINDS`. A request that
fails as a whole gets {"id", "error": E}.

Items of all requests that wait are put together: images are prepared in worker processes, batches computed here, each
while the next is prepared. A batch grows while that makes it faster, and halves where memory runs out. The model is
loaded by "load", or by the first request that needs it. The end of stdin ends the process, also in the middle of a
request: nobody is left to answer.
"""

import json
import math
import os
import queue
import struct
import sys
import threading
import time
from array import array
from collections import defaultdict, deque

from . import PROTOCOL, VERSION
from .failure import Failure, failure_of, log_failure
from .pool import Task

MAGIC = b"TBF2"

LONGEST_LINE = 128 * 1024 * 1024
"""Bytes. A longer request is refused without being held."""

MOST_WAITING = 1024
"""Requests. More stay in the pipe, so that who sends them waits."""

ABILITIES = {
    "reward": ("image", "text"),
    "probability-of-yes": ("image", "text"),
    "embed-image": ("image",),
    "embed-text": ("text",),
    "localize": ("image", "text"),
    "generate": ("text", "seed"),
}
"""What can be asked, and what each item must hold."""

TOO_LONG = object()
END = object()


def serve(backend, source, sink, abandon=os._exit) -> None:
    """Answers until `source` ends. `abandon` leaves the process with requests unanswered: what is
    computed may take minutes more, and nobody waits for it. With None all are answered first."""
    server = Server(backend, sink)
    free = threading.BoundedSemaphore(MOST_WAITING)
    server.when_answered = free.release

    def read():
        for line in lines(source):
            free.acquire()
            server.taken += 1
            server.events.put((server.request, (line,)))
        if abandon is not None and server.owed() > 0:
            abandon(0)
        server.events.put(END)

    server.hello()
    threading.Thread(target=read, daemon=True).start()
    server.run()


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


class Request:
    def __init__(self, identifier, count):
        self.id = identifier
        self.results = [None] * count
        self.left = count


class Item:
    def __init__(self, request, place, method, asked):
        self.request = request
        self.place = place
        self.method = method
        self.asked = asked
        self.image = None
        self.about = {}


class Server:
    def __init__(self, backend, sink):
        self.backend = backend
        self.sink = sink
        self.facts = None
        self.answered = 0
        self.taken = 0
        self.when_answered = lambda: None
        self.events = queue.Queue()
        self.ready = defaultdict(deque)
        self.preparing = defaultdict(int)
        self.sizes = defaultdict(lambda: Size(backend.batch, backend.most_at_once()))
        self.freed = 0.0

    def run(self) -> None:
        """One batch is computed while the answers to the one before are read from the device."""
        begun = None
        ending = False
        while True:
            ending = self.take_events(wait=begun is None and not self.is_due(ending), ending=ending)
            batch = self.next_batch()
            started = time.monotonic()
            values = None if not batch else self.compute(batch)
            if begun is not None:
                self.finish(*begun)
            begun = None if values is None else (batch, values, started)
            if ending and begun is None and self.owed() == 0:
                return

    def is_due(self, ending) -> bool:
        return any(self.method_is_due(method) for method in self.ready) or (ending and self.owed() == 0)

    def take_events(self, wait, ending) -> bool:
        try:
            while True:
                event = self.events.get(block=wait)
                wait = False
                if event is END:
                    ending = True
                else:
                    call, given = event
                    call(*given)
        except queue.Empty:
            return ending

    def owed(self) -> int:
        """Requests without an answer. The reading thread counts requests and the main thread counts answers, so no lock
        is needed."""
        return self.taken - self.answered

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

    def request(self, line) -> None:
        identifier = None
        try:
            if line is TOO_LONG:
                raise Failure("bad-input", f"A request has more than {LONGEST_LINE} bytes")
            request = parse(line)
            identifier = request.get("id")
            method = request.get("method")
            if method == "health":
                batch = max((size.value for size in self.sizes.values()), default=1)
                loaded = self.facts is not None
                found = {"loaded": loaded, "answered": self.answered, "batch": batch}
                return self.answer({"id": identifier, "result": found})
            if method == "load":
                return self.answer({"id": identifier, "result": self.load()})
            if method not in ABILITIES or method not in self.backend.abilities:
                raise Failure("not-supported", f"{self.backend.name} has no method {method!r}")
            items = request.get("items")
            if not isinstance(items, list):
                raise Failure("bad-input", "Expected a list for items")
            self.load()
        except Exception as error:
            log_failure(error)
            return self.answer({"id": identifier, "error": failure_of(error).to_json()})
        if not items:
            return self.answer({"id": identifier, "results": []})
        whole = Request(identifier, len(items))
        for place, asked in enumerate(items):
            self.begin(Item(whole, place, method, asked))

    def begin(self, item) -> None:
        """Sends an image to be prepared; a text is ready."""
        try:
            check(item.method, item.asked)
            text = item.asked.get("text")
            if text is not None and item.method != "generate":
                item.about = self.backend.about_text(text)
        except Exception as error:
            return self.settle(item, failure_of(error))
        if "image" not in ABILITIES[item.method]:
            return self.ready[item.method].append(item)
        self.preparing[item.method] += 1
        prepared = lambda made: self.events.put((self.prepared, (item, made)))  # noqa: E731
        self.backend.prepare(Task((item.method, item.asked), prepared))

    def prepared(self, item, made) -> None:
        self.preparing[item.method] -= 1
        if isinstance(made, Failure):
            return self.settle(item, made)
        item.image, about = made
        item.about = {**item.about, **about}
        self.ready[item.method].append(item)

    def method_is_due(self, method) -> bool:
        waiting = len(self.ready[method])
        return waiting > 0 and (waiting >= self.sizes[method].value or self.preparing[method] == 0)

    def next_batch(self) -> list:
        due = [method for method in self.ready if self.method_is_due(method)]
        if not due:
            return []
        waiting = self.ready[max(due, key=lambda method: len(self.ready[method]))]
        size = self.sizes[waiting[0].method].value
        return [waiting.popleft() for _ in range(min(size, len(waiting)))]

    def compute(self, batch):
        """What the backend gives for a batch, perhaps still on its way on the device; None where each was settled."""
        try:
            values = self.backend.forward(batch[0].method, batch)
            if len(values) != len(batch):
                raise Failure("failed", f"Expected {len(batch)} answers but received {len(values)}")
            return values
        except Exception as error:
            return self.failed(batch, error)

    def finish(self, batch, values, started) -> None:
        try:
            values = self.backend.fetched(values)
        except Exception as error:
            return self.failed(batch, error)
        for item, value in zip(batch, values):
            self.settle(item, value)
        now = time.monotonic()
        self.sizes[batch[0].method].took(len(batch), now - max(started, self.freed))
        self.freed = now

    def failed(self, batch, error) -> None:
        """Asks the items of a batch that failed again, in halves; one that fails alone has no answer."""
        failure = failure_of(error)
        if failure.kind == "out-of-memory":
            self.backend.free_memory()
            self.sizes[batch[0].method].shrink(len(batch))
        if len(batch) == 1:
            log_failure(error)
            return self.settle(batch[0], failure)
        middle = len(batch) // 2
        for half in (batch[:middle], batch[middle:]):
            values = self.compute(half)
            if values is not None:
                self.finish(half, values, time.monotonic())
        return None

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

    def settle(self, item, value) -> None:
        request = item.request
        try:
            result, follows = encoded(value)
        except Exception as error:
            result, follows = {"error": failure_of(error).to_json()}, b""
        if "error" not in result:
            result = {**result, **item.about}
        request.results[item.place] = (result, follows)
        request.left -= 1
        if request.left == 0:
            results, parts = zip(*request.results)
            self.answer({"id": request.id, "results": list(results)}, b"".join(parts))

    def answer(self, message, follows=b"") -> None:
        self.write(message, follows)
        self.answered += 1
        self.when_answered()

    def write(self, message, follows=b"") -> None:
        told = json.dumps(message, ensure_ascii=True, allow_nan=False).encode("ascii")
        self.sink.write(MAGIC + struct.pack("<II", len(told), len(follows)) + told + follows)
        self.sink.flush()


class Size:
    """How many items to compute at once: it doubles while that makes them at least a twentieth faster."""

    def __init__(self, fixed, most):
        self.value = fixed or 1
        self.most = fixed or most
        self.best = 0.0
        self.slow = 0

    def took(self, count, seconds) -> None:
        if count < self.value or self.value >= self.most:
            return
        rate = count / max(seconds, 1e-6)
        if rate < 1.05 * self.best:
            # Once may be chance.
            self.slow += 1
            self.most = self.value if self.slow > 1 else self.most
            return
        self.best = rate
        self.slow = 0
        self.value = min(2 * self.value, self.most)

    def shrink(self, count) -> None:
        self.value = self.most = max(1, min(self.value, count // 2))


def parse(line: bytes) -> dict:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Failure("bad-input", f"A request is no JSON: {error}")
    if not isinstance(request, dict):
        raise Failure("bad-input", "Expected an object for a request")
    return request


def check(method, asked) -> None:
    if not isinstance(asked, dict):
        raise Failure("bad-input", "Expected an object for an item")
    for name, kind, words in (("text", str, "a string"), ("seed", int, "a whole number")):
        if name in ABILITIES[method] and not isinstance(asked.get(name), kind):
            raise Failure("bad-input", f"Expected {words} for {name}")


def encoded(value) -> "tuple[dict, bytes]":
    """A value as a result and what follows it."""
    if isinstance(value, Failure):
        return {"error": value.to_json()}, b""
    if isinstance(value, bytes):
        return {"bytes": len(value)}, value
    if isinstance(value, float):
        return {"value": finite([value])[0]}, b""
    if isinstance(value, list):
        numbers = array("d", finite(value))
        if sys.byteorder == "big":
            numbers.byteswap()
        return {"numbers": len(numbers)}, numbers.tobytes()
    return {"value": finite([value])[0]}, b""


def finite(numbers):
    if numbers and all(isinstance(one, float) and math.isfinite(one) for one in numbers):
        return numbers
    shown = repr(numbers[0]) if len(numbers) == 1 else "an embedding"
    raise Failure("not-finite", f"Expected finite numbers but the model gave {shown}")
