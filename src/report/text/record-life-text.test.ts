import { expect, test } from "vitest";
import { anyRecord } from "../../core/records.js";
import { lifeFacts } from "./record-life-text.js";

const hashes = ["a".repeat(64), "b".repeat(64)] as const;
const key = "0".repeat(32);
const envelope = { schema: 1, key, step: "judge@1", attempt: 1, status: "done" };
const wording = { prompt: "critic/page", pool: "pairwise@1", wording: key, way: "tokens" };

/** Facts of a record of which nothing else is known. */
function factsOf(record: object, shown: Parameters<typeof lifeFacts>[0]["shown"] = []) {
  const life = { record: anyRecord.parse({ ...envelope, ...record }), shown };
  return lifeFacts({ ...life, trace: [], madeFrom: [] });
}

test("an audit says what the judge saw in which images, item by item", () => {
  const answered = { status: "answered", images: [1], explanation: "two look poor" };
  const facts = factsOf(
    {
      type: "audit",
      query: key,
      phase: "initial",
      category: "geocultural",
      text: "a Colombian person",
      generator: "lab:painter",
      unit: "set",
      set: 0,
      of: [key, key],
      images: hashes,
      wanted: 2,
      rubric: "geocultural",
      rubricRevision: "0",
      items: ["wealth", "food", "age"],
      model: "lab:auditor",
      trial: 0,
      answers: [
        { ...answered, item: "wealth", present: 1 },
        { ...answered, item: "food", present: 0, explanation: "" },
        { item: "age", status: "unscored", reason: "unparsable", detail: "no JSON" },
      ],
    },
    [
      { name: "1", hash: hashes[0] as never, path: "blobs/a.png" },
      { name: "2", hash: hashes[1] as never, problem: "b.png is damaged" },
    ],
  );
  expect(facts).toEqual(
    expect.arrayContaining([
      ["value", "1 present of 2 answered"],
      ["query", "a Colombian person (geocultural, initial)"],
      ["present", "wealth: two look poor"],
      ["absent", "food"],
      ["unscored", "age: unparsable: no JSON"],
      ["image 1", "blobs/a.png"],
      ["image 2", "b.png is damaged"],
    ]),
  );
});

test("a refinement says what was rewritten to what, and why", () => {
  const facts = factsOf({
    type: "refinement",
    query: key,
    category: "occupational",
    language: "en",
    text: "a nurse",
    generator: "lab:painter",
    images: [],
    mode: "verbatim",
    stereotypes: [{ item: "gender", explanation: "all women" }],
    rulesRevision: "0",
    model: "lab:refiner",
    prompt: "a nurse of any gender",
    askings: 1,
    refused: [],
  });
  expect(facts).toEqual(
    expect.arrayContaining([
      ["present", "gender: all women"],
      ["rewritten to", "a nurse of any gender"],
    ]),
  );
});

test("a judgment says its probabilities, in the order of its answers", () => {
  const pair = factsOf({
    type: "judgment",
    pair: "p1",
    caption: "a cat",
    imageA: hashes[0],
    imageB: hashes[1],
    firstShown: "b",
    ...wording,
    ties: false,
    model: "lab:judge",
    trial: 0,
    probabilities: { a: 0.75, b: 0.25, tie: 0 },
    remaining: 0,
  });
  expect(pair).toContainEqual(["value", "P(a) 0.75, P(b) 0.25, P(tie) 0"]);
  expect(pair).toContainEqual(["pair", "p1, image b shown first"]);
  const rated = factsOf({
    type: "image-judgment",
    task: "rating",
    item: "i1",
    text: "a cat",
    image: hashes[0],
    answers: ["1", "2", "3"],
    firstNamed: "1",
    ...wording,
    model: "lab:judge",
    trial: 0,
    probabilities: [0.5, 0.3, 0.2],
    remaining: 0,
  });
  expect(rated).toContainEqual(["value", "P(1) 0.5, P(2) 0.3, P(3) 0.2"]);
});
