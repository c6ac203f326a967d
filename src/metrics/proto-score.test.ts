import { expect, test } from "vitest";
import type { Picture } from "../core/models.js";
import { scriptedChat, withTokens } from "../testing/fake-models.js";
import { protoScore } from "./proto-score.js";

const image = {} as Picture;
const input = { image, text: "a penguin with two stalks" };

test("the expected digit over nine, given that a digit was said", async () => {
  const { model, asked } = scriptedChat(withTokens({ "9": 0.5, "6": 0.2, "0": 0.1, hm: 0.2 }));
  const metric = protoScore({ model });
  const { value, details } = await metric.score(input);
  // (9 * 0.5 + 6 * 0.2) / 0.8 / 9, but for digits that were not listed, which count at most 0
  expect(value).toBeCloseTo((9 * 0.5 + 6 * 0.2) / 0.8 / 9, 2);
  expect(details).toMatchObject({ read: "expected" });
  const [system, user] = asked[0]?.messages ?? [];
  expect(system?.role).toBe("system");
  expect(JSON.stringify(user?.parts)).toContain('Text: \\"a penguin with two stalks\\"');
  expect(metric).toMatchObject({
    name: "proto-score",
    convention: "expected-or-written",
    range: [0, 1],
    direction: "higher",
  });
});

test("the digit that was written where there are no log-probabilities, asked for once", async () => {
  const { model, asked } = scriptedChat("7", "7", "3");
  const metric = protoScore({ model });
  expect(await metric.score(input)).toMatchObject({
    value: 7 / 9,
    details: { read: "written" },
  });
  expect((await metric.score(input)).value).toBeCloseTo(3 / 9, 12);
  expect(asked.map(({ topLogProbabilities }) => topLogProbabilities)).toEqual([
    20,
    undefined,
    undefined,
  ]);
});

test("each reading by itself, named", async () => {
  const written = protoScore({ model: scriptedChat("4").model, convention: "written" });
  expect((await written.score(input)).value).toBeCloseTo(4 / 9, 12);
  expect(written).toMatchObject({ convention: "written", statistic: "k / 9" });
  const expected = protoScore({ model: scriptedChat("4").model, convention: "expected" });
  await expect(expected.score(input)).rejects.toMatchObject({ reason: "not-applicable" });
});

test("what is no digit is unscored, never a number", async () => {
  for (const reply of ["very well", "10", "8.5", ""]) {
    const { model } = scriptedChat(reply, reply);
    const metric = protoScore({ model, convention: "written" });
    await expect(metric.score(input)).rejects.toMatchObject({ reason: "unparsable" });
  }
  const unsure = scriptedChat(withTokens({ well: 0.7, "9": 0.3 })).model;
  await expect(protoScore({ model: unsure }).score(input)).rejects.toMatchObject({
    reason: "unparsable",
  });
  const refusing = scriptedChat({ text: "I can't", finish: "refused" }).model;
  await expect(protoScore({ model: refusing }).score(input)).rejects.toMatchObject({
    reason: "refused",
  });
});
