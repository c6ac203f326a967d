"""Text-to-image evaluation that people can believe.

Every conclusion of the command line is a function over a pandas or Polars DataFrame, an Arrow table
or a file:

    import touchstone_t2i as ts

    found = ts.correlation(df, human="rating", group="task")
    found.verdict      # one sentence
    found.to_frame()   # the numbers, unrounded
    found              # in a notebook: the verdict and the report's plot
"""

from importlib.metadata import version as _version

from .conclusion import Conclusion
from .engines import run
from .errors import GateError, IncompleteError, InputError, TouchstoneError
from .run import Run
from .scores import Scores
from .verbs import *  # noqa: F401,F403
from .verbs import __all__ as _verbs

__version__ = _version("touchstone-t2i")

__all__ = [
    "Conclusion",
    "GateError",
    "IncompleteError",
    "InputError",
    "Run",
    "Scores",
    "TouchstoneError",
    "run",
    *_verbs,
]
