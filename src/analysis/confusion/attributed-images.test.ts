import { expect, test } from "vitest";
import { distinctQuestions, type LocalizedQuestion } from "./attributed-images.js";

const question = (entity: string, attribute: string, kind: LocalizedQuestion["kind"]) => ({
  entity,
  attribute,
  kind,
});

test("equal questions are asked once, and what two entities share does not leak", () => {
  const shared = question("shirt", "red", "leakage");
  const own = question("shirt", "red", "reflection");
  const leak = question("skirt", "dotted", "leakage");
  // Joined without a border the last would equal the one before it.
  const near = question("skirt dotted", "", "leakage");
  const found = distinctQuestions([shared, own, leak, { ...leak }, { ...own }, near]);
  expect(found.kept).toEqual([own, leak, near]);
  expect(found.shared).toEqual([shared]);
  expect(found.duplicates).toEqual([leak, own]);
});

test("a shared question that stands twice is a duplicate the second time", () => {
  const own = question("shirt", "red", "reflection");
  const shared = question("shirt", "red", "leakage");
  const found = distinctQuestions([own, shared, shared]);
  expect([found.kept.length, found.shared.length, found.duplicates.length]).toEqual([1, 1, 1]);
});
