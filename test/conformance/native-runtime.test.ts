import { expect, test } from "vitest";
import { labModel } from "../../packages/lab/src/models/lab-model.js";
import { checkRuntime } from "../../packages/lab/src/models/runtime.js";
import { labPainter } from "../../packages/lab/src/painter/lab-painter.js";
import { InputError } from "../../src/core/errors.js";
import { openPicture } from "../../src/images/picture.js";
import { nativeInstalled } from "../support/native-installed.js";

const isThere = nativeInstalled();

async function painted(prompt: string) {
  const place = { prompt: "test", role: "test", sample: 0 };
  const { bytes } = await labPainter().generate({ prompt, seed: 5, place });
  return openPicture(bytes);
}

const text = "A person wearing a zigzag green t-shirt and a dotted grey skirt.";

test.skipIf(!isThere)(
  "native code answers as WebAssembly does, within a thousandth, and says that it did (skipped where onnxruntime-node is not installed)",
  async () => {
    const image = await painted(text);
    for (const runtime of ["wasm", "native"] as const) await checkRuntime(runtime);
    const [wasm, native] = (["wasm", "native"] as const).map((runtime) => ({
      vqa: labModel("vqa", { runtime }),
      encoder: labModel("dual-encoder-balanced", { runtime }),
      localizer: labModel("localizer", { runtime }),
    }));
    if (wasm === undefined || native === undefined) throw new Error("Expected both");
    expect(native.vqa.identity.revision).toBe(`${wasm.vqa.identity.revision}-native`);
    const questions = [text, "A person wearing a dotted green t-shirt and a zigzag grey skirt."];
    const expected = await wasm.vqa.probabilityOfYes(image, questions);
    const answers = await native.vqa.probabilityOfYes(image, questions);
    for (const [at, answer] of answers.entries()) {
      expect(Math.abs(answer - (expected[at] ?? Number.NaN))).toBeLessThan(1e-3);
    }
    for (const embed of ["embedImage", "embedText"] as const) {
      const [one, other] = await Promise.all(
        [wasm, native].map(({ encoder }) =>
          embed === "embedImage" ? encoder.embedImage(image) : encoder.embedText(text),
        ),
      );
      const apart = one?.map((value, at) => Math.abs(value - (other?.[at] ?? Number.NaN)));
      expect(Math.max(...(apart ?? [Number.NaN]))).toBeLessThan(1e-3);
    }
    const masks = await Promise.all(
      [wasm, native].map(({ localizer }) => localizer.localize(image, "skirt")),
    );
    const [one, other] = masks.map((mask) => mask?.data ?? new Uint8Array());
    const different = one?.filter((pixel, at) => pixel !== other?.[at]).length;
    expect(one?.includes(1)).toBe(true);
    expect(different).toBeLessThan(0.001 * (one?.length ?? 0));
  },
);

test.skipIf(isThere)("where it is missing, the message says what to install", async () => {
  await expect(checkRuntime("native")).rejects.toThrow(InputError);
  await expect(checkRuntime("native")).rejects.toMatchObject({
    hint: expect.stringContaining("npm install onnxruntime-node"),
  });
});
