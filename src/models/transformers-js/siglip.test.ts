import { expect, test } from "vitest";
import { arithmeticTransformers } from "../../../test/support/arithmetic-transformers.js";
import { transformersJsSiglip } from "./siglip.js";

const library = arithmeticTransformers();

test("its vectors are the poolers', its name says what it is", async () => {
  const model = transformersJsSiglip("owner/siglip", { library, revision: "abc" });
  // The letters of "ab" in 255ths.
  expect(await model.embedText("ab")).toEqual(Float32Array.of(97 / 255, 98 / 255, 0, 0));
  expect(model.identity).toEqual({
    provider: "transformers-js",
    model: "siglip:owner/siglip",
    revision: "abc",
  });
  expect("logitScale" in model).toBe(false);
});

test("its scale is known where it is told", () => {
  expect(transformersJsSiglip("owner/siglip", { library, logitScale: 117 }).logitScale).toBe(117);
});

test("a library without SigLIP", async () => {
  const { SiglipTextModel: _, ...older } = library;
  await expect(transformersJsSiglip("owner/siglip", { library: older }).load()).rejects.toThrow(
    "lacks SiglipTextModel",
  );
});
