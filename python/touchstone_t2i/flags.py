"""Keyword arguments as flags of the command line."""

import os
from typing import Any, Iterator, Mapping

from .tables import is_path


def words_of(given: Mapping[str, Any], *, repeated: "frozenset[str]" = frozenset()) -> Iterator[str]:
    """The flags that say what was given, by their names there; None and False are not given.

    A list is "a,b" or, where the flag may be repeated, one flag for each; a dictionary is "a=b,c=d".
    """
    for name, value in given.items():
        if value is None or value is False:
            continue
        if value is True:
            yield f"--{name}"
        elif name in repeated:
            for one in parts(value):
                yield f"--{name}={one}"
        else:
            yield f"--{name}={','.join(parts(value))}"


def parts(value: Any) -> "list[str]":
    if isinstance(value, Mapping):
        return [f"{name}={one}" for name, one in value.items()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return [str(one) for one in value]
    return [os.fspath(value) if is_path(value) else str(value)]
