import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import type { JsonObject } from "../core/json.js";
import type { Picture } from "../core/models.js";
import { checkMetric, importMetric } from "./user-metric.js";

const input = { image: { width: 7 } as Picture, text: "a cat" };

async function moduleOf(source: string): Promise<string> {
  const path = join(await temporaryDirectory(), "mine.mjs");
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

test("what stands beside an answer's parts may be no JSON; a part that is none is no answer", async () => {
  const answering = (answer: object) =>
    checkMetric(
      { name: "m", range: [0, 1], direction: "lower", score: () => answer },
      "mine.mjs",
    ).score(input);
  const tensor = { size: 3n, self: {} };
  tensor.self = tensor;
  const parts = { value: 0.5, question: "which?", details: { a: 1 } };
  expect(await answering({ ...parts, tensor })).toEqual(parts);
  class Answer {
    readonly value = 0.5;
    get question(): string {
      return "which?";
    }
  }
  expect(await answering(new Answer())).toEqual({ value: 0.5, question: "which?" });
  for (const answer of [{ value: 0.5, details: tensor }, tensor]) {
    await expect(answering(answer)).rejects.toMatchObject({ reason: "provider-error" });
  }
});

function problemsOf(candidate: unknown): readonly string[] {
  try {
    checkMetric(candidate, "mine.mjs");
  } catch (error) {
    expect(error).toMatchObject({ code: "input", message: "The metric in mine.mjs is not whole" });
    return (error as { problems: string[] }).problems;
  }
  return [];
}

test("every member that is wrong is named, with what came", () => {
  const broken = { name: "has space", version: 0, range: [1, 0], direction: "up", score: 3 };
  expect(problemsOf(broken)).toEqual([
    'name: expected a short name, such as "my-metric", but received "has space"',
    "version: expected a whole number from 1 but received 0",
    "range: expected two numbers, the lower first, such as [0, 1], but received [1,0]",
    'direction: expected "higher" or "lower" but received "up"',
    "score: expected a function ({ image, text }, { signal }) => { value } but received 3",
  ]);
});

test("so is every member that is missing, and an export that is no object", () => {
  const missing = problemsOf({});
  expect(missing.map((problem) => problem.split(":")[0])).toEqual([
    ...["name", "range", "direction", "score"],
  ]);
  for (const problem of missing) expect(problem).toMatch(/: expected .* but received nothing$/);
  expect(problemsOf({ name: "m", direction: "lower", score: () => 1, range: [0, "1"] })).toEqual([
    'range: expected two numbers, the lower first, such as [0, 1], but received [0,"1"]',
  ]);
  expect(problemsOf(() => 1)).toEqual([
    "the export: expected an object with name, range, direction and score but received a function",
  ]);
});

test("no file, no syntax, no default export", async () => {
  await expect(importMetric("./mine.mjs", { directory: "/nowhere" })).rejects.toMatchObject({
    code: "input",
    message: "Could not read the metric ./mine.mjs: there is no such file or folder",
  });
  await expect(importMetric(".")).rejects.toThrow("but received the folder .");
  await expect(importMetric(await moduleOf("export default {"))).rejects.toThrow("Can't import");
  await expect(importMetric(await moduleOf("export const a = 1"))).rejects.toThrow(
    "Expected a metric as the default export",
  );
});

test("a failure counts as a call: where all rows fail alike the work ends early", async () => {
  const tried: unknown[] = [];
  const trace = ({ kind, problem }: JsonObject) => tried.push([kind, problem]);
  const answers = [() => Promise.reject(new Error("oh")), () => "0.5", () => 0.5];
  const metric = checkMetric(
    { name: "m", range: [0, 1], direction: "lower", score: () => answers.shift()?.() },
    "mine.mjs",
  );
  for (const _ of [...answers]) await metric.score(input, { trace }).catch(() => {});
  expect(tried).toEqual([
    ["attempt-failed", "oh"],
    ["attempt-failed", expect.stringContaining('"0.5"')],
  ]);
});
