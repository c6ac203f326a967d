"""`python -m touchstone_bridge.segment_http --backend grounded-sam`: a segmenter behind HTTP.

    POST /segment  {"image": "<base64>", "mediaType": "image/png", "entity": "skirt"}
    200            {"masks": [{"size": [height, width], "counts": [outside, inside, …]}]}
    4xx, 5xx       {"error": {"message": …}}

The counts are COCO's, column by column. Where the entity is nowhere the list is empty. A server of one's
own may answer with COCO's compressed counts, or with {"boxes": [[x, y, width, height], …]} alone. One
request is answered at a time; it listens on this machine only, unless --host says otherwise.
"""

import json
import sys
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from .__main__ import parser_of
from .backends import backend_named
from .failure import Failure, failure_of
from .protocol import parse

LONGEST_REQUEST = 128 * 1024 * 1024
STATUS = {"bad-input": 400, "out-of-memory": 503}
ONE_AT_A_TIME = Lock()


def segment(backend, request) -> dict:
    for name, words in (("entity", "a string"), ("image", "base64")):
        if not isinstance(request.get(name), str):
            raise Failure("bad-input", f"Expected {words} for {name}")
    item = {"image": {"base64": request["image"]}, "text": request["entity"]}
    height, width, *counts = (int(one) for one in backend.alone("localize", item))
    return {"masks": [{"size": [height, width], "counts": counts}] if sum(counts[1::2]) > 0 else []}


def answer(backend, path, source, length) -> "tuple[int, dict]":
    if path.rstrip("/") != "/segment":
        return 404, {"error": {"message": f"There is no {path}"}}
    if length > LONGEST_REQUEST:
        return 413, {"error": {"message": "The request is too long"}}
    try:
        request = parse(source.read(length))
        with ONE_AT_A_TIME:
            return 200, segment(backend, request)
    except Exception as error:
        failure = failure_of(error)
        return STATUS.get(failure.kind, 500), {"error": {"message": failure.message}}


def handler(backend):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers.get("content-length") or 0)
            status, message = answer(backend, self.path, self.rfile, length)
            body = json.dumps(message).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    return Handler


def main() -> int:
    parser = parser_of("touchstone_bridge.segment_http", __doc__, "grounded-sam")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8100, help="0 takes a free one")
    given = parser.parse_args()
    try:
        backend = backend_named(given.backend)(model=given.model, device=given.device)
        if "localize" not in backend.abilities:
            raise Failure("bad-input", f"{given.backend} finds no entities")
        backend.load()
    except (Failure, ImportError) as error:
        print(error, file=sys.stderr)
        return 2
    server = ThreadingHTTPServer((given.host, given.port), handler(backend))
    print(f"http://{given.host}:{server.server_port}", flush=True)
    with suppress(KeyboardInterrupt):
        server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(main())
