"""Sentences of the command line in the words of Python."""

import re

from .keywords import KEYWORDS

FLAG = re.compile(
    # A command line is typed as it stands.
    r"touchstone [a-z][^`\n]*"
    r'|--(?P<flag>[a-z][a-z-]*)(?P<apart>[ =]?)(?P<value>(?<=[ =])(?!--)(?:"[^"]*"|[^\s"]+))?'
)

METHODS = {"json": "to_dict()", "out": "save()", "plot": "save()"}
"""What a conclusion has a method for."""


def in_python(text: str) -> str:
    """The text with each flag as the keyword argument that it is in Python.

    >>> in_python("If a column has another name, map it: --map id=item --map correct=right")
    'If a column has another name, map it: map={"id": "item", "correct": "right"}'
    """
    spoken = FLAG.sub(_spoken, text)
    # What is given twice on the command line is one dictionary.
    return re.sub(r'"\} map=\{', '", ', spoken)


def _spoken(found: "re.Match[str]") -> str:
    flag, value = found["flag"], found["value"] or ""
    rest = found["apart"] + value if flag else ""
    if flag in METHODS:
        return METHODS[flag] + rest
    if flag not in KEYWORDS:
        return found[0]
    name, kind, choices = KEYWORDS[flag]
    if kind == "switch":
        return f"{name}=True{rest}"
    bare = value.rstrip(".,;:)?")
    is_last = bare != value or found.end() == len(found.string)
    is_word = bare.isalpha() and bare.islower()
    if bare == "" or (is_word and not is_last and bare not in choices):
        return name + rest
    return f"{name}={_given(bare)}{value[len(bare):]}"


def _given(value: str) -> str:
    """A value of the command line as Python writes it."""
    value = value.strip('"')
    if re.fullmatch(r"-?\d+(\.\d+)?", value):
        return value
    pairs = [part.partition("=") for part in value.split(",")]
    if all(equals for _, equals, _ in pairs):
        return "{" + ", ".join(f'"{one}": "{other}"' for one, _, other in pairs) + "}"
    return f'"{value}"'
