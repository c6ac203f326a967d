import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Picture } from "../core/models.js";
import { checkMetric, importMetric } from "./user-metric.js";

const input = { image: { width: 7 } as Picture, text: "a cat" };

async function moduleOf(source: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "metric-")), "mine.mjs");
  await writeFile(path, source);
  return path;
}

test("a module's default export becomes a metric; what it does not say is filled in", async () => {
  const metric = await importMetric(
    await moduleOf(`export default {
      name: "wide", range: [0, 100], direction: "higher", factor: 2,
      async score({ image }) { return { value: image.width * this.factor, question: "how wide?" }; },
    }`),
  );
  expect(metric).toMatchObject({ name: "wide", version: 1, statistic: "wide", model: "none" });
  expect(await metric.score(input)).toEqual({ value: 14, question: "how wide?" });
});

test("a bare number is an answer, anything else is none", async () => {
  const answering = (answer: unknown) =>
    checkMetric(
      { name: "m", range: [0, 1], direction: "lower", score: () => answer },
      "mine.mjs",
    ).score(input);
  expect(await answering(0.5)).toEqual({ value: 0.5 });
  for (const answer of ["0.5", null, undefined, {}, { value: "1" }]) {
    await expect(answering(answer)).rejects.toMatchObject({ reason: "unparsable" });
  }
});

test("what its code throws is no answer for that row", async () => {
  const metric = checkMetric(
    {
      name: "m",
      range: [0, 1],
      direction: "lower",
      score() {
        throw new TypeError("oh");
      },
    },
    "mine.mjs",
  );
  await expect(metric.score(input)).rejects.toMatchObject({
    reason: "provider-error",
    retryable: false,
    message: "The metric m failed: oh",
  });
});

test("every member that is wrong is named", () => {
  const broken = { name: "has space", range: [1, 0], direction: "up", score: 3 };
  try {
    checkMetric(broken, "mine.mjs");
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ message: "The metric in mine.mjs is not whole" });
    const { problems } = error as { problems: string[] };
    expect(problems.map((problem) => problem.split(":")[0])).toEqual([
      "name",
      "range",
      "direction",
      "score",
    ]);
  }
});

test("no file, no syntax, no default export", async () => {
  await expect(importMetric("/nowhere/mine.mjs")).rejects.toThrow("Can't import the metric");
  await expect(importMetric(await moduleOf("export default {"))).rejects.toThrow("Can't import");
  await expect(importMetric(await moduleOf("export const a = 1"))).rejects.toThrow(
    "Expected a metric as the default export",
  );
});
