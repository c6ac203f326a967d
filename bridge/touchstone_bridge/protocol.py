"""The protocol. In on stdin comes a JSON object a line, out on stdout go frames: the letters TBF2, the bytes of
a JSON object and of what follows it (unsigned, 32 bits, little-endian), the object, and what follows.

First, unasked, what this is:
    {"type": "hello", "protocol": 2, "version": …, "backend": …, "model": …, "revision": …,
     "abilities": ["embed-image", …], "pid": …}
Then an answer to each request, as soon as it is there, in any order:
    {"id": 1, "method": "load"}       -> {"id": 1, "result": {"packages": {…}, "logitScale"?: …, "metric"?: …}}
    {"id": 2, "method": "health"}     -> {"id": 2, "result": {"loaded": true, "answered": 0, "batch": 8}}
    {"id": 3, "method": "reward", "items": [{"image": I, "text": T}, …]}
    {"id": 4, "method": "probability-of-yes", "items": [{"image": I, "text": QUESTION}, …]}
    {"id": 5, "method": "embed-image", "items": [{"image": I}, …]}
    {"id": 6, "method": "embed-text", "items": [{"text": T}, …]}
    {"id": 7, "method": "localize", "items": [{"image": I, "text": ENTITY}, …]}
    {"id": 8, "method": "generate", "items": [{"text": PROMPT, "seed": N}, …]}
                                      -> {"id": …, "results": [R, …]}
I is {"path": …} or {"base64": …}. R is {"value": V} with a finite number, {"numbers": N} for an embedding or a mask
(height, width and run lengths column by column, first those outside) whose N numbers of 64 bits follow, {"bytes": N}
for an image whose file follows, or {"error": E}; "tokens" {"read", "of"} of a text that was cut, "unseen" the share of
an image's pixels that were cut off. E is {"kind", "message", "hint"?} with a kind of `failure.KINDS`. A request that
fails as a whole gets {"id", "error": E}.
"""

import json
import math
import struct

from .failure import Failure

ABILITIES = {
    "reward": ("image", "text"),
    "probability-of-yes": ("image", "text"),
    "embed-image": ("image",),
    "embed-text": ("text",),
    "localize": ("image", "text"),
    "generate": ("text", "seed"),
}
"""What can be asked, and what each item must hold."""


def parse(line) -> dict:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Failure("bad-input", f"The request is no JSON: {error}")
    if not isinstance(request, dict):
        raise Failure("bad-input", "Expected an object for a request")
    return request


def check(method, asked) -> None:
    if not isinstance(asked, dict):
        raise Failure("bad-input", "Expected an object for an item")
    for name, kind, words in (("text", str, "a string"), ("seed", int, "a whole number")):
        if name in ABILITIES[method] and not isinstance(asked.get(name), kind):
            raise Failure("bad-input", f"Expected {words} for {name}")


def frame(message, follows=b"") -> bytes:
    told = json.dumps(message, ensure_ascii=True, allow_nan=False).encode("ascii")
    return b"TBF2" + struct.pack("<II", len(told), len(follows)) + told + follows


def encoded(value) -> "tuple[dict, bytes]":
    """A value as a result and what follows it."""
    if isinstance(value, Failure):
        return {"error": value.to_json()}, b""
    if isinstance(value, bytes):
        return {"bytes": len(value)}, value
    if not isinstance(value, list):
        return {"value": finite([value])[0]}, b""
    return {"numbers": len(value)}, struct.pack(f"<{len(value)}d", *finite(value))


def finite(numbers):
    if numbers and all(isinstance(one, float) and math.isfinite(one) for one in numbers):
        return numbers
    shown = repr(numbers[0]) if len(numbers) == 1 else "an embedding"
    raise Failure("not-finite", f"Expected finite numbers but the model gave {shown}")
