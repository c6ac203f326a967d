import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cocoMaskSchema, cocoOfMask, maskOfCoco } from "./coco-mask.js";

const size = (height: number, width: number) => ({ size: [height, width] as [number, number] });

/** Made by pycocotools 2.0: the SHA-256 is of the mask's bytes row by row. */
test.each<{ size: [number, number]; compressed: string; counts?: number[]; sha: string }>([
  {
    ...size(7, 5),
    compressed: "211022NN0110030LO010",
    counts: [2, 1, 1, 1, 3, 3, 1, 1, 1, 2, 2, 2, 2, 5, 2, 1, 1, 1, 2, 1],
    sha: "c366993efe20ad745754088f3fd03667a5a19fd2f5a63596e8d39e0d3fcaeecf",
  },
  {
    ...size(300, 200),
    compressed: `\`j8l6\`2${"0".repeat(58)}PKTN\`2${"l1`MTN`2".repeat(29)}l1\`2${"0".repeat(118)}\`c>`,
    sha: "c917188620c9f2f7bd57ea9a0b3adbe23e3a99e18793f474d5db8f619f5e98ee",
  },
  {
    ...size(4, 4),
    compressed: "`0",
    counts: [16],
    sha: "374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb",
  },
  {
    ...size(3, 6),
    compressed: "0b0",
    counts: [0, 18],
    sha: "48341d92e2c078cb4203d231be6402df6794f7114ff465e51174b293caba2438",
  },
])(
  "run lengths as pycocotools writes them, $size",
  ({ size: [height, width], compressed, counts, sha }) => {
    for (const given of [compressed, ...(counts === undefined ? [] : [counts])]) {
      const mask = maskOfCoco({ size: [height, width], counts: given }, { width, height });
      if (typeof mask === "string") throw new Error(mask);
      expect(createHash("sha256").update(mask.data).digest("hex")).toBe(sha);
      if (counts !== undefined) expect(cocoOfMask(mask).counts).toEqual(counts);
    }
  },
);

test("any mask comes back from its run lengths", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 1 })),
      (width, height, stream) => {
        const data = Uint8Array.from({ length: width * height }, () => stream.next().value ?? 0);
        const mask = { width, height, data };
        expect(maskOfCoco(cocoOfMask(mask), mask)).toEqual(mask);
      },
    ),
  );
});

test("boxes, annotations and several of them are one mask", () => {
  const image = { width: 4, height: 2 };
  const rows = (coco: unknown) => {
    const mask = maskOfCoco(cocoMaskSchema.parse(coco), image);
    return typeof mask === "string" ? mask : [...mask.data].join("");
  };
  expect(rows({ bbox: [1, 0, 2, 1] })).toBe("01100000");
  expect(rows({ bbox: [2.5, 0.5, 100, 100] })).toBe("00110011");
  expect(rows({ bbox: [-9, -9, 3, 3] })).toBe("00000000");
  expect(rows([])).toBe("00000000");
  expect(rows({ segmentation: { size: [2, 4], counts: [0, 2, 6] }, bbox: [3, 0, 1, 1] })).toBe(
    "10001000",
  );
  const polygons = { segmentation: [[0, 0, 1, 1, 0, 1]], bbox: [0, 0, 1, 1] };
  expect(cocoMaskSchema.safeParse(polygons).success).toBe(false);
  expect(rows([{ bbox: [0, 0, 1, 1] }, { size: [2, 4], counts: [7, 1] }])).toBe("10000001");
});

test.each([
  [
    { size: [4, 2], counts: [8] },
    "run lengths of 4 x 2 pixels, as the image has, but received 2 x 4",
  ],
  [{ size: [2, 4], counts: [3] }, "counts that sum to 8 but received a sum of 3"],
  [{ size: [2, 4], counts: "a b" }, "compressed counts of COCO but received another text"],
  [{ size: [2, 4], counts: "oooooooooo" }, "compressed counts of COCO but received another text"],
] as const)("%j is none", (coco, problem) => {
  expect(maskOfCoco(cocoMaskSchema.parse(coco), { width: 4, height: 2 })).toBe(problem);
});
