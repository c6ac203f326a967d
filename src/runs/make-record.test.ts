import { expect, test } from "vitest";
import { keyOf } from "../core/keys.js";
import { NoAnswer } from "../core/unscored.js";
import { doneRecord, type Task, unscoredRecord } from "./make-record.js";

const about = {
  of: keyOf("image"),
  image: "0".repeat(64),
  text: "a fox",
  metric: "a",
  metricVersion: 1,
  statistic: "cosine",
  model: "lab:judge",
  range: [-1, 1],
  direction: "higher",
  trial: 0,
};
const task: Task = { type: "score", key: keyOf(1), step: "score@1", attempt: 2, about };

test("equal records are equal text, whatever the order in which members were named", () => {
  const reversed = Object.fromEntries(Object.entries(about).reverse());
  const text = JSON.stringify(doneRecord(task, { value: 0.25, question: "?" }));
  expect(
    JSON.stringify(doneRecord({ ...task, about: reversed }, { question: "?", value: 0.25 })),
  ).toBe(text);
  expect(Object.keys(JSON.parse(text)).slice(0, 6)).toEqual([
    "schema",
    "type",
    "key",
    "step",
    "attempt",
    "of",
  ]);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  "%s is no answer: unparsable, and no number is stored",
  (value) => {
    const record = doneRecord(task, { value });
    expect(record).toMatchObject({ status: "unscored", reason: "unparsable", retryable: false });
    expect(record).not.toHaveProperty("value");
    expect(record).toHaveProperty(
      "detail",
      `Expected a finite number for value but received ${value}`,
    );
  },
);

test("zero is an answer", () => {
  expect(doneRecord(task, { value: 0 })).toMatchObject({ status: "done", value: 0 });
});

test("an answer of another shape is a fault, with the members named", () => {
  expect(() => doneRecord(task, { value: "0.5" })).toThrow(TypeError);
  expect(() => doneRecord(task, {})).toThrow("Expected a record of type score but received value:");
});

test("an answer can't change what the record is about", () => {
  expect(
    doneRecord(task, { value: 1, key: keyOf(2), status: "unscored", text: "a dog" }),
  ).toMatchObject({
    key: task.key,
    status: "done",
    text: "a fox",
  });
});

test("no answer keeps its reason, its words, and whether to ask again", () => {
  expect(unscoredRecord(task, new NoAnswer("timeout", "30 s went by"))).toMatchObject({
    status: "unscored",
    reason: "timeout",
    retryable: true,
    detail: "30 s went by",
    attempt: 2,
    text: "a fox",
  });
});
