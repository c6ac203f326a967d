"""The segmenter behind HTTP."""

import http.client
import json
import socket
import threading
import unittest
from http.server import ThreadingHTTPServer

from touchstone_bridge.segment_http import handler


class Halves:
    def alone(self, method, item):
        return [1, 2, 1, 1]


class SegmentHttp(unittest.TestCase):
    def setUp(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler(Halves()))
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def test_a_request_that_never_comes_whole_holds_up_no_other(self):
        stalled = socket.create_connection(self.server.server_address)
        self.addCleanup(stalled.close)
        stalled.sendall(b"POST /segment HTTP/1.1\r\nContent-Length: 100\r\n\r\n{")
        asked = http.client.HTTPConnection(*self.server.server_address, timeout=10)
        self.addCleanup(asked.close)
        asked.request("POST", "/segment", json.dumps({"image": "", "entity": "cat"}))
        reply = json.loads(asked.getresponse().read())
        self.assertEqual(reply, {"masks": [{"size": [1, 2], "counts": [1, 1]}]})


if __name__ == "__main__":
    unittest.main()
