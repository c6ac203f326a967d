"""Sentences of the command line in the words of Python."""

import re
import shlex
from typing import Any, Dict, Optional

from .keywords import FUNCTIONS, KEYWORDS

FLAG = re.compile(
    r"`?touchstone [a-z][^`\n]*`?"
    r"|--(?P<flag>[a-z][a-z-]*)(?P<apart>[ =]?)"
    r"""(?P<value>(?<=[ =])(?!--)(?:"[^"]*"|'[^'\n]*'|[^\s"]+))?"""
)

METHODS = {"json": "to_dict()", "out": "save()", "plot": "save()"}
"""What a conclusion has a method for."""

SWITCHED = {"switch": "True", "leaves-out": "False"}
"""What flags without a value are as keywords, by their kind."""

CALLED = {"pandas": "the DataFrame", "polars": "the DataFrame", "datasets": "the Dataset"}
"""How messages call tables of a library."""

AS_NUMBERS = re.compile(r"Store (?P<columns>[^\n]+?) as numbers, and no answer as null\.")


def library_of(table: Any) -> str:
    """The package that a table's class is from, such as "pandas"."""
    return type(table).__module__.split(".")[0]


def called(table: Any) -> str:
    """How messages call a table that is no file."""
    return CALLED.get(library_of(table), "the table")


def to_numbers(column: str, library: str) -> str:
    """How to make numbers of a column, and nothing of what is no number."""
    if library == "pandas":
        return f'df["{column}"] = pd.to_numeric(df["{column}"], errors="coerce")'
    if library == "polars":
        return f'df = df.with_columns(pl.col("{column}").cast(pl.Float64, strict=False))'
    return f"Store {column} as numbers, and no answer as null."


class Wording:
    """Sentences of the command line in the words of Python.

    Attributes:
        names: what is said in place of names that only the command line knows.
    """

    def __init__(self, table: Any = None):
        """table: the one that was handed over as a file of this package's own, if one was."""
        self._library = library_of(table)
        self.names: Dict[str, str] = {}
        if table is not None:
            self.names = {"dataframe.parquet": called(table), "standard input": called(table)}

    def __call__(self, text: str) -> str:
        """The text with each flag as the keyword argument that it is in Python.

        >>> Wording()("If a column has another name, map it: --map id=item --map correct=right")
        'If a column has another name, map it: map={"id": "item", "correct": "right"}'
        >>> Wording()("If a column has another name, map it: --map 'id=column 1'")
        'If a column has another name, map it: map={"id": "column 1"}'
        """
        for name, said in {**self.names, "then run the command again": "then call it again"}.items():
            text = text.replace(name, said)
        spoken = FLAG.sub(_spoken, AS_NUMBERS.sub(self._as_numbers, text))
        # What is given twice on the command line is one dictionary.
        return re.sub(r'"\} map=\{', '", ', spoken)

    def _as_numbers(self, found: "re.Match[str]") -> str:
        if self._library not in ("pandas", "polars"):
            return found[0]
        columns = re.split(r", | and ", found["columns"])
        lines = "".join(f"\n    {to_numbers(column, self._library)}" for column in columns)
        return f"Make them numbers, and nothing of what is none:{lines}"


def _spoken(found: "re.Match[str]") -> str:
    flag, value = found["flag"], found["value"] or ""
    if re.fullmatch("'.*'", value):
        value = value[1:-1]
    if flag is None:
        return _call(found[0].strip("`")) or found[0]
    rest = found["apart"] + value
    if flag in METHODS:
        return METHODS[flag] + rest
    if flag not in KEYWORDS:
        return found[0]
    name, kind, choices = KEYWORDS[flag]
    if kind in SWITCHED:
        return f"{name}={SWITCHED[kind]}{rest}"
    bare = value.rstrip(".,;:)?")
    is_last = bare != value or found.end() == len(found.string)
    is_word = bare.isalpha() and bare.islower()
    if bare == "" or (is_word and not is_last and bare not in choices):
        return name + rest
    return f"{name}={_given(bare)}{value[len(bare):]}"


def _call(line: str) -> Optional[str]:
    """A command line as the call that it is in Python; None where it is none, or more words follow."""
    words = shlex.split(line)[1:]
    verb = next((" ".join(words[:n]) for n in (2, 1) if " ".join(words[:n]) in FUNCTIONS), None)
    if verb is None:
        return None
    name, rest = f"ts.{FUNCTIONS[verb]}", words[len(verb.split(" ")) :]
    if rest == ["--help"]:
        return f"help({name})"
    table = rest.pop(0) if rest and re.fullmatch(r"FILE|\S+\.\w+", rest[0]) else None
    given = [] if table is None else ["df" if table == "FILE" else f'"{table}"']
    while rest:
        flag, kind, _ = KEYWORDS.get(rest[0][2:], (None, None, ()))
        if not rest.pop(0).startswith("--") or flag is None or (kind not in SWITCHED and not rest):
            return None
        given.append(f"{flag}={SWITCHED.get(kind) or _given(rest.pop(0))}")
    return f"{name}({', '.join(given)})"


def _given(value: str) -> str:
    """A value of the command line as Python writes it."""
    value = value.strip('"')
    if re.fullmatch(r"[a-z]+(\|[a-z]+)+", value):
        return " or ".join(f'"{one}"' for one in value.split("|"))
    if re.fullmatch(r"-?\d+(\.\d+)?", value):
        return value
    pairs = [part.partition("=") for part in value.split(",")]
    if all(equals for _, equals, _ in pairs):
        return "{" + ", ".join(f'"{one}": "{other}"' for one, _, other in pairs) + "}"
    return f'"{value}"'
