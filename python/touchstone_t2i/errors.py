"""Errors: one class for each exit code of the command line, in its words but for flags, which are keywords."""

import json
from typing import List, Optional

from .wording import Wording


class TouchstoneError(Exception):
    """What went wrong, as the command line says it.

    Attributes:
        code: stable for programs, such as "input".
        hint: how to mend it.
        problems: every bad row or member, up to 20.
        result: what was concluded all the same, such as the comparison whose gate was missed.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "fault",
        hint: Optional[str] = None,
        problems: Optional[List[str]] = None,
    ):
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint
        self.problems = problems or []
        self.result: object = None

    def __str__(self) -> str:
        listed = [f"  - {problem}" for problem in self.problems]
        return "\n".join([self.message, *listed, *([] if self.hint is None else [self.hint])])


class InputError(TouchstoneError, ValueError):
    """The input is wrong (exit code 2)."""


class IncompleteError(TouchstoneError):
    """The work stopped before it was whole (exit code 3)."""


class GateError(TouchstoneError):
    """A gate that was set was missed (exit code 4); `result` holds the conclusion."""


CLASSES = {2: InputError, 3: IncompleteError, 4: GateError}


def exception_of(exit_code: int, stderr: str, wording: Wording) -> TouchstoneError:
    """The exception for an exit code; `stderr` ends with the error as a JSON object."""
    lines = [line for line in stderr.splitlines() if line.startswith('{"error":')]
    if not lines:
        return TouchstoneError(f"touchstone ended with exit code {exit_code}: {stderr.strip()}")
    error = json.loads(lines[-1])["error"]
    kind = CLASSES.get(exit_code, TouchstoneError)
    return kind(
        wording(error["message"]),
        code=error["code"],
        hint=error["hint"] and wording(error["hint"]),
        problems=[wording(problem) for problem in error["problems"] or []],
    )
