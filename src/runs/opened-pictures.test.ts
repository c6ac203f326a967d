import { expect, test } from "vitest";
import { hashOf } from "../core/keys.js";
import { pictureOfPixels } from "../images/pixels-picture.js";
import { OpenedPictures } from "./opened-pictures.js";

const hashes = [0, 1, 2, 3].map((at) => hashOf(Uint8Array.of(at)));
const picture = pictureOfPixels({ width: 100, height: 100, data: new Uint8Array(30_000) });
const each = picture.bytes.length + 30_000;

function counting(most?: number) {
  const opened: number[] = [];
  const pictures = new OpenedPictures(async (image) => {
    opened.push(hashes.indexOf(image));
    return picture;
  }, most);
  return { opened, open: (at: number) => pictures.open(hashes[at] ?? hashOf(new Uint8Array())) };
}

test("a picture is opened once, also where it is asked for twice at a time", async () => {
  const { opened, open } = counting();
  await Promise.all([open(0), open(0)]);
  await open(0);
  expect(opened).toEqual([0]);
});

test("as many are kept as fit, and the one that was not used for longest goes first", async () => {
  const { opened, open } = counting(2 * each);
  for (const at of [0, 1, 0, 2]) await open(at);
  await open(0);
  expect(opened).toEqual([0, 1, 2]);
  await open(1);
  expect(opened).toEqual([0, 1, 2, 1]);
});

test("small ones take some room, too: there may be a million", async () => {
  const small = pictureOfPixels({ width: 1, height: 1, data: new Uint8Array(3) });
  let opened = 0;
  const pictures = new OpenedPictures(async () => {
    opened++;
    return small;
  }, 60_000);
  for (const at of [0, 1, 2, 0]) await pictures.open(hashes[at] ?? hashOf(new Uint8Array()));
  expect(opened).toBe(4);
});

test("one that could not be opened is tried again", async () => {
  let calls = 0;
  const pictures = new OpenedPictures(async () => {
    calls++;
    if (calls === 1) throw new Error("away");
    return picture;
  });
  const [hash = hashOf(new Uint8Array())] = hashes;
  await expect(pictures.open(hash)).rejects.toThrow("away");
  expect(await pictures.open(hash)).toBe(picture);
});

test("one that had to go while it was being opened leaves its room to others", async () => {
  let opens = (_: typeof picture) => {};
  const slow = new Promise<typeof picture>((resolve) => {
    opens = resolve;
  });
  const opened: number[] = [];
  const pictures = new OpenedPictures((image) => {
    const at = hashes.indexOf(image);
    opened.push(at);
    return at === 0 && opened.length === 1 ? slow : Promise.resolve(picture);
  }, 2 * each);
  const open = (at: number) => pictures.open(hashes[at] ?? hashOf(new Uint8Array()));
  const first = open(0);
  for (const at of [1, 2, 3]) await open(at);
  opens(picture);
  await first;
  for (const at of [2, 3]) await open(at);
  expect(opened).toEqual([0, 1, 2, 3]);
});
