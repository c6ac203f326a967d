"""A whole run on an engine: its parts are planned here, performed there, and finished here.

An engine is a module with a function `perform(parts, performer, performers)`, which yields a dictionary for each part
in any order: part, records, unscored, calls, cost and over (the limit that stopped it, or None).
"""

import importlib
import os
import sys
import time
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional

from ..batch import Perform
from ..command import ask
from ..errors import IncompleteError, InputError, TouchstoneError
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
        path: the folder of the run; make one with --plan.
        on: ray, spark or dask. A session that stands is used, else one is started on this machine.
        performers: how many work at once (default: as many as processors).
        exchange: a folder that all machines mount, or s3://bucket/prefix (default: within the run).
        cache: where answers are kept, for all performers.
        flags: limits of the run: max_calls, max_cost (US dollars), max_minutes.
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
    names = ["max_calls", "max_cost", "max_minutes"]
    limits = Limits(**{name: flags.pop(name, None) for name in names})
    performer = Perform(performers=many, cache=cache, **flags)
    while True:
        plan = asked(["run", "plan", *line])
        if plan["done"]:
            return

        def perform(parts: List[str]) -> Iterable[Mapping[str, Any]]:
            return engine.perform(parts, performer, many)

        is_over = perform_all(plan, limits, perform, performer)
        # Takes in the steps of which all parts have results; refuses where others have none.
        try:
            asked(["run", "finish", *line])
        except IncompleteError as error:
            if not is_over:
                raise
            raise IncompleteError(
                "The run met its limit of calls, cost or time before all parts had results",
                code="incomplete",
                hint="Go on with a higher limit: what has an answer is not asked again.",
            ) from error


class Limits:
    """What a run may still spend: calls, US dollars, and time."""

    def __init__(
        self,
        max_calls: Optional[int] = None,
        max_cost: Optional[float] = None,
        max_minutes: Optional[float] = None,
    ):
        self.calls = max_calls
        self.cost = max_cost
        self.until = None if max_minutes is None else time.time() + 60 * max_minutes

    def share(self, many: int) -> Dict[str, Any]:
        """The limits of each of so many parts, as flags: together they spend no more than what is left."""
        return {
            **({} if self.calls is None else {"max-calls": self.calls // many}),
            **({} if self.cost is None else {"max-cost": self.cost / many}),
        }

    def spend(self, performed: Iterable[Mapping[str, Any]]) -> float:
        """Takes off what parts spent; returns it, as calls and dollars in one number: 0 where nothing was spent."""
        calls = sum(each["calls"] for each in performed)
        cost = sum(each["cost"] for each in performed)
        if self.calls is not None:
            self.calls = max(0, self.calls - calls)
        if self.cost is not None:
            self.cost = max(0.0, self.cost - cost)
        return calls + cost


def perform_all(
    plan: Mapping[str, Any],
    limits: Limits,
    perform: Callable[[List[str]], Iterable[Mapping[str, Any]]],
    performer: Perform,
) -> bool:
    """Performs the parts of a plan, each within its share of what is left; returns whether a limit was met before all
    had results."""
    waiting: List[str] = plan["parts"]
    together = len(waiting)
    while waiting:
        together = min(together, len(waiting))
        if limits.calls is not None:
            together = max(1, min(together, limits.calls))
        now = waiting[:together]
        performer.limits, performer.until = limits.share(together), limits.until
        performed = show(plan["steps"], together, perform(now))
        over = {each["part"] for each in performed if each["over"] is not None}
        spent = limits.spend(performed)
        done = set(now) - over
        waiting = [part for part in waiting if part not in done]
        if len(over) == together and spent == 0:
            if together == 1:
                return True
            # The share of one may be less than a call costs: all that is left is for one.
            together = 1
    return False


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


def show(
    steps: List[str], parts: int, performed: Iterable[Mapping[str, Any]]
) -> List[Mapping[str, Any]]:
    """Says on stderr how far the parts of steps are; returns what was performed."""
    what = steps[0] if len(steps) == 1 else f"{steps[0]} and {len(steps) - 1} more"
    records = unscored = 0
    found: List[Mapping[str, Any]] = []
    for done, part in enumerate(performed, 1):
        found.append(part)
        records += part["records"]
        unscored += part["unscored"]
        said = f"{what}: {done} of {parts} parts, {records} records, {unscored} unscored"
        print(said, file=sys.stderr, flush=True)
    return found


def causes(error: BaseException) -> Iterator[BaseException]:
    """An error and those behind it, as engines wrap what their tasks raise."""
    found: Optional[BaseException] = error
    while found is not None:
        yield found
        found = getattr(found, "cause", None) or found.__cause__


def own_error(error: BaseException) -> BaseException:
    """What a performer said, without the pages of its engine; the error itself where that is not known."""
    return next((one for one in causes(error) if isinstance(one, TouchstoneError)), error)
