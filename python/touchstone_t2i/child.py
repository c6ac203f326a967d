"""One process of Node for this interpreter: calls of any thread go to it, as `child.mjs` says."""

import atexit
import itertools
import json
import os
import subprocess
import tempfile
import threading
from typing import Dict, NamedTuple, Optional, Sequence

from .errors import TouchstoneError

LENGTH = 4
"""Bytes of a frame's length."""

GRACE = 2.0
"""Seconds in which a call that was cancelled may end by itself."""


class Answer(NamedTuple):
    """What a command line ended with."""

    code: int
    stdout: str
    stderr: str


class Call:
    """A call under way."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self.answer: Optional[Answer] = None
        """None where the process died first."""


class Child:
    """A running process."""

    def __init__(self, command: Sequence[str]):
        # A terminal's Ctrl+C is this process's to pass on: other threads' calls go on.
        apart = (
            {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
            if os.name == "nt"
            else {"start_new_session": True}
        )
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
            **apart,
        )
        self._calls: Dict[int, Call] = {}
        self._ids = itertools.count()
        self._writing = threading.Lock()
        self.is_over = False
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, request: dict, stdin: bytes) -> Optional[Answer]:
        """The answer to a command line; None where the process died on it."""
        call, number = Call(), next(self._ids)
        self._calls[number] = call
        try:
            self._send({**request, "id": number, "bytes": len(stdin)}, stdin)
            if self.is_over:
                return None
            call.ended.wait()
        except OSError:
            return None
        except BaseException:
            self._cancel(number, call)
            raise
        finally:
            self._calls.pop(number, None)
        return call.answer

    def end(self) -> None:
        """Ends the process: what it answers now nobody hears."""
        try:
            self._process.stdin.close()
            self._process.wait(GRACE)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()

    def forget(self) -> None:
        """Lets go of a process that is a fork's parent's: it ends with the parent, not with this one."""
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            try:
                stream.close()
            except OSError:
                pass
        self._process.returncode = 0

    def last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return next((line for line in lines if "Error" in line), lines[-1] if lines else "")

    def _cancel(self, number: int, call: Call) -> None:
        """Ends a call; one that computes without a pause only hears of it by the end of its process."""
        try:
            self._send({"cancel": number}, b"")
            if not call.ended.wait(GRACE):
                self._process.kill()
        except OSError:
            pass
        except BaseException:
            self._process.kill()
            raise

    def _send(self, message: dict, stdin: bytes) -> None:
        text = json.dumps(message).encode("utf-8")
        with self._writing:
            for part in (len(text).to_bytes(LENGTH, "big"), text, stdin):
                # An unbuffered pipe takes a part of a large one at a time.
                rest = memoryview(part)
                while rest:
                    rest = rest[self._process.stdin.write(rest) :]

    def _read(self) -> None:
        try:
            while True:
                answer = json.loads(self._bytes(int.from_bytes(self._bytes(LENGTH), "big")))
                call = self._calls.get(answer.pop("id"))
                if call is not None:
                    call.answer = Answer(**answer)
                    call.ended.set()
        except (EOFError, OSError, ValueError):
            self.is_over = True
            self._process.wait()
            for call in list(self._calls.values()):
                call.ended.set()

    def _bytes(self, size: int) -> bytes:
        found = bytearray()
        while len(found) < size:
            part = self._process.stdout.read(size - len(found))
            if not part:
                raise EOFError
            found += part
        return bytes(found)


_child: Optional[Child] = None
_starting = threading.Lock()


def ask_child(
    command: Sequence[str], request: dict, stdin: bytes = b""
) -> Answer:
    """Sends a command line to the process of this interpreter, which is started where there is none.

    Raises TouchstoneError where the process died on it twice.
    """
    for _ in range(2):
        child = _running(command)
        answer = child.ask(request, stdin)
        if answer is not None:
            return answer
        # That it is over may be heard of later.
        child.is_over = True
    raise TouchstoneError(f"The process of touchstone ended before it answered: {child.last_words()}")


def _running(command: Sequence[str]) -> Child:
    global _child
    with _starting:
        if _child is None or _child.is_over:
            _child = Child(command)
        return _child


def _end() -> None:
    if _child is not None:
        _child.end()


def _after_fork() -> None:
    global _child, _starting
    _starting = threading.Lock()
    if _child is not None:
        _child.forget()
    _child = None


atexit.register(_end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
