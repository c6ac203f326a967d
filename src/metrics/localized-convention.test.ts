import { expect, test } from "vitest";
import { conventionText, localizedConventions, parseConvention } from "./localized-convention.js";

test("all 36, the published one first, and each is read as what it says", () => {
  expect(localizedConventions).toHaveLength(36);
  expect(new Set(localizedConventions).size).toBe(36);
  expect(localizedConventions[0]).toBe("f1:blurring+cropping:paper");
  for (const text of localizedConventions) expect(conventionText(parseConvention(text))).toBe(text);
});

test("what is left out is as published, in whatever order", () => {
  expect(parseConvention("masking:recall")).toEqual({
    target: "recall",
    strategy: "masking",
    leakage: "paper",
  });
  expect(conventionText(parseConvention("reference"))).toBe("f1:blurring+cropping:reference");
});

test.each(["f2", "", "f1:recall", "f1:f1", "masking:blurring", "f1:", "mask"])(
  "%j is no convention",
  (text) => {
    expect(() => parseConvention(text)).toThrow(
      `after localized-vqa-score: but received "${text}"`,
    );
  },
);
