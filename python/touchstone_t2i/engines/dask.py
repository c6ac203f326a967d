"""Dask: a task each part, on the client that stands or on processes of this machine; a lost one is tried again."""

from typing import Any, Dict, Iterator, List

from dask.distributed import Client, as_completed, get_client

from ..batch import Perform
from . import own_error

RETRIES = 2
"""How often a part whose worker was lost is performed again."""


def perform(parts: List[str], performer: Perform, performers: int) -> Iterator[Dict[str, Any]]:
    try:
        own, client = None, get_client()
    except ValueError:
        own = client = Client(
            n_workers=performers, threads_per_worker=1, dashboard_address=None, silence_logs=50
        )
    try:
        futures = client.map(performer.perform, parts, retries=RETRIES, pure=False)
        for future in as_completed(futures):
            yield future.result()
    except Exception as error:
        raise own_error(error) from None
    finally:
        if own is not None:
            own.close()
