import base64
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

from touchstone_bridge import PROTOCOL, serve
from touchstone_bridge.backends import BACKENDS, backend_named
from touchstone_bridge.backends.stub import Stub
from touchstone_bridge.failure import Failure

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def answers(backend, *requests):
    """What is said to so many lines, the hello first."""
    lines = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in requests]
    sink = io.BytesIO()
    serve.serve(backend, io.BytesIO(b"\n".join(lines) + b"\n"), sink, abandon=None)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def image(data=b"image"):
    return {"base64": base64.b64encode(data).decode()}


class TestProtocol(unittest.TestCase):
    def test_it_says_first_what_it_is(self):
        [hello] = answers(Stub())[:1]
        self.assertEqual(hello["type"], "hello")
        self.assertEqual(hello["protocol"], PROTOCOL)
        self.assertEqual(hello["backend"], "stub")
        self.assertIn("reward", hello["abilities"])
        self.assertEqual(hello["pid"], os.getpid())

    def test_answers_carry_the_number_of_their_request_and_come_in_order(self):
        requests = [{"id": n, "method": "health"} for n in (7, 3, 5)]
        found = answers(Stub(), *requests)[1:]
        self.assertEqual([one["id"] for one in found], [7, 3, 5])
        self.assertEqual([one["result"]["answered"] for one in found], [0, 1, 2])

    def test_a_model_is_loaded_when_it_is_first_needed(self):
        health = {"id": 1, "method": "health"}
        text = {"id": 2, "method": "embed-text", "items": [{"text": "a"}]}
        found = answers(Stub(), health, text, {**health, "id": 3})[1:]
        self.assertEqual([found[0]["result"]["loaded"], found[2]["result"]["loaded"]], [False, True])

    def test_each_item_has_an_answer_or_a_failure_of_its_own(self):
        items = [
            {"image": image(), "text": "a"},
            {"image": {"path": "/no/such.png"}, "text": "a"},
            {"image": {"base64": "?"}, "text": "a"},
            {"image": "cat.png", "text": "a"},
            {"image": image()},
            "no object",
            {"image": image(), "text": "a"},
        ]
        [found] = answers(Stub(), {"id": 1, "method": "reward", "items": items})[1:]
        kinds = [one.get("error", {}).get("kind", "answered") for one in found["results"]]
        self.assertEqual(kinds, ["answered"] + ["bad-input"] * 5 + ["answered"])
        self.assertEqual(found["results"][0], found["results"][-1])

    def test_a_path_stands_for_its_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.png")
            with open(path, "wb") as file:
                file.write(b"image")
            items = [{"image": {"path": path}}, {"image": image()}]
            [found] = answers(Stub(), {"id": 1, "method": "embed-image", "items": items})[1:]
        self.assertEqual(found["results"][0], found["results"][1])

    def test_bad_requests_are_refused_and_the_next_is_answered(self):
        bad = [
            b"no json",
            b"[]",
            b'"text"',
            b"[" * 100_000,
            b"\xff\xfe",
            {"id": 1, "method": "reward"},
            {"id": 1, "method": "reward", "items": {}},
        ]
        found = answers(Stub(), *bad, {"id": 9, "method": "health"})[1:]
        self.assertEqual([one["error"]["kind"] for one in found[:-1]], ["bad-input"] * len(bad))
        self.assertEqual(found[-1]["id"], 9)

    def test_what_a_backend_can_not_do(self):
        found = answers(Stub(), {"id": 1, "method": "__init__"}, {"id": 2})[1:]
        self.assertEqual([one["error"]["kind"] for one in found], ["not-supported"] * 2)

    def test_a_line_without_end_is_not_held(self):
        before = serve.LONGEST_LINE
        serve.LONGEST_LINE = 1000
        self.addCleanup(setattr, serve, "LONGEST_LINE", before)
        found = answers(Stub(), b"x" * 5000, {"id": 2, "method": "health"})[1:]
        self.assertEqual(found[0]["error"]["kind"], "bad-input")
        self.assertEqual(found[1]["id"], 2)

    def test_numbers_that_are_none_are_no_answer(self):
        class Broken(Stub):
            def embed_text(self, text):
                return {"nan": float("nan"), "none": None, "empty": [], "in": [1.0, float("inf")]}[text]

        items = [{"text": text} for text in ("nan", "none", "empty", "in", "else")]
        [found] = answers(Broken(), {"id": 1, "method": "embed-text", "items": items})[1:]
        kinds = [one["error"]["kind"] for one in found["results"]]
        self.assertEqual(kinds, ["not-finite"] * 4 + ["failed"])

    def test_memory_that_runs_out_is_told_from_other_failures(self):
        class Full(Stub):
            def embed_text(self, text):
                raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")

        [found] = answers(Full(), {"id": 1, "method": "embed-text", "items": [{"text": ""}]})[1:]
        self.assertEqual(found["results"][0]["error"]["kind"], "out-of-memory")

    def test_a_missing_package_is_told_with_what_to_install(self):
        class Bare(Stub):
            extra = "hpsv2"

            def load(self):
                raise ModuleNotFoundError("No module named 'hpsv2'")

        text = {"id": 2, "method": "embed-text", "items": [{"text": "a"}]}
        for found in answers(Bare(), {"id": 1, "method": "load"}, text)[1:]:
            self.assertEqual(found["error"]["kind"], "missing-package")
            self.assertIn("pip install '.[hpsv2]'", found["error"]["hint"])

    def test_a_model_that_can_not_be_loaded(self):
        [found] = answers(Stub(model="none"), {"id": 1, "method": "load"})[1:]
        self.assertEqual(found["error"]["kind"], "load-failed")

    def test_backends_by_name_have_what_they_say(self):
        for name in BACKENDS:
            backend = backend_named(name)()
            self.assertEqual(backend.name, name)
            for ability in backend.abilities:
                self.assertIn(ability, serve.ABILITIES)
                self.assertTrue(callable(getattr(backend, ability.replace("-", "_"))))
        with self.assertRaisesRegex(Failure, "hpsv2, image-reward, open-clip, pick-score"):
            backend_named("hpsv3")


