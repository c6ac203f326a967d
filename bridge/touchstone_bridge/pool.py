"""Worker processes that prepare items: what one held when it died or hung is asked once more, then given up."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from functools import partial
from multiprocessing import connection

from .failure import Failure, failure_of, log_failure
from .images import unpacked

CHUNK_SECONDS = 0.05
"""A worker is handed about as much at a time as takes so long."""

LOAD_SECONDS = 3600
"""For what `make` loads in a worker."""

MOST_AT_ONCE = 16
"""Items that a worker is handed at a time."""


READY = "ready"


class Task:
    """An item on its way through the pool: `done` is called with what was made of it, or its Failure."""

    def __init__(self, asked, done):
        self.asked = asked
        self.done = done
        self.tries = 0


class Pool:
    """`make()` is called once in each worker and returns the function that is called with a list of items;
    it returns a list of what it made, or of Failures. `make` is pickled: workers are fresh processes, since a copy
    of this one could wait for ever for what another thread holds in it."""

    def __init__(self, make, count, seconds):
        self.make = make
        self.seconds = seconds
        self.context = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
        if sys.platform == "linux" and "torch" in sys.modules:
            # Imported once for all workers; torchvision is what most prepare images with.
            self.context.set_forkserver_preload(["torch", "torchvision"])
        self.waiting = []
        self.lock = threading.Lock()
        self.wake, self.woken = self.context.Pipe()
        self.chunk = 1
        self.workers = []
        self.count = count
        threading.Thread(target=self.run, daemon=True).start()

    def add(self, task) -> None:
        with self.lock:
            self.waiting.append(task)
        self.wake.send_bytes(b"1")

    def run(self) -> None:
        while True:
            self.hand_out()
            busy = [one for one in self.workers if one.held]
            ends = [min(one.until for one in busy)] if busy else []
            patience = max(0.0, ends[0] - time.monotonic()) if ends else None
            ready = connection.wait([self.woken, *(one.pipe for one in busy)], patience)
            for one in busy:
                if one.pipe in ready:
                    self.take(one)
                elif time.monotonic() > one.until:
                    self.replace(one, f"took more than {self.seconds:g} seconds")
            if self.woken in ready:
                self.woken.recv_bytes()

    def hand_out(self) -> None:
        while True:
            idle = next((one for one in self.workers if not one.held), None)
            with self.lock:
                if not self.waiting or (idle is None and len(self.workers) >= self.count):
                    return
                # What ended a worker is asked alone, so that nothing else suffers for it.
                alone = self.waiting[0].tries > 0
                fair = -(-len(self.waiting) // self.count)
                size = 1 if alone else max(1, min(self.chunk, fair))
                held, self.waiting = self.waiting[:size], self.waiting[size:]
            if idle is None:
                idle = Worker(self.context, self.make)
                self.workers.append(idle)
            idle.ask(held, self.seconds)

    def close(self) -> None:
        self.count = 0
        for worker in self.workers:
            worker.process.kill()

    def take(self, worker) -> None:
        try:
            told = worker.pipe.recv()
            if told == READY:
                return worker.begin(self.seconds)
            made, seconds = told
            made = unpacked(made)
        except Exception as error:  # the end of the pipe, or what can't be unpickled
            ended = isinstance(error, (EOFError, OSError))
            return self.replace(worker, "ended" if ended else f"answered with {error!r}")
        held, worker.held = worker.held, []
        self.chunk = max(1, min(MOST_AT_ONCE, int(CHUNK_SECONDS * len(held) / max(seconds, 1e-6))))
        for task, one in zip(held, made):
            task.done(one)

    def replace(self, worker, how) -> None:
        self.workers.remove(worker)
        worker.process.kill()
        worker.process.join()
        code = worker.process.exitcode
        said = f"A worker {how}" if how.startswith("took") else f"A worker {how} with exit code {code}"
        print(f"{said}; it is replaced", file=sys.stderr, flush=True)
        again = []
        for task in worker.held:
            task.tries += 1
            if task.tries > 1:
                kind = "timeout" if how.startswith("took") else "failed"
                task.done(Failure(kind, f"{said} (asked twice)"))
            else:
                again.append(task)
        with self.lock:
            self.waiting = [*again, *self.waiting]


class Worker:
    def __init__(self, context, make):
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, make), daemon=True)
        self.process.start()
        theirs.close()
        self.held = []
        self.is_ready = False
        self.until = time.monotonic() + LOAD_SECONDS

    def begin(self, seconds) -> None:
        self.is_ready = True
        self.until = time.monotonic() + seconds * len(self.held)

    def ask(self, held, seconds) -> None:
        self.held = held
        if self.is_ready:
            self.begin(seconds)
        try:
            self.pipe.send([task.asked for task in held])
        except OSError:
            pass  # it has ended, which the reader of its pipe finds


def work(pipe, make) -> None:
    """Runs in a worker, until whoever asks is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    sys.stdout = sys.stderr
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    try:
        function = make()
    except Exception as error:
        log_failure(error)
        function = partial(failing, failure_of(error))
    pipe.send(READY)
    while True:
        try:
            asked = pipe.recv()
        except EOFError:
            os._exit(0)
        started = time.monotonic()
        try:
            made = function(asked)
        except Exception as error:
            log_failure(error)
            made = [failure_of(error)] * len(asked)
        pipe.send((made, time.monotonic() - started))


def failing(failure, asked) -> list:
    return [failure] * len(asked)


def die_with_parent() -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def each(function, asked) -> list:
    """Calls a function with each item; its exceptions are Failures of that item."""
    made = []
    for one in asked:
        try:
            made.append(function(*one))
        except Exception as error:
            failure = failure_of(error)
            if failure.kind == "failed":
                log_failure(error)
            made.append(failure)
    return made
