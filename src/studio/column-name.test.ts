import { expect, test } from "vitest";
import { columnName, nameApart } from "./column-name.js";

const one = { metric: "vqa-score", model: "lab:vqa@1", against: "own", trial: 0 } as const;
const local = { ...one, metric: "localized", convention: "f1:blurring" } as const;

test("a metric is told apart by all in which another of its name differs, and by no more", () => {
  expect(columnName(one, [one, local])).toBe("vqa-score");
  const small = { ...one, model: "lab:small@2" };
  expect(columnName(small, [one, small])).toBe("vqa-score, lab:small");
  const swapped = { ...one, against: "swapped" } as const;
  expect(columnName(swapped, [one, swapped])).toBe("vqa-score, attributes swapped");
  const masked = { ...local, convention: "f1:masking", trial: 1 };
  expect(columnName(local, [local, masked])).toBe("localized, f1:blurring");
  expect(columnName(masked, [local, masked])).toBe("localized, f1:masking, trial 1");
});

test("a revision is told where models differ in nothing else", () => {
  expect(nameApart("lab:vqa@1", ["lab:vqa@1", "lab:small@1"])).toBe("lab:vqa");
  expect(nameApart("lab:vqa@1", ["lab:vqa@1", "lab:vqa@2"])).toBe("lab:vqa@1");
});
