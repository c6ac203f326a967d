"""`python -m touchstone_bridge.segment_http --backend grounded-sam`: a segmenter behind HTTP.

    POST /segment  {"image": "<base64>", "mediaType": "image/png", "entity": "skirt"}
    200            {"masks": [{"size": [height, width], "counts": [outside, inside, …]}]}
    4xx, 5xx       {"error": {"message": …}}

The counts are COCO's, column by column. Where the entity is nowhere the list is empty. A server of one's
own may answer with COCO's compressed counts, or with {"boxes": [[x, y, width, height], …]} alone. One
request is answered at a time; it listens on this machine only, unless --host says otherwise.
"""

import argparse
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from .backends import backend_named
from .failure import Failure, failure_of

LONGEST_REQUEST = 128 * 1024 * 1024
STATUS = {"bad-input": 400, "out-of-memory": 503}


def segment(backend, request) -> dict:
    if not isinstance(request, dict) or not isinstance(request.get("entity"), str):
        raise Failure("bad-input", "Expected a string for entity")
    if not isinstance(request.get("image"), str):
        raise Failure("bad-input", "Expected base64 for image")
    height, width, *counts = backend.alone(
        "localize", {"image": {"base64": request["image"]}, "text": request["entity"]}
    )
    counts = [int(count) for count in counts]
    size = [int(height), int(width)]
    return {"masks": [{"size": size, "counts": counts}] if sum(counts[1::2]) > 0 else []}


def handler(backend):
    one_at_a_time = Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            if self.path.rstrip("/") != "/segment":
                return self.reply(404, {"error": {"message": f"There is no {self.path}"}})
            length = int(self.headers.get("content-length") or 0)
            if length > LONGEST_REQUEST:
                return self.reply(413, {"error": {"message": "The request is too long"}})
            try:
                request = json.loads(self.rfile.read(length))
                with one_at_a_time:
                    self.reply(200, segment(backend, request))
            except ValueError as error:
                self.reply(400, {"error": {"message": f"The request is no JSON: {error}"}})
            except Exception as error:
                failure = failure_of(error)
                status = STATUS.get(failure.kind, 500)
                self.reply(status, {"error": {"message": failure.message}})

        def reply(self, status, message):
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
    parser = argparse.ArgumentParser(prog="touchstone_bridge.segment_http")
    parser.add_argument("--backend", default="grounded-sam")
    parser.add_argument("--model", help="the backend's own default where not given")
    parser.add_argument("--device", help="such as cpu or cuda:0; a GPU where there is one")
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
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
