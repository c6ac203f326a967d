import { expect, test } from "vitest";
import { auditExperts, type ExpertRow } from "./audit-experts.js";

const rows = (...answers: readonly (readonly (0 | 1 | null)[])[]): ExpertRow[] =>
  answers.map((experts, at) => ({
    query: `q${at}`,
    category: "c",
    model: "m",
    phase: "initial",
    imageSet: "0",
    item: "age",
    present: 1,
    experts,
  }));

test("most experts make the reference, and those at odds make none", () => {
  const found = auditExperts(
    rows([1, 1, 0], [0, null, 0], [1, 0, null], [null, 1, null], [null, null, null]),
    ["anna", "ben", "cleo"],
    { resamples: 100 },
  );
  expect(found.rows.map(({ expert }) => expert)).toEqual([1, 0, null, 1, null]);
  expect(found.experts).toMatchObject({ n: 4, disputed: 1, answers: [3, 3, 2] });
  expect(found.experts.agreement?.pairwise?.n[0]?.[1]).toBe(2);
});

test("two experts' kappa is that of their shared answers, alpha takes missing ones as they are", () => {
  const { agreement } = auditExperts(rows([1, 1], [1, 1], [0, 0], [0, 1], [1, null]), ["a", "b"], {
    resamples: 100,
  }).experts;
  // Of four shared answers three agree; by chance 0.5 0.75 + 0.5 0.25.
  expect(agreement?.pairwise?.cohen[0]?.[1]).toBeCloseTo((0.75 - 0.5) / 0.5, 12);
  expect(agreement?.krippendorffAlpha).toBeCloseTo(1 - 2 / 8 / ((5 * 3 * 2) / (8 * 7)), 12);
});

test("one expert agrees with nobody", () => {
  const { experts, rows: found } = auditExperts(rows([1], [0], [null]), ["anna"]);
  expect(experts).toEqual({ names: ["anna"], answers: [2], n: 2, disputed: 0 });
  expect(found.map(({ expert }) => expert)).toEqual([1, 0, null]);
});
