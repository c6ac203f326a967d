"""Cuts a packed dual encoder before its projections: what it makes of a picture is then the summed-up
grid of its trunk, and of a text the mean of its words. A second cut lies before the trunk's last block.

    python3 training/lab_proto_score/cut_encoder.py packages/lab/weights/dual-encoder-skewed --out DIR

Writes vision_model.onnx (pixel_values -> features), text_model.onnx (input_ids -> meaning) and
projections.npz, with which both become the encoder's vectors again; and grid_model.onnx (pixel_values -> grid)
and block.npz, with which a grid becomes features.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# The convolutions of a block, in their order.
PARTS = ["mix", "widen", "narrow"]


def cut(path, output, shape, renamed, to):
    """Keeps what `output` is made of."""
    model = onnx.load(path)
    graph = model.graph
    needed, kept = {output}, []
    for node in reversed(graph.node):
        if needed & set(node.output):
            needed |= set(node.input)
            kept.insert(0, node)
    for node in kept:
        node.output[:] = [renamed if name == output else name for name in node.output]
    used = [tensor for tensor in graph.initializer if tensor.name in needed]
    said = helper.make_tensor_value_info(renamed, TensorProto.FLOAT, shape)
    whole = helper.make_graph(kept, graph.name, list(graph.input), [said], used)
    cut_model = helper.make_model(whole, opset_imports=model.opset_import, ir_version=model.ir_version)
    onnx.checker.check_model(cut_model)
    onnx.save(cut_model, to)


def numbers(path):
    """Initialisers by name, as they were before they were halved."""
    return {
        tensor.name.removesuffix("_half"): numpy_helper.to_array(tensor).astype(np.float32)
        for tensor in onnx.load(path).graph.initializer
    }


def last(path, kind, count=1):
    return [node for node in onnx.load(path).graph.node if node.op_type == kind][-count:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("encoder")
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    packed, out = Path(arguments.encoder) / "onnx", Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    vision, text = packed / "vision_model.onnx", packed / "text_model.onnx"
    [hidden], [image], [words] = last(vision, "Gemm"), last(vision, "MatMul"), last(text, "MatMul")
    block = last(vision, "Conv", 3)
    cut(vision, hidden.input[0], ["batch", None], "features", out / "vision_model.onnx")
    cut(text, words.input[0], ["texts", None], "meaning", out / "text_model.onnx")
    cut(vision, block[0].input[0], ["batch", None, None, None], "grid", out / "grid_model.onnx")
    of_vision, of_text = numbers(vision), numbers(text)
    np.savez(
        out / "projections.npz",
        image_hidden=of_vision[hidden.input[1]], image_bias=of_vision[hidden.input[2]],
        image=of_vision[image.input[1]], text=of_text[words.input[1]],
    )
    # Batch normalisation was folded into the convolutions when the encoder was packed.
    np.savez(
        out / "block.npz",
        **{f"{part}.{kind}": of_vision[conv.input[at]] for part, conv in zip(PARTS, block) for at, kind in [(1, "weight"), (2, "bias")]},
    )


if __name__ == "__main__":
    main()
