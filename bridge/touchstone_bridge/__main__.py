"""`python -m touchstone_bridge --backend NAME`: serves one backend until stdin ends."""

import argparse
import json
import os
import signal
import sys

from .backends import BACKENDS, backend_named
from .failure import Failure
from .serve import serve


def parser_of(program, description, backend=None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description=description)
    parser.add_argument("--backend", required=backend is None, default=backend, help=", ".join(sorted(BACKENDS)))
    parser.add_argument("--model", help="the backend's own default where not given")
    parser.add_argument("--device", help="such as cpu or cuda:0; a GPU where there is one")
    return parser


def main() -> int:
    parser = parser_of("touchstone_bridge", __doc__)
    parser.add_argument("--revision")
    parser.add_argument("--path", help="a folder in which modules are looked for")
    parser.add_argument("--batch", type=int, help="so many at once; found out where not given")
    parser.add_argument("--workers", type=int, help="processes that prepare images")
    parser.add_argument("--precision", help="fp32, bf16 or fp16; what the package does where not given")
    parser.add_argument("--seconds", type=float, default=300.0, help="for an item in a worker")
    parser.add_argument("--settings", type=json.loads, help="of a generator, as JSON")
    given = vars(parser.parse_args())
    name, path = given.pop("backend"), given.pop("path")

    if path is not None:
        os.chdir(path)
        sys.path.insert(0, path)

    # An interrupt reaches every process of the terminal's group; who started this one ends it by closing stdin.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    # Workers that are forked would wait for the lock of whoever reads here.
    source = os.fdopen(os.dup(0), "rb")
    sys.stdin = open(os.devnull)

    # Frames of the protocol get a way of their own: what libraries print to stdout goes to stderr.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    try:
        backend = backend_named(name)(**given)
    except Failure as failure:
        print(failure.message, file=sys.stderr)
        return 2
    serve(backend, source, out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
