"""What the frozen eyes of a packed question answerer see of every scene, worked out once.

    python3 training/people_heads/features.py packages/lab/weights/vqa --data DIR ... --cache DIR

Of its trunk the first half is run, up to the finer grid of 24 x 24 cells: signs are small. Writes
DIR/<model>.onnx, that half, and DIR/<model>/<scenes>.f16, grids [n, 64, 24, 24] in half precision. What is
there is kept; a file that was left half written is gone on with.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper
from onnxruntime import InferenceSession, SessionOptions

BATCH = 50


# What the first half of the trunk ends with, in the packed graph.
LAST = "/trunk/layers/layers.3/Add_output_0"
SHAPE = (64, 24, 24)


def cut(folder, to):
    """Keeps of the packed half that looks what the finer grid is made of, for any number of pictures."""
    model = onnx.load(Path(folder) / "onnx/vision_model.onnx")
    graph, needed, kept = model.graph, {LAST}, []
    for node in reversed(graph.node):
        if needed & set(node.output):
            needed |= set(node.input)
            kept.insert(0, node)
    for node in kept:
        node.output[:] = ["features" if name == LAST else name for name in node.output]
    seen = helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, ["pictures", 3, 96, 96])
    said = helper.make_tensor_value_info("features", TensorProto.FLOAT, ["pictures", *SHAPE])
    used = [tensor for tensor in graph.initializer if tensor.name in needed]
    whole = helper.make_graph(kept, graph.name, [seen], [said], used)
    half = helper.make_model(whole, opset_imports=model.opset_import, ir_version=model.ir_version)
    onnx.checker.check_model(half)
    onnx.save(half, to)


def eyes(path):
    options = SessionOptions()
    options.intra_op_num_threads = 1
    return InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def cached(cache, folder, data):
    """The grids of one folder of scenes, read from disk as they are asked for."""
    path = Path(cache) / Path(folder).name / f"{Path(data).name}.f16"
    return np.memmap(path, np.float16, "r").reshape(-1, *SHAPE)


def look(folder, data, cache):
    side = json.loads((Path(data) / "data.json").read_text())["side"]
    paths = sorted(Path(data).glob("pixels-*.u8"))
    pixels = np.concatenate([np.memmap(path, np.uint8, "r").reshape(-1, side, side, 3) for path in paths])
    out = Path(cache) / Path(folder).name / f"{Path(data).name}.f16"
    out.parent.mkdir(parents=True, exist_ok=True)
    each = 2 * int(np.prod(SHAPE))
    done = out.stat().st_size // each if out.exists() else 0
    half = Path(cache) / f"{Path(folder).name}.onnx"
    if not half.exists():
        cut(folder, half)
    session = eyes(half)
    with open(out, "r+b" if out.exists() else "wb") as file:
        file.truncate(done * each)
        file.seek(done * each)
        for at in range(done, len(pixels), BATCH):
            shown = pixels[at : at + BATCH].transpose(0, 3, 1, 2).astype(np.float32) / np.float32(127.5) - 1
            file.write(session.run(None, {"pixel_values": shown})[0].astype(np.float16).tobytes())
    print(f"{out}: {len(pixels)} scenes, {done} of them found", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--data", nargs="+", required=True)
    parser.add_argument("--cache", required=True)
    arguments = parser.parse_args()
    for data in arguments.data:
        look(arguments.folder, data, arguments.cache)
