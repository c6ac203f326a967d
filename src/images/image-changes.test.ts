import { expect, test } from "vitest";
import { imageChange, middleAndWorst, mostChanged, type SideImage } from "./image-changes.js";
import { pictureOfPixels } from "./pixels-picture.js";

const side = (grey: number, width = 8): SideImage => ({
  name: `${grey}.png`,
  text: "a thing",
  seed: "0",
  model: "",
  score: null,
  open: async () =>
    pictureOfPixels({ width, height: 8, data: new Uint8Array(width * 8 * 3).fill(grey) }),
});

test("equal images are not asked about; others have all three measures", async () => {
  const distance = async () => 0.25;
  expect(await imageChange(side(10), side(10), distance)).toMatchObject({
    psnr: null,
    ssim: 1,
    distance: 0,
    isVisible: false,
  });
  const changed = await imageChange(side(10), side(30), distance);
  expect(changed).toMatchObject({ distance: 0.25, isVisible: true });
  expect(changed.psnr).toBeCloseTo(20 * Math.log10(255 / 20), 9);
  // One grey level is nothing that people see.
  expect((await imageChange(side(100), side(101))).isVisible).toBe(false);
});

test("images of two sizes changed, and come first", async () => {
  const changes = [
    await imageChange(side(10), side(10)),
    await imageChange(side(10), side(30)),
    await imageChange(side(10), side(10, 9)),
  ];
  expect(changes[2]).toMatchObject({ psnr: null, ssim: null, isVisible: true });
  expect(mostChanged(changes)).toEqual([changes[2], changes[1]]);
});

test("null counts as above all others", () => {
  expect(middleAndWorst([null, 3, 1])).toEqual({ median: 3, worst: 1 });
  expect(middleAndWorst([null, null, 1, 2])).toEqual({ median: null, worst: 1 });
  expect(middleAndWorst([4, 2])).toEqual({ median: 3, worst: 2 });
});
