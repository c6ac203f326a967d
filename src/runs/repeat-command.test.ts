import { expect, test } from "vitest";
import type { RecordOf } from "../core/records.js";
import { shellWord } from "../core/shell-word.js";
import { lifeFacts } from "../report/text/record-life-text.js";
import { repeatCommand } from "./repeat-command.js";

const entities = [
  { entity: "skirt", attributes: ["red"] },
  { entity: "jacket", attributes: ["dotted"] },
];
const record = {
  schema: 1,
  type: "score",
  key: "0".repeat(32),
  step: "score-images@1",
  attempt: 1,
  of: "1".repeat(32),
  image: "2".repeat(64),
  text: "a red skirt, it's said",
  trial: 0,
  metric: "localized-vqa-score",
  metricVersion: 1,
  statistic: "F1",
  range: [0, 1],
  convention: "recall:masking:paper",
  model: "a:vqa@1 + b:find@2 / rules:words@3",
  direction: "higher",
  status: "done",
  value: 0.5,
  details: {
    threshold: 0.5,
    precision: null,
    questions: [
      { on: "skirt", attribute: "red", probability: 0.75, mask: "none" },
      { on: "skirt", attribute: "dotted", probability: 0.25, mask: "none" },
    ],
    entities,
  },
} as unknown as RecordOf<"score">;

const lineOf = (...given: Parameters<typeof repeatCommand>) => {
  const found = repeatCommand(...given);
  if (found === undefined) return undefined;
  const set = Object.entries(found.variables).map(([name, value]) => `${name}=${shellWord(value)}`);
  return [...set, "touchstone", ...found.words.map(shellWord)].join(" ");
};

test("the command names every model, the convention and what the text is made of", () => {
  expect(lineOf(record, "blobs/a.png")).toBe(
    `touchstone score --image blobs/a.png --text 'a red skirt, it'\\''s said' ` +
      "--metric localized-vqa-score:recall:masking:paper --model a:vqa@1 --model b:find@2 " +
      "--decompose-with rules " +
      `--entities '${JSON.stringify(entities)}'`,
  );
});

test("a text that looks like a flag is none", () => {
  expect(lineOf({ ...record, text: "--json" }, "a.png")).toContain(" --text=--json ");
});

test("nothing names an image that is gone, or a metric of one's own", () => {
  expect(lineOf(record, undefined)).toBeUndefined();
  expect(lineOf({ ...record, metric: "mine" }, "a.png")).toBeUndefined();
});

test("a chat model that took the text apart is named as such", () => {
  const chatted = { ...record, model: "a:vqa@1 / c:chat@2", metric: "blip-vqa" };
  expect(lineOf(chatted, "a.png")).toContain("--model a:vqa@1 --decompose-with c:chat@2 ");
  for (const [stored, given] of [
    ["c:chat@instructions-0123abcd", "c:chat "],
    ["c:chat@2+instructions-0123abcd", "c:chat@2 "],
  ]) {
    const instructed = { ...chatted, model: `a:vqa@1 / ${stored}` };
    expect(lineOf(instructed, "a.png")).toContain(`--decompose-with ${given}`);
  }
});

test("the command asks the same server", () => {
  const hosted = {
    ...record,
    metric: "vqa-score",
    model: "openai-compatible:tiny",
    baseUrl: "http://localhost:8000/v1",
  };
  expect(lineOf(hosted, "a.png")).toMatch(
    /^OPENAI_BASE_URL=http:\/\/localhost:8000\/v1 touchstone score .* --model openai-compatible:tiny /,
  );
  const two = { ...hosted, model: "openai-compatible:a + openai-compatible:b", baseUrl: "u + v" };
  expect(lineOf(two, "a.png")).toMatch(/^touchstone score /);
  // What the configuration names is reached by that name, with its own address and key.
  const named = new Map([["openai-compatible:tiny at http://localhost:8000/v1", "own"]]);
  expect(lineOf(hosted, "a.png", named)).toMatch(/^touchstone score .* --model own /);
  const facts = lifeFacts({ record: hosted, trace: [], madeFrom: [], shown: [] } as never);
  expect(facts).toContainEqual(["base URL", "http://localhost:8000/v1"]);
});

test("a life shows each question with its answer and what it was asked on", () => {
  const facts = lifeFacts({ record, trace: [], madeFrom: [], shown: [] } as never);
  expect(facts).toContainEqual([
    ...["questions", 'on "skirt", attribute "red", probability 0.75, mask "none"'],
  ]);
  expect(facts.filter(([name]) => name === "questions")).toHaveLength(2);
  expect(facts).toContainEqual(["threshold", "0.5"]);
  expect(facts).toContainEqual(["precision", "none"]);
});
