"""Spark: parts are rows of a frame, a partition each; a task that fails or is lost is tried again by Spark."""

import os
import re
import shutil
import sys
from typing import Any, Dict, Iterator, List

from pyspark.sql import SparkSession

from .. import errors
from ..batch import Perform
from . import own_error

FAILURES = 3
"""How often a part whose worker was lost is performed in all; a cluster has its own setting."""

SCHEMA = "part string, records long, unscored long, calls long, cost double, over string"


def perform(parts: List[str], performer: Perform, performers: int) -> Iterator[Dict[str, Any]]:
    # Executors of this machine are this Python, where nobody says otherwise.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.getActiveSession() or (
        SparkSession.builder.master(f"local[{performers},{FAILURES}]")
        .appName("touchstone")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "FATAL")
        .getOrCreate()
    )
    context = spark.sparkContext
    # Spark tries such a worker again for a minute, and says nothing.
    if context.master.startswith("local") and shutil.which(context.pythonExec) is None:
        raise other_python(context.pythonExec, "no such program")
    rows = context.parallelize([(part,) for part in parts], len(parts))
    frame = spark.createDataFrame(rows, "part string").mapInPandas(performer.pandas, SCHEMA)
    try:
        yield from (row.asDict() for row in frame.collect())
    except Exception as error:
        raise said_by(error, context.pythonExec) from None


def said_by(error: Exception, workers: str) -> BaseException:
    """Spark hands an error of a task over as text."""
    unlike = re.search(r"PYTHON_VERSION_MISMATCH|No module named '\w+'", str(error))
    if unlike is not None:
        return other_python(workers, unlike[0])
    lines = re.findall(r"touchstone_t2i\.errors\.(\w+): (.+)", str(error))
    if not lines:
        return own_error(error)
    name, message = lines[-1]
    return getattr(errors, name, errors.TouchstoneError)(message.strip())


def other_python(workers: str, why: str) -> errors.InputError:
    mine = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return errors.InputError(
        f"Expected Python {mine} with touchstone-t2i in workers of the open Spark session but they run {workers} ({why})",
        code="input",
        hint=f"Stop the session and start it with PYSPARK_PYTHON={sys.executable}, or what is like it on the workers.",
    )
