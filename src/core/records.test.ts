import { expect, test } from "vitest";
import { anyRecord, checkedRecord } from "./records.js";

const score = {
  schema: 1,
  type: "score",
  key: "0".repeat(32),
  step: "score-items@1",
  attempt: 1,
  of: "a".repeat(32),
  image: "b".repeat(64),
  text: "a cat",
  metric: "mine",
  metricVersion: 1,
  statistic: "length",
  model: "none",
  range: [0, 1],
  direction: "higher",
  trial: 0,
  extra: "not kept",
};

test.each([
  { ...score, status: "done", value: 0.5 },
  { ...score, status: "unscored", reason: "refused", retryable: false, detail: "no" },
])("a record is read as by the schema of all: $status", (value) => {
  expect(JSON.stringify(checkedRecord(value).data)).toBe(JSON.stringify(anyRecord.parse(value)));
});

test.each([
  null,
  7,
  [],
  {},
  { type: "score" },
  { type: "constructor", status: "done" },
  { type: "score", status: "done" },
  { type: "score", status: "other" },
])("what is no record is refused as by the schema of all: %j", (value) => {
  expect(checkedRecord(value).success).toBe(false);
});

test("what was checked often is checked by compiled schemas, which make the same of it", () => {
  const done = { ...score, status: "done", value: 0.5 };
  const detailed = { ...done, question: "cat?", details: { parts: [{ cat: 1 }, null] } };
  for (let count = 0; count < 3000; count++) checkedRecord(done);
  for (const value of [done, detailed, { ...done, details: undefined }]) {
    expect(JSON.stringify(checkedRecord(value).data)).toBe(JSON.stringify(anyRecord.parse(value)));
  }
  for (const wrong of [{ key: "0" }, { value: Number.NaN }, { details: { cat: () => 1 } }]) {
    const value = { ...done, ...wrong };
    expect(checkedRecord(value).error?.issues).toEqual(anyRecord.safeParse(value).error?.issues);
  }
});
