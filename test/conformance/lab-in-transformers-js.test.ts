import { fileURLToPath } from "node:url";
import { encode } from "fast-png";
import { describe, expect, test } from "vitest";
import { labModel, labModelNames } from "../../packages/lab/src/models/lab-model.js";
import { weightsDirectory } from "../../packages/lab/src/models/weights.js";
import { labPainter } from "../../packages/lab/src/painter/lab-painter.js";
import { openPicture } from "../../src/images/picture.js";
import { shrink } from "../../src/images/shrink.js";
import { transformersJs } from "../../src/models/transformers-js/dual-encoder.js";
import { transformersInstalled } from "../support/transformers-installed.js";

const names = labModelNames.filter((name) => name.startsWith("dual-encoder-"));
const texts = ["A dog is in a meadow with a red ball.", "A woman wearing a striped red coat."];

/** What the lab's encoders read: the library would shrink by another rule (cosine .987 to .995). */
const side = 96;

/** How far two vectors lie apart, as a share of their length. */
function distance(one: Float32Array, other: Float32Array): number {
  expect(one).toHaveLength(other.length);
  const apart = Math.hypot(...one.map((value, at) => value - (other[at] ?? Number.NaN)));
  return apart / Math.hypot(...one);
}

/** Runs where the peer is installed: `.ci/run` installs it for this file alone. */
describe.skipIf(!transformersInstalled())("the lab's dual encoders in Transformers.js", () => {
  test.each(names)("lab:%s embeds as it does in the lab", async (name) => {
    const inLab = labModel(name as "dual-encoder-skewed");
    const elsewhere = transformersJs(fileURLToPath(new URL(name, weightsDirectory)));
    for (const text of texts) {
      expect(distance(await inLab.embedText(text), await elsewhere.embedText(text))).toBeLessThan(
        1e-5,
      );
      const { bytes } = await labPainter().generate({ prompt: text, seed: 1 });
      const painted = await openPicture(bytes);
      const { data } = shrink(await painted.pixels(), side, side);
      const small = await openPicture(
        encode({ width: side, height: side, data, channels: 3, depth: 8 }),
      );
      expect(
        distance(await inLab.embedImage(painted), await elsewhere.embedImage(small)),
      ).toBeLessThan(1e-5);
    }
  });
});
