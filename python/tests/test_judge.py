"""A saved judge over batches, against a server of its own: the answers of the verb, paid once."""

import base64
import json
import os
import select
import signal
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from conftest import touchstone
from PIL import Image

import touchstone_t2i as ts
from touchstone_t2i.batch import Judge, Score

IMAGES = 12


@pytest.fixture
def server(monkeypatch):
    """Says yes of the red images alone; counts its calls, and holds them while `held` is set."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = self.rfile.read(int(self.headers["content-length"])).decode("utf-8")
            self.server.calls += 1
            if self.server.is_held:
                # Readable without another request: the other side has hung up.
                ended, _, _ = select.select([self.connection], [], [], 20)
                self.server.ended += len(ended)
                return
            said = "Yes" if any(each in asked for each in self.server.reds) else "No"
            other = "No" if said == "Yes" else "Yes"
            tops = [{"token": said, "logprob": -0.01}, {"token": other, "logprob": -5.0}]
            reply = json.dumps({
                "id": "1", "object": "chat.completion", "created": 1, "model": "tiny",
                "choices": [{
                    "index": 0, "finish_reason": "stop",
                    "message": {"role": "assistant", "content": said},
                    "logprobs": {"content": [{**tops[0], "top_logprobs": tops}]},
                }],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }).encode("utf-8")
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_):
            pass

    served = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    served.calls, served.ended, served.reds, served.is_held = 0, 0, [], False
    threading.Thread(target=served.serve_forever, daemon=True).start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{served.server_address[1]}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef")
    yield served
    served.shutdown()
    served.server_close()


@pytest.fixture
def rows(server, tmp_path, monkeypatch):
    """Questions about images, and the judge that was fitted to their answers."""
    monkeypatch.chdir(tmp_path)
    rows = []
    # What people labelled is not asked about: the second half is to be judged.
    for at in range(2 * IMAGES):
        name, is_red = f"{at}.png", at % 2 == 0
        Image.new("RGB", (8, 8), (255 - at, 0, 0) if is_red else (0, 0, 200 - at)).save(name)
        if is_red:
            server.reds.append(base64.b64encode(Path(name).read_bytes()).decode("ascii")[:200])
        rows.append({"id": str(at), "image": name, "question": "Is it red?"})
    answered = [{**row, "answer": "yes" if int(row["id"]) % 2 == 0 else "no"} for row in rows[:IMAGES]]
    for name, table in {"labels": answered, "items": rows[IMAGES:]}.items():
        Path(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in table), "utf-8")
    touchstone(
        "calibrate", "labels.jsonl", "--model", "openai-compatible:tiny", "--prompts", "3",
        "--no-cache",
    )
    return rows[IMAGES:]


def test_a_judge_decides_as_the_verb_does(server, rows):
    # So few labels certify nothing: without a threshold the judge decides nothing alone.
    flags = {"threshold": 0.8, "no_cache": True}
    files = ("out", "review")
    touchstone(
        "judge", "items.jsonl", "--threshold", "0.8", "--no-cache", "--no-sanity",
        *(f"--{name}={name}.jsonl" for name in files),
    )
    lines = [
        json.loads(line)
        for name in files
        for line in Path(f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    expected = {row["id"]: row for row in lines}
    before = server.calls
    batch = {name: [row[name] for row in rows] for name in ("image", "question")}
    found = Judge("judge.json", **flags)(batch)
    assert found["decision"] == [expected[row["id"]].get("decision") for row in rows]
    assert found["decision"] == ["yes", "no"] * (IMAGES // 2)
    sure = [expected[row["id"]]["probability"] for row in rows]
    assert found["confidence"] == [max(each, 1 - each) for each in sure]
    assert sum(found["calls"]) == server.calls - before > 0


def test_scores_say_what_each_took(server, rows):
    before = server.calls
    images = [row["image"] for row in rows]
    batch = {"image": [*images, "gone.png"], "prompt": ["red"] * (IMAGES + 1)}
    found = Score("vqa-score", "openai-compatible:tiny", no_cache=True)(batch)
    assert found["unscored"] == [None] * IMAGES + ["bad-input"]
    assert found["calls"] == [1] * IMAGES + [0] and server.calls - before == IMAGES
    assert found["cost"] == [None] * IMAGES + [0]


@pytest.fixture
def heeded_interrupts():
    """A process that a shell began in the background ignores SIGINT until it asks for it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_ends_the_calls_in_flight(server, rows, heeded_interrupts):
    server.is_held, server.calls = True, 0

    def interrupt():
        while server.calls == 0:
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    batch = {name: [row[name] for row in rows] for name in ("image", "question")}
    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises((KeyboardInterrupt, ts.TouchstoneError)):
        Judge("judge.json", threshold=0.8, no_cache=True)(batch)
    asked = server.calls
    until = time.time() + 10
    while server.ended < asked and time.time() < until:
        time.sleep(0.05)
    assert server.ended == server.calls == asked > 0
