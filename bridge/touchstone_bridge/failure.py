"""Why there is no answer, in words that the other side knows."""

import traceback
from dataclasses import dataclass

KINDS = {
    "bad-input": "the image or the text can't be read",
    "not-supported": "the backend has no such ability",
    "missing-package": "a package is not installed; `hint` says what to install",
    "load-failed": "the model can't be loaded; `hint` says what to do",
    "not-finite": "the answer is no finite number",
    "out-of-memory": "also of one item alone",
    "timeout": "it was asked twice, and each time took too long",
    "refused": "a generator declines to make the image",
    "failed": "anything else that the backend threw",
}


@dataclass(eq=False)
class Failure(Exception):
    """Thrown in place of an answer. `kind` is one of KINDS."""

    kind: str
    message: str
    hint: "str | None" = None

    def __post_init__(self):
        assert self.kind in KINDS, self.kind

    def __str__(self) -> str:
        return self.message

    def to_json(self) -> dict:
        return {name: value for name, value in vars(self).items() if value is not None}


class Refused(Exception):
    """Thrown by a generator of one's own that declines to make an image, with the reason."""


def failure_of(error: BaseException) -> Failure:
    """The failure that any exception stands for."""
    if isinstance(error, Failure):
        return error
    if type(error).__name__ == "Refused":
        return Failure("refused", str(error))
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, MemoryError) or "out of memory" in str(error).lower():
        return Failure("out-of-memory", text)
    return Failure("failed", text)


def log_failure(error) -> Failure:
    """The same, and what nobody foresaw is printed with where it was thrown."""
    failure = failure_of(error)
    if failure is not error and failure.kind != "refused":
        traceback.print_exception(type(error), error, error.__traceback__)
    return failure


def each(function, asked) -> list:
    """Calls a function with each item; its exceptions are Failures of that item."""
    made = []
    for one in asked:
        try:
            made.append(function(*one))
        except Exception as error:
            made.append(log_failure(error))
    return made