class TestProcess(unittest.TestCase):
    def start(self, *words):
        process = subprocess.Popen(
            [sys.executable, "-B", "-m", "touchstone_bridge", *words],
            cwd=FOLDER,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process

    def ask(self, process, **request):
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()

    def test_what_is_printed_goes_to_stderr(self):
        process = self.start("--backend", "stub", "--model", "moody")
        process.stdout.readline()
        item = {"image": image(), "text": "print"}
        self.ask(process, id=1, method="reward", items=[item])
        self.assertEqual(json.loads(process.stdout.readline())["id"], 1)
        process.stdin.close()
        self.assertEqual(process.wait(10), 0)
        self.assertIn(b"a library prints what it likes", process.stderr.read())

    def test_the_end_of_its_input_ends_it_whatever_it_does(self):
        process = self.start("--backend", "stub", "--model", "moody")
        process.stdout.readline()
        self.ask(process, id=1, method="load")
        process.stdout.readline()
        self.ask(process, id=2, method="reward", items=[{"image": image(), "text": "hang"}])
        process.stdin.close()
        self.assertEqual(process.wait(10), 0)

    def test_an_interrupt_is_for_who_started_it(self):
        import signal

        process = self.start("--backend", "stub")
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        self.ask(process, id=1, method="health")
        self.assertEqual(json.loads(process.stdout.readline())["id"], 1)
        process.stdin.close()
        self.assertEqual(process.wait(10), 0)

    def test_a_backend_that_is_none(self):
        process = self.start("--backend", "hpsv3")
        process.stdin.close()
        self.assertEqual(process.wait(10), 2)
        self.assertIn(b"Expected one of function, grounded-sam, hpsv2", process.stderr.read())


if __name__ == "__main__":
    unittest.main()
