import { expect, test } from "vitest";
import { type ConfusionImage, imagesToSwap } from "./confusion-images.js";

/** An image of a set with the reference's missing and added attributes, or one that nobody knows. */
const image = (set: string, reference?: { readonly fn: number; readonly fp: number }) =>
  ({
    description: { set },
    reference: reference && { tp: 1, tn: 1, ...reference },
  }) as unknown as ConfusionImage;

const right = image("outfits", { fn: 0, fp: 0 });
const missing = image("outfits", { fn: 1, fp: 0 });
const added = image("objects", { fn: 1, fp: 2 });

test("the images as described are swapped, or all where nobody knows or all are asked for", () => {
  expect(imagesToSwap([right, missing, added])).toEqual([right]);
  expect(imagesToSwap([right, missing], { unfiltered: true })).toEqual([right, missing]);
  const unknown = [image("outfits"), image("objects")];
  expect(imagesToSwap(unknown)).toBe(unknown);
  expect(imagesToSwap([right, ...unknown])).toEqual([right]);
});

test("where none is as described nothing is concluded from the others, unless they are asked for", () => {
  const wrong = [missing, added, image("objects")];
  expect(() => imagesToSwap(wrong)).toThrow(
    expect.objectContaining({
      code: "incomplete",
      message:
        "Expected images that show every attribute where it belongs but the reference finds none among " +
        "2: outfits 0 of 1 (an own attribute is missing: 1, another's is there: 0); objects 0 of 1 " +
        "(an own attribute is missing: 1, another's is there: 1)",
      hint: expect.stringContaining("--unfiltered"),
    }),
  );
  expect(imagesToSwap(wrong, { unfiltered: true })).toBe(wrong);
});
