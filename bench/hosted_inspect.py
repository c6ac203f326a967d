"""The calls of hosted.mjs by inspect_ai. Reads one JSON line, prints one."""

import json
import os
import sys
import tempfile
import time

question = json.load(sys.stdin)
os.environ["OPENAI_API_KEY"] = "none"
os.environ["INSPECT_LOG_LEVEL"] = "error"

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
from inspect_ai.scorer import includes
from inspect_ai.solver import generate

images = question["images"]
calls = question["calls"]
samples = [
    Sample(
        input=[
            ChatMessageUser(
                content=[
                    ContentImage(image=images[number % len(images)]),
                    ContentText(text=f"Does it show {number} cats?"),
                ]
            )
        ],
        target="Yes",
    )
    for number in range(calls)
]
with tempfile.TemporaryDirectory() as logs:
    began = time.perf_counter()
    used = time.process_time()
    [log] = eval(
        Task(dataset=samples, solver=generate(), scorer=includes()),
        model="openai/tiny",
        model_base_url=question["baseUrl"],
        model_args={"responses_api": False},
        max_connections=question["concurrency"],
        max_samples=question["concurrency"],
        temperature=0,
        max_tokens=8,
        logprobs=True,
        top_logprobs=20,
        log_dir=logs,
        log_images=False,
        display="none",
    )
    seconds = time.perf_counter() - began
    microseconds = 1e6 * (time.process_time() - used) / calls
    answered = sum(
        sample.scores["includes"].value == "C" for sample in log.samples or [] if sample.scores
    )
print(json.dumps({"seconds": seconds, "microseconds": microseconds, "result": answered}))
