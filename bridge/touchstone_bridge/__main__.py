"""`python -m touchstone_bridge --backend NAME`: serves one backend until stdin ends."""

import argparse
import os
import signal
import sys

from .backends import BACKENDS, backend_named
from .failure import Failure
from .serve import serve


def main() -> int:
    parser = argparse.ArgumentParser(prog="touchstone_bridge", description=__doc__)
    parser.add_argument("--backend", required=True, help=", ".join(sorted(BACKENDS)))
    parser.add_argument("--model", help="the backend's own default where not given")
    parser.add_argument("--revision")
    parser.add_argument("--path", help="a folder in which modules are looked for")
    parser.add_argument("--device", help="such as cpu or cuda:0; a GPU where there is one")
    given = parser.parse_args()

    if given.path is not None:
        os.chdir(given.path)
        sys.path.insert(0, given.path)

    # An interrupt on the terminal reaches every process of its group. Who started this one decides
    # when it ends: by closing stdin.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    # Libraries print to stdout as they please. Lines of the protocol get a way of their own, and
    # what is printed goes to stderr.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    try:
        backend = backend_named(given.backend)(
            model=given.model, revision=given.revision, device=given.device
        )
    except Failure as failure:
        print(failure.message, file=sys.stderr)
        return 2
    serve(backend, sys.stdin.buffer, out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
