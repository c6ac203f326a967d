"""Items of all requests are put together: worker processes prepare images, and a batch is computed here while the next is
prepared. "load" loads the model, or the first request that needs it. `protocol` says what is sent."""

import os
import queue
import sys
import threading
import time
from collections import defaultdict, deque
from functools import lru_cache, partial

from . import PROTOCOL, VERSION
from .failure import Failure, failure_of, log_failure
from .pool import Task
from .protocol import ABILITIES, check, encoded, frame, parse

MOST_WAITING = 1024
"""Requests. More stay in the pipe, so that who sends them waits."""

MOST_TEXTS = 2048
"""Texts whose embeddings are kept: some 16 MB."""


class Request:
    def __init__(self, identifier, count):
        self.id = identifier
        self.results = [None] * count
        self.left = count


class Same:
    """Items that wait for one answer: one alone, or all that ask for the embedding of one text."""

    answer = None

    def __init__(self, *items):
        self.items = items


class Item:
    def __init__(self, request, place, method, asked):
        self.request, self.place, self.method, self.asked = request, place, method, asked
        self.image = None
        self.about = {}
        self.same = Same(self)


class Line:
    """Items of one method, and how many to compute at once: twice as many while that is a twentieth faster."""

    def __init__(self, fixed, most):
        self.value, self.most = fixed or 1, fixed or most
        self.best = 0.0
        self.slow = self.preparing = 0
        self.ready = deque()

    def took(self, count, seconds) -> None:
        if count < self.value or self.value >= self.most:
            return
        rate = count / max(seconds, 1e-6)
        if rate >= 1.05 * self.best:
            self.best, self.slow = rate, 0
            self.value = min(2 * self.value, self.most)
        elif self.slow:
            self.most = self.value
        else:  # Once may be chance.
            self.slow = 1

    def shrink(self, count) -> None:
        self.value = self.most = max(1, min(self.value, count // 2))

    def is_due(self) -> bool:
        return len(self.ready) >= (self.value if self.preparing else 1)

    def batch(self) -> list:
        return [self.ready.popleft() for _ in range(min(self.value, len(self.ready)))]


def serve(backend, source, sink, abandon=os._exit) -> None:
    """Answers until `source` ends; `abandon` then leaves the process: nobody is left to answer. With None all are answered."""
    server = Server(backend, sink)
    threading.Thread(target=server.read, args=(source, abandon), daemon=True).start()
    server.run()


class Server:
    def __init__(self, backend, sink):
        self.backend, self.sink = backend, sink
        self.facts = None
        self.events = queue.SimpleQueue()
        self.free = threading.BoundedSemaphore(MOST_WAITING)
        # Those that wait; the reading thread counts the first and the main thread the second, so no lock is needed.
        self.taken = self.answered = 0
        self.ending = False
        self.lines = defaultdict(lambda: Line(backend.batch, backend.most))
        # A text that stands at many images is embedded once.
        self.embedded = lru_cache(MOST_TEXTS)(lambda text: Same())
        self.freed = 0.0
        hello = {"type": "hello", "protocol": PROTOCOL, "version": VERSION, "pid": os.getpid()}
        told = {name: getattr(backend, name) for name in ("model", "revision", "abilities")}
        self.write({**hello, "backend": backend.name, **told})

    def read(self, source, abandon) -> None:
        for line in source:
            self.free.acquire()
            self.taken += 1
            self.events.put(partial(self.request, line))
        if abandon is not None and self.taken > self.answered:
            abandon(0)
        self.events.put(partial(setattr, self, "ending", True))

    def run(self) -> None:
        """One batch is computed while the answers to the one before are read from the device."""
        begun = None
        while begun or not self.ending or self.taken > self.answered:
            wait = not begun and not any(line.is_due() for line in self.lines.values())
            while wait or not self.events.empty():
                self.events.get()()
                wait = False
            due = [line for line in self.lines.values() if line.is_due()]
            finish = self.compute(max(due, key=lambda line: len(line.ready)).batch()) if due else None
            if begun:
                begun()
            begun = finish

    def request(self, line) -> None:
        identifier = None
        try:
            request = parse(line)
            identifier, method, items = (request.get(name) for name in ("id", "method", "items"))
            if method == "health":
                batch = max((line.value for line in self.lines.values()), default=1)
                found = {"loaded": self.facts is not None, "answered": self.answered, "batch": batch}
                return self.answer({"id": identifier, "result": found})
            if method == "load":
                return self.answer({"id": identifier, "result": self.load()})
            if method not in ABILITIES or method not in self.backend.abilities:
                raise Failure("not-supported", f"{self.backend.name} has no method {method!r}")
            if not isinstance(items, list):
                raise Failure("bad-input", "Expected a list for items")
            self.load()
        except Exception as error:
            return self.answer({"id": identifier, "error": log_failure(error).to_json()})
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
            if item.method == "embed-text":
                item.same = same = self.embedded(text)
                if same.answer is not None:
                    return self.fill(item, same.answer)
                same.items += (item,)
                if len(same.items) > 1:
                    return None
            if text is not None:
                item.about = self.backend.about_text(text)
        except Exception as error:
            return self.settle(item, log_failure(error))
        line = self.lines[item.method]
        if "image" not in ABILITIES[item.method]:
            return line.ready.append(item)
        line.preparing += 1
        prepared = lambda made: self.events.put(partial(self.prepared, item, made))  # noqa: E731
        self.backend.prepare(Task((item.method, item.asked), prepared))

    def prepared(self, item, made) -> None:
        line = self.lines[item.method]
        line.preparing -= 1
        if isinstance(made, Failure):
            return self.settle(item, made)
        item.image, about = made
        item.about = {**item.about, **about}
        line.ready.append(item)

    def compute(self, batch):
        """Begins a batch; returns what settles it once the device has computed it, or None where each was settled."""
        started = time.monotonic()
        try:
            values = self.backend.forward(batch[0].method, batch)
            if len(values) != len(batch):
                raise Failure("failed", f"Expected {len(batch)} answers but received {len(values)}")
            return partial(self.finish, batch, values, started)
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
        self.lines[batch[0].method].took(len(batch), now - max(started, self.freed))
        self.freed = now

    def failed(self, batch, error) -> None:
        """Asks the items of a batch that failed again, in halves; one that fails alone has no answer."""
        if failure_of(error).kind == "out-of-memory":
            if "torch" in sys.modules:
                sys.modules["torch"].cuda.empty_cache()
            self.lines[batch[0].method].shrink(len(batch))
        if len(batch) == 1:
            return self.settle(batch[0], log_failure(error))
        middle = len(batch) // 2
        for half in (batch[:middle], batch[middle:]):
            if finish := self.compute(half):
                finish()

    def load(self) -> dict:
        name, extra = self.backend.name, self.backend.extra or self.backend.name
        try:
            self.facts = self.facts or self.backend.load()
            return self.facts
        except Failure:
            raise
        except ImportError as error:
            hint = f"pip install '.[{extra}]' in touchstone's folder bridge, for {sys.executable}"
            raise Failure("missing-package", f"Can't import {name}: {error}", hint)
        except Exception as error:
            log_failure(error)
            raise Failure("load-failed", f"Can't load {name}: {error}")

    def settle(self, item, value) -> None:
        try:
            result, follows = encoded(value)
        except Exception as error:
            result, follows = encoded(log_failure(error))
        items, item.same.items = item.same.items, ()
        if "error" not in result:
            result = {**result, **item.about}
            item.same.answer = result, follows
        for one in items:
            self.fill(one, (result, follows))

    def fill(self, item, answer) -> None:
        request = item.request
        request.results[item.place] = answer
        request.left -= 1
        if request.left == 0:
            results, parts = zip(*request.results)
            self.answer({"id": request.id, "results": list(results)}, b"".join(parts))

    def answer(self, message, follows=b"") -> None:
        self.write(message, follows)
        self.answered += 1
        self.free.release()

    def write(self, message, follows=b"") -> None:
        self.sink.write(frame(message, follows))
        self.sink.flush()
