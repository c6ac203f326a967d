import { encode } from "fast-png";
import { expect, test } from "vitest";
import { InputError } from "../core/errors.js";
import { readMask } from "./mask-file.js";
import { openPicture } from "./picture.js";

const black = [0, 0, 0];
const white = [255, 255, 255];
const red = [200, 30, 40];

/** Four pixels in a row as a PNG. */
async function read(pixels: readonly (readonly number[])[], depth: 8 | 16 = 8) {
  const channels = pixels[0]?.length ?? 0;
  const data = (depth === 8 ? Uint8Array : Uint16Array).from(pixels.flat());
  const bytes = encode({ width: pixels.length, height: 1, data, channels, depth });
  const found = await readMask(await openPicture(bytes), "skirt.png");
  return { ...found, inside: [...found.mask.data].join("") };
}

test("inside is what is lighter than middle grey", async () => {
  const found = await read([[0], [127], [128], [255]]);
  expect(found).toMatchObject({ inside: "0011", mask: { width: 4, height: 1 } });
  expect(found).not.toHaveProperty("note");
  expect((await read([black, white, [200, 200, 0], [100, 100, 100]])).inside).toBe("0110");
  expect((await read([[0], [32767], [32768], [65535]], 16)).inside).toBe("0011");
  expect((await read([[255], [255], [255], [255]])).inside).toBe("1111");
});

test.each([
  ["black", black],
  ["white", white],
  ["red", red],
])("transparent in part and %s: inside is what is opaque", async (_, colour) => {
  const found = await read([0, 255, 255, 100].map((alpha) => [...colour, alpha]));
  expect(found.inside).toBe("0110");
  expect(found.note).toBe(
    "skirt.png was read by its transparency, as what can be seen of it has one colour: inside is " +
      "what is opaque",
  );
});

test("the colour of what can't be seen is none, and rounding makes no colour", async () => {
  const drawn = await read([
    [...black, 0],
    [...white, 255],
    [253, 254, 255, 130],
    [90, 90, 90, 3],
  ]);
  expect(drawn.inside).toBe("0110");
  const grey = await read([0, 1, 1, 0].map((alpha) => [7, alpha]));
  expect(grey.inside).toBe("0110");
  expect(grey.note).toMatch(
    /opaque; skirt.png holds 0 and 1 of 255 alone, so inside is what is 1$/,
  );
});

test("alpha that is the same all over tells nothing", async () => {
  for (const alpha of [0, 128, 255]) {
    const found = await read([black, white, black, white].map((each) => [...each, alpha]));
    expect(found.inside).toBe("0101");
    expect(found).not.toHaveProperty("note");
  }
});

test("where colours and transparency both vary it is refused", async () => {
  const found = read([
    [...red, 255],
    [...white, 255],
    [...black, 0],
    [...black, 0],
  ]);
  await expect(found).rejects.toThrow(InputError);
  await expect(found).rejects.toThrow(/skirt.png, whose colours and transparency both vary/);
});

test("of two dark colours the one that is not black is inside", async () => {
  const numbers = await read([[0], [1], [1], [0]]);
  expect(numbers.inside).toBe("0110");
  expect(numbers.note).toBe("skirt.png holds 0 and 1 of 255 alone, so inside is what is 1");
  const fine = await read([[0], [1], [1], [0]], 16);
  expect(fine.inside).toBe("0110");
  expect(fine.note).toMatch(/0 and 1 of 65535 alone/);
  const palette = await read([black, [128, 0, 0], black, black]);
  expect(palette.inside).toBe("0100");
  expect(palette.note).toBe(
    "skirt.png holds black and rgb(128, 0, 0) alone, so inside is what is not black",
  );
  expect((await read([black, black, black, [0, 0, 255]])).inside).toBe("0001");
});

test("of two colours on one side of middle grey neither is inside", async () => {
  await expect(read([[3], [4], [3], [3]])).rejects.toThrow(/two colours .* middle grey, 3 and 4$/);
  await expect(read([white, [255, 255, 0], white, white])).rejects.toThrow(
    /rgb\(255, 255, 0\) and rgb\(255, 255, 255\)$/,
  );
});

test("where nothing is inside, a hint says what the mask holds", async () => {
  expect((await read([[0], [0], [0], [0]])).hint).toBe("It has one colour all over.");
  const labels = await read([[0], [1], [2], [2]]);
  expect(labels.inside).toBe("0000");
  expect(labels.hint).toMatch(/the lightest of its 3 colours has 2 of 255\. Of a map of labels/);
});
