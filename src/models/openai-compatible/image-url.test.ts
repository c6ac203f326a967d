import sharp from "sharp";
import { expect, test } from "vitest";
import { oddImages } from "../../../test/support/odd-images.js";
import { openPicture } from "../../images/picture.js";
import { imageUrl } from "./image-url.js";

const green = { create: { width: 16, height: 16, channels: 3, background: "#00ff00" } } as const;
const images = new Map([
  ...(await oddImages()),
  ["wide-gamut green.jpg", await sharp(green).withIccProfile("p3").jpeg().toBuffer()],
]);
const image = (name: string) => images.get(name) ?? new Uint8Array();
/** What is sent, as a decoder shows it that heeds no profile, gamma, orientation or transparency. */
async function sent(bytes: Uint8Array) {
  const picture = await openPicture(bytes);
  const [head, base64 = ""] = (await imageUrl(picture, 1024)).split(",");
  const own = Buffer.from(base64, "base64");
  const { data, info } = await sharp(own, { ignoreIcc: true })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { pixels } = picture;
  return { head, own, data, info, shown: await pixels() };
}

test.each([...images])("a server is shown the pixels that metrics see: %s", async (name, bytes) => {
  const { head, data, info, shown } = await sent(bytes);
  const isJpeg = name.endsWith("jpg");
  expect(head).toBe(`data:image/${isJpeg ? "jpeg" : "png"};base64`);
  expect(info).toMatchObject({ width: shown.width, height: shown.height, channels: 3 });
  const off = Array.from(data, (level, at) => Math.abs(level - (shown.data[at] ?? 0)));
  const mean = off.reduce((sum, one) => sum + one) / off.length;
  expect(mean).toBeLessThanOrEqual(isJpeg ? 4 : 0);
});

test.each<[string, Uint8Array]>([
  ["a plain PNG", image("plain.png")],
  ["a plain JPEG", image("plain.jpg")],
  [
    "a JPEG with a profile of sRGB",
    await sharp(image("plain.png")).withIccProfile("srgb").jpeg().toBuffer(),
  ],
])("%s is sent as it is", async (_, bytes) => {
  const { own } = await sent(bytes);
  expect(own.equals(bytes)).toBe(true);
});

test("an image that is cut short is sent to nobody", async () => {
  const picture = await openPicture(image("plain.jpg").subarray(0, -20));
  await expect(imageUrl(picture, 1024)).rejects.toMatchObject({ reason: "bad-input" });
});
