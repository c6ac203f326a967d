import type { ChatPart, Picture } from "touchstone-t2i/internal/core/models.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { protoScore } from "touchstone-t2i/internal/metrics/proto-score.js";
import { beforeAll, expect, test } from "vitest";
import { labPainter } from "../painter/lab-painter.js";
import { labModel } from "./lab-model.js";

const text = "An animal is in a park with exactly two flowers.";
let right: readonly Picture[];
let wrong: readonly Picture[];

const painted = (prompt: string) =>
  Promise.all(
    [1, 2, 3, 4, 5, 6].map(async (seed) =>
      openPicture((await labPainter().generate({ prompt, seed })).bytes),
    ),
  );

beforeAll(async () => {
  right = await painted("A penguin is in a park with exactly two flowers.");
  wrong = await painted("A dog is in the snow with exactly one rock.");
});

test.each(["proto-score", "proto-score-triplets", "proto-score-logistic"] as const)(
  "%s scores by one digit, with the probabilities of all ten, mostly the right picture above another",
  async (name) => {
    const metric = protoScore({ model: labModel(name) });
    const scored = (images: readonly Picture[]) =>
      Promise.all(images.map((image) => metric.score({ image, text })));
    const [high, low] = [await scored(right), await scored(wrong)];
    for (const { value, details } of [...high, ...low]) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
      expect(details).toMatchObject({ read: "expected" });
    }
    const isHigher = high.filter(({ value }, at) => value > (low[at]?.value ?? 1));
    expect(isHigher.length).toBeGreaterThan(3);
  },
);

test("one picture, and a text in quotation marks, or no answer", async () => {
  const model = labModel("proto-score");
  const [picture] = right;
  if (picture === undefined) throw new Error("nothing painted");
  const asked = (...parts: ChatPart[]) => model.chat({ messages: [{ role: "user", parts }] });
  const image = { type: "image", image: picture } as const;
  const said = { type: "text", text: `Text: "${text}"` } as const;
  expect((await asked(image, said)).text).toMatch(/^\d$/);
  const bare = { type: "text", text: "How well?" } as const;
  for (const parts of [[said], [image, image, said], [image, bare]]) {
    await expect(asked(...parts)).rejects.toMatchObject({ reason: "not-applicable" });
  }
});
