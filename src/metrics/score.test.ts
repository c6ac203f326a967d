import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import type { Metric } from "../core/metric.js";
import { NoAnswer } from "../core/unscored.js";
import { openPicture } from "../images/picture.js";
import { score } from "./score.js";

const red = () =>
  sharp({ create: { width: 4, height: 2, channels: 3, background: "#ff0000" } })
    .png()
    .toBuffer();

/** The mean of the red channel; needs real pixels. */
const redness: Metric = {
  name: "redness",
  version: 3,
  statistic: "mean",
  model: "none",
  range: [0, 255],
  direction: "higher",
  async score({ image, text }) {
    if (text === "refuse") throw new NoAnswer("refused", "no");
    if (text === "later") throw new NoAnswer("timeout", "slow");
    if (text === "break") throw new Error("broken");
    const { data } = await image.pixels();
    return { value: text === "" ? Number.NaN : Number(text) + (data[0] ?? 0) };
  },
};

const facts = {
  metric: "redness",
  metricVersion: 3,
  statistic: "mean",
  model: "none",
  range: [0, 255],
  direction: "higher",
};

test("a path, bytes and an opened picture give the same score", async () => {
  const bytes = await red();
  const path = join(await temporaryDirectory(), "red.png");
  await writeFile(path, bytes);
  for (const image of [path, bytes, await openPicture(bytes)]) {
    expect(await score({ image, text: "0", metric: redness })).toEqual({
      status: "scored",
      value: 255,
      ...facts,
    });
  }
});

test("no answer is a result with its reason", async () => {
  const image = await red();
  expect(await score({ image, text: "refuse", metric: redness })).toEqual({
    status: "unscored",
    reason: "refused",
    retryable: false,
    detail: "no",
    ...facts,
  });
  expect(await score({ image, text: "later", metric: redness })).toMatchObject({
    reason: "timeout",
    retryable: true,
  });
});

test("a number that is none, or outside the declared range, is no score", async () => {
  const image = await red();
  for (const text of ["", "1", "Infinity"]) {
    expect(await score({ image, text, metric: redness })).toMatchObject({
      status: "unscored",
      reason: "unparsable",
    });
  }
});

test("an image that can't be read is bad input, by name", async () => {
  expect(await score({ image: "/nowhere/cat.png", text: "0", metric: redness })).toMatchObject({
    status: "unscored",
    reason: "bad-input",
    detail: "Can't read /nowhere/cat.png: there is no such file",
  });
  const cut = (await red()).subarray(0, 40);
  expect(await score({ image: cut, text: "0", metric: redness })).toMatchObject({
    reason: "bad-input",
  });
});

test("a fault is thrown", async () => {
  await expect(score({ image: await red(), text: "break", metric: redness })).rejects.toThrow(
    "broken",
  );
});

test.each([
  [{}, "Expected a path, bytes or a picture for image but received nothing"],
  [{ image: 3 }, "for image but received 3"],
  [{ image: "a.png" }, "Expected a string for text but received nothing"],
  [{ image: "a.png", text: "a" }, "Expected a metric for metric but received nothing"],
  [
    { image: "a.png", text: "a", metric: "vqa-score" },
    'a metric for metric but received "vqa-score"',
  ],
])("%o is the caller's to mend", async (options, message) => {
  await expect(score(options as Parameters<typeof score>[0])).rejects.toMatchObject({
    code: "input",
    message: expect.stringContaining(message),
  });
});
