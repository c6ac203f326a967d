import { expect, test } from "vitest";
import { UnscoredDetails } from "./unscored.js";

test("details that differ in numbers and quoted words alone are one; the commonest is shown by its first", () => {
  const details = new UnscoredDetails();
  expect(details.commonest()).toBeUndefined();
  details.add("timeout", "no answer for 30 s");
  details.add("unparsable", 'Expected Yes or No but received "Maybe"');
  details.add("unparsable", "The reply is empty");
  details.add("unparsable", 'Expected Yes or No but received "Per\nhaps"');
  expect(details.commonest()).toEqual({
    reason: "unparsable",
    detail: 'Expected Yes or No but received "Maybe"',
    count: 2,
  });
  expect(details.commonest("timeout")?.detail).toBe("no answer for 30 s");
  expect(details.commonest("refused")).toBeUndefined();
});
