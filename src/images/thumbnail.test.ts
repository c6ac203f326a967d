import { encode } from "fast-png";
import { expect, test } from "vitest";
import { randomFrom } from "../core/random.js";
import { openPicture } from "./picture.js";
import { thumbnail } from "./thumbnail.js";

function noise(width: number, height: number) {
  const random = randomFrom(0, "noise");
  const data = Uint8Array.from({ length: width * height * 3 }, () => random.integer(256));
  return openPicture(encode({ width, height, data, channels: 3, depth: 8 }));
}

test("a small picture is shown as it is", async () => {
  const picture = await noise(64, 48);
  const { bytes, ...about } = await thumbnail(picture);
  expect(bytes).toBe(picture.bytes);
  expect(about).toEqual({ mediaType: "image/png", width: 64, height: 48 });
});

test("a large one is fitted, keeps its proportions and gets light", async () => {
  const picture = await noise(800, 400);
  const { bytes, ...about } = await thumbnail(picture);
  expect(about).toEqual({ mediaType: "image/webp", width: 384, height: 192 });
  expect(bytes.length).toBeLessThan(picture.bytes.length / 4);
  expect((await openPicture(bytes)).mediaType).toBe("image/webp");
});

test("a heavy one of small size is only encoded anew", async () => {
  const about = await thumbnail(await noise(192, 192));
  expect(about).toMatchObject({ mediaType: "image/webp", width: 192, height: 192 });
});
