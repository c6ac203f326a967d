"""What bench/localization.mjs compares itself with: one JSON line in, one out, timed here."""

import json
import sys
import time

import cv2
import numpy as np
import PIL
from PIL import Image, ImageOps

cv2.setNumThreads(1)
loaded = {}


def load(question):
    width, height = question["size"]
    loaded["image"] = np.fromfile(question["image"], np.uint8).reshape(height, width, 3)
    for name, path in question["masks"].items():
        loaded[name] = np.fromfile(path, np.uint8).reshape(height, width)
    return {
        "versions": f"Python {sys.version.split()[0]}, NumPy {np.__version__}, "
        f"OpenCV {cv2.__version__}, Pillow {PIL.__version__}"
    }


def localize(image, mask, strategy):
    steps = strategy.split("+")
    shown = image
    if "masking" in steps:
        shown = np.where(mask[..., None] > 0, image, 0).astype(np.uint8)
    if "blurring" in steps:
        soft = cv2.GaussianBlur(image, (51, 51), 25, borderType=cv2.BORDER_REFLECT_101)
        shown = np.where(mask[..., None] > 0, image, soft)
    if "cropping" not in steps:
        return shown
    height, width = mask.shape
    ys, xs = np.nonzero(mask)
    x0, x1, y0, y1 = xs.min(), xs.max(), ys.min(), ys.max()
    mx, my = int(0.1 * (x1 - x0)), int(0.1 * (y1 - y0))
    part = shown[max(y0 - my, 0) : min(y1 + my, height), max(x0 - mx, 0) : min(x1 + mx, width)]
    fitted = ImageOps.pad(
        Image.fromarray(part), (width, height), Image.Resampling.LANCZOS, color="white"
    )
    return np.asarray(fitted)


for line in sys.stdin:
    question = json.loads(line)
    if question["task"] == "load":
        answer = load(question)
    else:
        start = time.process_time()
        result = localize(loaded["image"], loaded[question["mask"]], question["strategy"])
        answer = {"seconds": time.process_time() - start, "result": None}
        if "into" in question:
            result.tofile(question["into"])
    print(json.dumps(answer), flush=True)
