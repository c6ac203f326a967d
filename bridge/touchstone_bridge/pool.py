"""Worker processes that prepare items: what one held when it died or hung is asked once more, then given up."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from functools import partial

from .failure import Failure, each, failure_of, log_failure

CHUNK_SECONDS, MOST_AT_ONCE = 0.05, 16
"""A worker is handed about as much at a time as takes so long, and no more items than these."""

LOAD_SECONDS = 3600
"""For what `make` loads in a worker."""


class Task:
    """An item on its way through the pool: `done` is called with what was made of it, or its Failure."""

    def __init__(self, asked, done):
        self.asked, self.done = asked, done
        self.again = False


class Pool:
    """A thread for each worker, where `make()` gives the function that is called with what is asked. `make` is pickled:
    workers are fresh processes, as a copy of this one could wait for ever for what another thread holds in it."""

    def __init__(self, make, count, seconds):
        self.make, self.count, self.seconds = make, count, seconds
        self.context = multiprocessing.get_context("forkserver" if sys.platform == "linux" else "spawn")
        if sys.platform == "linux" and "torch" in sys.modules:
            # Imported once for all workers; torchvision is what most prepare images with.
            self.context.set_forkserver_preload(["torch", "torchvision"])
        self.waiting, self.changed = deque(), threading.Condition()
        self.threads = self.idle = 0
        self.chunk = 1

    def add(self, task) -> None:
        with self.changed:
            # What ended a worker is next, and asked alone, so that nothing else suffers for it.
            (self.waiting.appendleft if task.again else self.waiting.append)(task)
            if len(self.waiting) > self.idle and self.threads < self.count:
                self.threads += 1
                threading.Thread(target=self.attend, daemon=True).start()
            self.changed.notify()

    def close(self) -> None:
        with self.changed:
            self.count = 0
            self.changed.notify_all()

    def attend(self) -> None:
        worker = None
        while held := self.taken():
            try:
                worker = worker or Worker(self.context, self.make)
                made, seconds = worker.answer([task.asked for task in held], self.seconds)
            except Exception as error:
                lost = failure_of(error)
                print(f"{lost}; it is replaced", file=sys.stderr, flush=True)
                worker = None
                for task in reversed(held):
                    if task.again:
                        task.done(Failure(lost.kind, f"{lost} (asked twice)"))
                    else:
                        task.again = True
                        self.add(task)
                continue
            self.chunk = max(1, min(MOST_AT_ONCE, int(CHUNK_SECONDS * len(held) / max(seconds, 1e-6))))
            for task, one in zip(held, made):
                task.done(one)

    def taken(self) -> list:
        """What a worker is handed next; nothing once the pool is closed."""
        with self.changed:
            self.idle += 1
            self.changed.wait_for(lambda: self.waiting or not self.count)
            self.idle -= 1
            if not self.count:
                return []
            fair = 1 if self.waiting[0].again else -(-len(self.waiting) // self.count)
            return [self.waiting.popleft() for _ in range(min(self.chunk, fair))]


class Worker:
    def __init__(self, context, make):
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, make), daemon=True)
        self.process.start()
        theirs.close()
        self.is_ready = False

    def answer(self, asked, seconds):
        """What it made of items, and in how many seconds. Throws a Failure once it ended or took too long."""
        try:
            self.pipe.send(asked)
            if not self.is_ready:
                self.is_ready = self.heard(LOAD_SECONDS)
            rows, made, took = self.heard(seconds * len(asked))
            rows = None if rows is None else iter(rows)
            return [one if rows is None or isinstance(one, Failure) else (next(rows), one) for one in made], took
        except TimeoutError:
            kind, how = "timeout", f"took more than {seconds:g} seconds"
        except Exception as error:  # the end of the pipe, or what can't be unpickled
            how = "ended" if isinstance(error, (EOFError, OSError)) else f"answered with {error!r}"
            kind = "failed"
        self.process.kill()
        self.process.join()
        code = "" if kind == "timeout" else f" with exit code {self.process.exitcode}"
        raise Failure(kind, f"A worker {how}{code}")

    def heard(self, seconds):
        if not self.pipe.poll(seconds):
            raise TimeoutError
        return self.pipe.recv()


def work(pipe, make) -> None:
    """Runs in a worker, until whoever asks is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        import ctypes

        # It dies with its parent.
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    sys.stdout = sys.stderr
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    try:
        function = make()
    except Exception as error:
        function = partial(failing, log_failure(error))
    pipe.send(True)
    while True:
        try:
            asked = pipe.recv()
        except EOFError:
            os._exit(0)
        started = time.monotonic()
        made = each(function, asked)
        pipe.send((*packed(made), time.monotonic() - started))


def failing(failure, *_):
    return failure


def packed(made) -> tuple:
    """Tensors of one shape as a single one, which goes through memory that both processes share, and the rest."""
    kept = [one[0] for one in made if isinstance(one, tuple)]
    if not kept or type(kept[0]).__name__ != "Tensor":
        return None, made
    import torch
    import torch.multiprocessing  # noqa: F401  teaches pipes to share tensors

    return torch.stack(kept), [one[1] if isinstance(one, tuple) else one for one in made]
