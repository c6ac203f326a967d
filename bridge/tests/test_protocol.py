import base64
import io
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

from touchstone_bridge import PROTOCOL, protocol, serve
from touchstone_bridge.backends import BACKENDS, backend_named
from touchstone_bridge.backends.stub import Stub
from touchstone_bridge.failure import Failure

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def answers(backend, *requests):
    """What is said to so many lines, the hello first; numbers and bytes that follow are values."""
    lines = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in requests]
    sink = io.BytesIO()
    serve.serve(backend, io.BytesIO(b"\n".join(lines) + b"\n"), sink, abandon=None)
    sink.seek(0)
    return list(iter(lambda: frame(sink), None))


def frame(source):
    """The next message, or None at the end."""
    head = source.read(12)
    if not head:
        return None
    assert head[:4] == b"TBF2", head
    told, following = struct.unpack("<II", head[4:])
    message, follows = json.loads(source.read(told)), io.BytesIO(source.read(following))
    for result in message.get("results", []):
        if "numbers" in result:
            count = result.pop("numbers")
            result["value"] = list(struct.unpack(f"<{count}d", follows.read(8 * count)))
        elif "bytes" in result:
            result["value"] = follows.read(result.pop("bytes"))
    assert follows.read() == b""
    return message


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
        found = {one.get("id"): one for one in answers(Stub(), health, text, {**health, "id": 3})}
        self.assertEqual([found[at]["result"]["loaded"] for at in (1, 3)], [False, True])

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

    def test_numbers_that_are_none_are_no_answer(self):
        class Broken(Stub):
            def embed_text(self, texts):
                known = {"nan": float("nan"), "none": None, "empty": [], "in": [1.0, float("inf")]}
                return [known[text] for text in texts]

        items = [{"text": text} for text in ("nan", "none", "empty", "in", "else")]
        [found] = answers(Broken(), {"id": 1, "method": "embed-text", "items": items})[1:]
        kinds = [one["error"]["kind"] for one in found["results"]]
        self.assertEqual(kinds, ["not-finite"] * 4 + ["failed"])

    def test_where_memory_runs_out_the_batch_halves_and_goes_on(self):
        class Small(Stub):
            sizes = []

            def embed_text(self, texts):
                self.sizes.append(len(texts))
                if len(texts) > 2 or "large" in texts:
                    raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")
                return super().embed_text(texts)

        texts = ["a", "b", "large", "c", "d", "e", "f", "g"]
        request = {"id": 1, "method": "embed-text", "items": [{"text": text} for text in texts]}
        [found] = answers(Small(batch=8), request)[1:]
        [whole] = answers(Stub(), request)[1:]
        self.assertEqual(found["results"][2]["error"]["kind"], "out-of-memory")
        others = [place for place in range(8) if place != 2]
        self.assertEqual(
            [found["results"][place] for place in others], [whole["results"][place] for place in others]
        )
        self.assertEqual([Small.sizes[0], Small.sizes.count(8), Small.sizes[-1]], [8, 1, 2])

    def test_a_batch_grows_while_that_is_faster(self):
        size = serve.Line(None, 16)
        grown = []
        for seconds in (1.0, 1.0, 1.0, 1.0, 1.0):
            size.took(size.value, seconds)
            grown.append(size.value)
        self.assertEqual(grown, [2, 4, 8, 16, 16])
        slower = serve.Line(None, 16)
        slower.took(1, 1.0)
        for _ in range(3):
            slower.took(slower.value, 2.0 * slower.value)
        self.assertEqual(slower.value, 2)
        slower.shrink(2)
        self.assertEqual([slower.value, serve.Line(64, 256).value], [1, 64])

    def test_items_of_many_requests_are_computed_together(self):
        class Counting(Stub):
            sizes = []

            def embed_text(self, texts):
                self.sizes.append(len(texts))
                return super().embed_text(texts)

        requests = [
            {"id": n, "method": "embed-text", "items": [{"text": f"{n}"}]} for n in range(32)
        ]
        found = answers(Counting(batch=8), *requests)[1:]
        self.assertEqual(sorted(one["id"] for one in found), list(range(32)))
        self.assertGreater(max(Counting.sizes), 1)
        [alone] = answers(Stub(), requests[7])[1:]
        self.assertEqual(next(one for one in found if one["id"] == 7), alone)

    def test_a_text_that_stands_at_many_images_is_embedded_once(self):
        class Cut(Stub):
            seen = []

            def about_text(self, text):
                return {"tokens": {"read": 1, "of": 2}} if text == "long" else {}

            def embed_text(self, texts):
                self.seen.append(texts)
                if "bad" in texts:
                    raise RuntimeError("told to throw")
                return super().embed_text(texts)

        texts = ["a", "long", "a", "bad", "bad", "long"]
        items = [{"text": text} for text in texts]
        requests = [{"id": 1, "method": "embed-text", "items": items}]
        requests += [{"id": 2 + at, "method": "embed-text", "items": [one]} for at, one in enumerate(items)]
        found = {one["id"]: one["results"] for one in answers(Cut(batch=1), *requests)[1:]}
        self.assertEqual([found[2 + at][0] for at in range(6)], found[1])
        [whole] = answers(Stub(), requests[0])[1:]
        self.assertEqual(found[1][2]["value"], whole["results"][0]["value"])
        self.assertEqual([one.get("tokens") for one in found[1]].count({"read": 1, "of": 2}), 2)
        self.assertEqual(found[1][3]["error"]["kind"], "failed")
        asked = [text for batch in Cut.seen for text in batch]
        self.assertEqual([asked.count("a"), asked.count("long")], [1, 1])

    def test_what_is_no_text_is_refused_beside_texts_that_wait(self):
        texts = ["b", ["a"], {"a": 1}, None, 3, "b"]
        request = {"id": 1, "method": "embed-text", "items": [{"text": text} for text in texts] + ["b"]}
        [found] = answers(Stub(batch=1), request)[1:]
        kinds = [one.get("error", {}).get("kind") for one in found["results"]]
        self.assertEqual(kinds, [None, *["bad-input"] * 4, None, "bad-input"])

    def test_the_texts_that_are_kept_are_bounded(self):
        class Counting(Stub):
            seen = []

            def embed_text(self, texts):
                self.seen.extend(texts)
                return super().embed_text(texts)

        with unittest.mock.patch.object(serve, "MOST_TEXTS", 2):
            server = serve.Server(Counting(), io.BytesIO())
            for text in "abacab":
                server.taken += 1
                server.free.acquire()
                server.request(json.dumps({"id": 1, "method": "embed-text", "items": [{"text": text}]}))
                for line in server.lines.values():
                    if line.is_due():
                        server.compute(line.batch())()
        self.assertEqual(Counting.seen, ["a", "b", "c", "b"])
        self.assertEqual([server.answered, server.embedded.cache_info().currsize], [6, 2])

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
                self.assertIn(ability, protocol.ABILITIES)
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
        frame(process.stdout)
        item = {"image": image(), "text": "print"}
        self.ask(process, id=1, method="reward", items=[item])
        self.assertEqual(frame(process.stdout)["id"], 1)
        process.stdin.close()
        self.assertEqual(process.wait(10), 0)
        self.assertIn(b"a library prints what it likes", process.stderr.read())

    def test_the_end_of_its_input_ends_it_whatever_it_does(self):
        process = self.start("--backend", "stub", "--model", "moody")
        frame(process.stdout)
        self.ask(process, id=1, method="load")
        frame(process.stdout)
        self.ask(process, id=2, method="reward", items=[{"image": image(), "text": "hang"}])
        process.stdin.close()
        self.assertEqual(process.wait(10), 0)

    def test_an_interrupt_is_for_who_started_it(self):
        import signal

        process = self.start("--backend", "stub")
        frame(process.stdout)
        process.send_signal(signal.SIGINT)
        self.ask(process, id=1, method="health")
        self.assertEqual(frame(process.stdout)["id"], 1)
        process.stdin.close()
        self.assertEqual(process.wait(10), 0)

    def test_a_backend_that_is_none(self):
        process = self.start("--backend", "hpsv3")
        process.stdin.close()
        self.assertEqual(process.wait(10), 2)
        self.assertIn(b"Expected one of diffusers, function, generator, grounded-sam, hpsv2", process.stderr.read())


if __name__ == "__main__":
    unittest.main()
