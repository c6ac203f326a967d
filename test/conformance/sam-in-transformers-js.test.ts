import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { encode } from "fast-png";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Box } from "../../src/core/models.js";
import { openPicture } from "../../src/images/picture.js";
import { transformersJsLocalizer } from "../../src/models/transformers-js/localizer.js";
import { transformersInstalled } from "../support/transformers-installed.js";

const fixture = (name: string) =>
  fileURLToPath(new URL(`../fixtures/tiny-sam2/${name}`, import.meta.url));

/** As make.py paints it: red grows to the right, green downwards, blue in both directions. */
function gradients(width: number, height: number) {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, place) => {
    const x = Math.floor(place / 3) % width;
    const y = Math.floor(place / 3 / width);
    return [x * 4, y * 4, x + y][place % 3] ?? 0;
  });
  return openPicture(encode({ width, height, data, channels: 3, depth: 8 }));
}

/** SAM in boxes that are given. */
const localizerIn = (...boxes: readonly Box[]) =>
  transformersJsLocalizer(
    { identity: { provider: "test", model: "boxes" }, detect: async () => boxes },
    { segmenter: fixture("") },
  );

const corners = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const expected = z
  .array(z.object({ box: corners, rows: z.array(z.string()) }))
  .parse(JSON.parse(await readFile(fixture("expected.json"), "utf8")))
  .map(({ box: [x0, y0, x1, y1], rows }) => ({ box: { x0, y0, x1, y1 }, inside: rows.join("") }));

/** Runs where the peer is installed: `.ci/run` installs it for this file and its likes alone. */
describe.skipIf(!transformersInstalled())(
  "a SAM 2 of tiny random weights in Transformers.js",
  () => {
    test.each(expected)(
      "finds in the box $box what PyTorch finds there",
      async ({ box, inside }) => {
        const mask = await localizerIn(box).localize(await gradients(64, 64), "any");
        const found = [...(mask?.data ?? [])].join("");
        expect(found).toHaveLength(inside.length);
        // A logit of about 0 may be rounded to either side.
        const apart = [...found].filter((one, place) => one !== inside[place]).length;
        expect(apart).toBeLessThan(4);
      },
    );

    test("masks are of the image's size, and those of several boxes are one", async () => {
      const image = await gradients(50, 30);
      const [one, other] = [
        { x0: 2, y0: 2, x1: 20, y1: 12 },
        { x0: 30, y0: 10, x1: 45, y1: 30 },
      ] as const;
      const masks = [];
      for (const boxes of [[one], [other], [one, other]]) {
        masks.push((await localizerIn(...boxes).localize(image, "any"))?.data ?? new Uint8Array());
      }
      const [first, second, both] = masks;
      expect(both).toHaveLength(50 * 30);
      expect(first).not.toEqual(second);
      expect(both).toEqual(first?.map((inside, place) => inside | (second?.[place] ?? 0)));
    });
  },
);
