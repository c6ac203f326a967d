"""A small server of one model that speaks chat/completions as vLLM does, for tests: one picture a request,
greedy, with the log-probabilities of the tokens.

    python openai_server.py MODEL_FOLDER     prints its address
"""

import base64
import io
import json
import math
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import torch
from PIL import Image
from transformers import AutoModelForImageTextToText, AutoProcessor

folder = sys.argv[1]
model = AutoModelForImageTextToText.from_pretrained(folder).eval()
processor = AutoProcessor.from_pretrained(folder)


def part_of(part):
    if part["type"] == "text":
        return part
    picture = base64.b64decode(part["image_url"]["url"].split(",", 1)[1])
    return {"type": "image", "image": Image.open(io.BytesIO(picture)).convert("RGB")}


@torch.no_grad()
def answer(request):
    said = [
        {"role": one["role"], "content": [part_of(part) for part in one["content"]] if isinstance(one["content"], list) else [{"type": "text", "text": one["content"]}]}
        for one in request["messages"]
    ]
    inputs = processor.apply_chat_template(
        said, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
    )
    logs = model(**inputs).logits[0, -1].log_softmax(0)
    named = lambda at: {"token": processor.tokenizer.decode([at]), "logprob": max(-9999, logs[at].item())}
    best = logs.topk(max(1, request.get("top_logprobs") or 1)).indices.tolist()
    first = named(best[0])
    assert math.isfinite(first["logprob"])
    logprobs = {"content": [first | {"top_logprobs": [named(at) for at in best]}]} if request.get("logprobs") else None
    return {
        "id": "1", "object": "chat.completion", "created": 0, "model": request["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "logprobs": logprobs, "message": {"role": "assistant", "content": first["token"]}}],
        "usage": {"prompt_tokens": inputs["input_ids"].shape[1], "completion_tokens": 1, "total_tokens": inputs["input_ids"].shape[1] + 1},
    }


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps(answer(request)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
server.serve_forever()
