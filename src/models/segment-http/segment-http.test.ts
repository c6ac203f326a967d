import sharp from "sharp";
import { expect, test } from "vitest";
import { type Behaviour, misbehavingServer } from "../../../test/support/misbehaving-server.js";
import { openPicture } from "../../images/picture.js";
import { segmentHttp } from "./segment-http.js";

const picture = async () =>
  openPicture(
    await sharp({ create: { width: 4, height: 2, channels: 3, background: "red" } })
      .png()
      .toBuffer(),
  );

const served = async (behave: (number: number) => Behaviour) => {
  const server = await misbehavingServer({ behave: (_, number) => behave(number) });
  return { model: segmentHttp(server.baseUrl, { attempts: 2 }), ...server };
};
const replying = (json: unknown) => served(() => ({ kind: "reply", json }));
const inside = async (json: unknown) => {
  const { model } = await replying(json);
  const mask = await model.localize(await picture(), "skirt");
  return mask === undefined ? undefined : [...mask.data].join("");
};

test("is sent the image's bytes and the entity; the mask is the union of what comes", async () => {
  const { model, received, baseUrl } = await replying({
    masks: [
      { size: [2, 4], counts: [0, 1, 7] },
      { size: [2, 4], counts: "8" },
    ],
  });
  const image = await picture();
  const mask = await model.localize(image, "red skirt");
  expect([...(mask?.data ?? [])].join("")).toBe("10000000");
  expect(received[0]).toMatchObject({
    path: "/v1/segment",
    body: {
      image: Buffer.from(image.bytes).toString("base64"),
      mediaType: "image/png",
      entity: "red skirt",
    },
  });
  expect(model.identity).toEqual({ provider: "segment-http", model: "segment", baseUrl });
});

test("an image that decoders show in several ways is sent as it is shown", async () => {
  const { model, received } = await replying({ boxes: [] });
  const red = sharp({ create: { width: 4, height: 2, channels: 3, background: "red" } });
  const turned = await red.withMetadata({ orientation: 6 }).jpeg().toBuffer();
  await model.localize(await openPicture(turned), "skirt");
  const { image, mediaType } = received[0]?.body ?? {};
  const sent = await sharp(Buffer.from(String(image), "base64")).metadata();
  expect(mediaType).toBe("image/png");
  expect(sent).toMatchObject({ width: 2, height: 4, format: "png" });
});

test("boxes alone are a mask, and an empty list is nowhere", async () => {
  expect(
    await inside({
      boxes: [
        [1, 0, 2, 1],
        [3, 1, 1, 1],
      ],
    }),
  ).toBe("01100001");
  expect(await inside({ boxes: [] })).toBeUndefined();
  expect(await inside({ masks: [] })).toBeUndefined();
});

test("as a detector it gives boxes of whole pixels, and one around each mask", async () => {
  const detected = async (json: unknown) =>
    (await replying(json)).model.detect(await picture(), "skirt");
  const outside = [9, 0, 1, 1];
  expect(await detected({ boxes: [[0.5, 0, 1, 1.5], outside] })).toEqual([
    { x0: 0, y0: 0, x1: 2, y1: 2 },
  ]);
  expect(await detected({ masks: [{ size: [2, 4], counts: [3, 3, 2] }] })).toEqual([
    { x0: 1, y0: 0, x1: 3, y1: 2 },
  ]);
  expect(await detected({ boxes: [] })).toEqual([]);
  await expect(detected({})).rejects.toMatchObject({ reason: "unparsable" });
});

test.each([
  [{}, "unparsable"],
  [{ masks: [{ size: [4, 2], counts: [8] }] }, "unparsable"],
  [{ masks: [{ size: [2, 4], counts: [9] }] }, "unparsable"],
  [{ masks: "all" }, "provider-error"],
])("%j is no answer", async (json, reason) => {
  await expect(inside(json)).rejects.toMatchObject({ name: "NoAnswer", reason });
});

test("a server that fails once is asked again; one that refuses says why", async () => {
  const { model } = await served((number) =>
    number === 0
      ? { kind: "raw", status: 503, text: "busy", headers: { "retry-after": "0" } }
      : { kind: "reply", json: { boxes: [[0, 0, 4, 2]] } },
  );
  expect((await model.localize(await picture(), "skirt"))?.data).toHaveLength(8);
  const refusing = await served(() => ({
    kind: "raw",
    status: 400,
    text: '{"error":{"message":"no image"}}',
  }));
  await expect(refusing.model.localize(await picture(), "skirt")).rejects.toMatchObject({
    reason: "bad-input",
    message: expect.stringContaining("no image"),
  });
});
