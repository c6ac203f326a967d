import { readFileSync } from "node:fs";
import * as onnx from "onnxruntime-web/wasm";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { expect, it } from "vitest";
import { packageFile } from "../package-file.js";
import { cutGraph } from "./cut-graph.js";

const weightsOf = (file: string) =>
  new Uint8Array(readFileSync(packageFile(`weights/${file}.onnx`)));

const numbers = (dims: readonly number[], seed: string) => {
  const random = randomFrom(seed);
  const size = dims.reduce((product, each) => product * each, 1);
  return new onnx.Tensor(
    "float32",
    Float32Array.from({ length: size }, () => random.between(-1, 2)),
    dims,
  );
};

it.each([
  ["vqa/onnx/answer_model", [1, 128, 12, 12]],
  ["vqa-small/onnx/answer_model", [1, 112, 12, 12]],
  ["filter-vqa/onnx/answer_model", [1, 112, 12, 12]],
  ["rater/onnx/rating_model", [1, 128, 12, 12]],
  ["judge/onnx/reader_model", [1, 128, 12, 12]],
  ["localizer-small/onnx/mask_model", [1, 80640]],
  ["proto-score/onnx/head", [1, 768]],
])("answers of %s are the same to the last bit when it is cut", async (file, dims) => {
  onnx.env.wasm.numThreads = 1;
  const model = weightsOf(file);
  const cut = cutGraph(model, "features");
  if (cut === undefined) throw new Error("Expected two parts");
  const [whole, first, rest] = await Promise.all(
    [model, cut.first, cut.rest].map((bytes) => onnx.InferenceSession.create(bytes)),
  );
  if (!whole || !first || !rest) throw new Error("Expected three sessions");
  // What depends on the text alone is cut off what is left, where something does.
  const again = cutGraph(cut.rest, "input_ids");
  const [ofText, last] = await Promise.all(
    (again === undefined ? [] : [again.first, again.rest]).map((bytes) =>
      onnx.InferenceSession.create(bytes),
    ),
  );
  expect(cut.first.length + cut.rest.length).toBeLessThan(model.length * 1.1);
  for (const picture of ["one", "another"]) {
    const memories = await first.run({ features: numbers(dims, picture) });
    for (const words of [1, 2, 7, 13]) {
      const ids = Array.from({ length: words }, (_, at) => BigInt((at * 17) % 50) + 1n);
      const read = (name: string) =>
        name === "meaning"
          ? numbers([1, 96], `${words}`)
          : new onnx.Tensor("int64", BigInt64Array.from(ids), [1, words]);
      const others = whole.inputNames.filter((name) => name !== "features");
      const texts = Object.fromEntries(others.map((name) => [name, read(name)]));
      const expected = await whole.run({ ...texts, features: numbers(dims, picture) });
      expect(await rest.run({ ...texts, ...memories })).toEqual(expected);
      if (!ofText || !last) continue;
      const { input_ids = expect.fail(), ...beside } = texts;
      const heard = await ofText.run({ input_ids });
      expect(await last.run({ ...beside, ...heard, ...memories })).toEqual(expected);
    }
  }
});

it("leaves a graph whole that has no such input, or no other", () => {
  expect(cutGraph(weightsOf("vqa-people/onnx/sign_model"), "features")).toBeUndefined();
  expect(cutGraph(weightsOf("vqa/onnx/answer_model"), "pixel_values")).toBeUndefined();
});
