"""A whole run on an engine: its parts are planned here, performed there, and finished here.

An engine is a module with a function `perform(parts, performer, performers)`, which yields a dictionary for each part
in any order: part, records, unscored.
"""

import importlib
import os
import sys
from typing import Any, Iterable, Iterator, List, Mapping, Optional

from ..batch import Perform
from ..command import ask
from ..errors import InputError, TouchstoneError
from ..flags import words_of
from ..run import Run
from ..wording import Wording

ENGINES = {"ray": "ray", "spark": "pyspark", "dask": "dask.distributed"}
"""Each engine with the module that it needs."""


def run(
    path: "str | os.PathLike[str]",
    on: str,
    performers: Optional[int] = None,
    exchange: "str | os.PathLike[str] | None" = None,
    cache: "str | os.PathLike[str] | None" = None,
    **flags: Any,
) -> Run:
    """Resumes a run on an engine.

    Args:
        path: the folder of the run; the command line makes one that asks nothing yet by --plan.
        on: ray, spark or dask. A session that stands is used, else one is started on this machine.
        performers: how many work at once (default: as many as processors); limits are divided by them.
        exchange: a folder that all machines mount, or s3://bucket/prefix (default: within the run).
        cache: where answers are kept, for all performers.
        flags: limits, such as max_calls.
    """
    collect(path, on, performers=performers, exchange=exchange, cache=cache, **flags)
    asked(["run", "resume", os.fspath(path)])
    return Run(path)


def collect(
    path: "str | os.PathLike[str]",
    on: str,
    *,
    performers: Optional[int] = None,
    exchange: "str | os.PathLike[str] | None" = None,
    cache: "str | os.PathLike[str] | None" = None,
    **flags: Any,
) -> None:
    """Collects every step of a run; nothing is concluded from it."""
    engine = engine_named(on)
    many = performers or os.cpu_count() or 1
    place = words_of({"exchange": exchange})
    line = [os.fspath(path), *place]
    performer = Perform(performers=many, cache=cache, **flags)
    while True:
        plan = asked(["run", "plan", *line])
        if plan["done"]:
            return
        parts: List[str] = plan["parts"]
        show(plan["steps"], len(parts), engine.perform(parts, performer, many))
        asked(["run", "finish", *line])


def engine_named(on: str) -> Any:
    if on not in ENGINES:
        raise InputError(f'Expected ray, spark or dask for on but received "{on}"', code="input")
    try:
        importlib.import_module(ENGINES[on])
    except ImportError as missing:
        raise InputError(
            f"Expected {ENGINES[on]} but it is not installed",
            code="input",
            hint=f"pip install 'touchstone-t2i[{on}]'",
        ) from missing
    return importlib.import_module(f".{on}", __name__)


def asked(words: List[str]) -> dict:
    done = ask(words, wording=Wording())
    if done.error is not None:
        raise done.error
    return done.result


def show(steps: List[str], parts: int, performed: Iterable[Mapping[str, Any]]) -> None:
    """Says on stderr how far the parts of steps are."""
    what = steps[0] if len(steps) == 1 else f"{steps[0]} and {len(steps) - 1} more"
    records = unscored = 0
    for done, part in enumerate(performed, 1):
        records += part["records"]
        unscored += part["unscored"]
        said = f"{what}: {done} of {parts} parts, {records} records, {unscored} unscored"
        print(said, file=sys.stderr, flush=True)


def told(error: BaseException) -> Iterator[BaseException]:
    """An error and those behind it, as engines wrap what their tasks raise."""
    found: Optional[BaseException] = error
    while found is not None:
        yield found
        found = getattr(found, "cause", None) or found.__cause__


def own_error(error: BaseException) -> BaseException:
    """What a performer said, without the pages of its engine; the error itself where that is not known."""
    return next((one for one in told(error) if isinstance(one, TouchstoneError)), error)
