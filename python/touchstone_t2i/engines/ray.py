"""Ray: parts are rows of a Ray dataset, performers its actors. An actor that is killed is started anew, and its part
performed again."""

import logging
from typing import Any, Dict, Iterator, List

import ray

from ..batch import Perform
from . import own_error

SMALLEST = 0.01
"""A performer waits for models more than it computes."""


def perform(parts: List[str], performer: Perform, performers: int) -> Iterator[Dict[str, Any]]:
    if not ray.is_initialized():
        ray.init(include_dashboard=False, log_to_driver=False, logging_level="error")
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    # Ray needs a processor for tasks of its own: with none left it waits for ever.
    free = max(ray.cluster_resources().get("CPU", 1) - 1, SMALLEST)
    dataset = ray.data.from_items([{"part": part} for part in parts], override_num_blocks=len(parts))
    performed = dataset.map_batches(
        Performer,
        fn_constructor_kwargs={"performer": performer},
        batch_size=1,
        batch_format="pyarrow",
        concurrency=min(performers, len(parts)),
        num_cpus=min(1, max(SMALLEST, free / performers)),
    )
    try:
        yield from performed.iter_rows()
    except Exception as error:
        raise own_error(error) from None


class Performer:
    """An actor: Ray makes one of a class, not of an instance."""

    def __init__(self, performer: Perform):
        self._performer = performer

    def __call__(self, batch: Any) -> Any:
        return self._performer(batch)
