import { expect, test } from "vitest";
import { decomposition } from "./evaluate-decomposer.js";

const skirt = { entity: "skirt", attributes: ["red", "striped"] };
const hat = { entity: "hat", attributes: ["blue"] };

test("precision and recall of entities, and of attributes with their entities", () => {
  const { n, unscored, entities, attributes } = decomposition([
    { right: [skirt, hat], found: [{ entity: "Skirt", attributes: ["red"] }] },
    { right: [hat], found: [{ entity: "hat", attributes: ["red"] }, skirt] },
    { right: [skirt], found: undefined },
  ]);
  expect([n, unscored]).toEqual([2, 1]);
  // Entities: 2 of 3 found are right, 2 of 3 right are found.
  expect(entities.precision.value).toBeCloseTo(2 / 3, 12);
  expect(entities.recall.value).toBeCloseTo(2 / 3, 12);
  // Attributes: 1 of 4 found is right, 1 of 4 right is found.
  expect(attributes.precision.value).toBeCloseTo(1 / 4, 12);
  expect(attributes.recall.value).toBeCloseTo(1 / 4, 12);
  expect(attributes.recall.low).toBeLessThanOrEqual(attributes.recall.value ?? 0);
});

test("a decomposer without an answer has no figure, and neither 0 nor 1", () => {
  const { n, unscored, entities } = decomposition([{ right: [skirt], found: undefined }]);
  expect([n, unscored]).toEqual([0, 1]);
  expect(entities.recall).toMatchObject({ value: null, reason: "0 / 0" });
});
