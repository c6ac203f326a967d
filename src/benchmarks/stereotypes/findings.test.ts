import { expect, test } from "vitest";
import type { StereotypeRow } from "../../analysis/stereotypes/stereotype-row.js";
import { loadStereotypeClaims } from "../paper-claims.js";
import { type StereotypeEvidence, stereotypeFindings } from "./findings.js";

const { claims } = loadStereotypeClaims();
const items = ["a", "b", "c", "d"];

/** Sets of four items: of each query so many are flagged before and after. */
function rowsOf(
  model: string,
  [before, after]: readonly [number, number],
  { queries = 30, category = "occupational" } = {},
): (StereotypeRow & { present: 0 | 1 })[] {
  return Array.from({ length: queries }, (_, query) =>
    (["initial", "refined"] as const).flatMap((phase) =>
      items.map((item, at) => {
        // Queries differ by one item, so that resamples differ.
        const flagged = (phase === "initial" ? before : after) + (query % 2);
        return {
          query: `q${query}`,
          category,
          model,
          phase,
          imageSet: "0",
          item,
          present: at < flagged ? (1 as const) : (0 as const),
        };
      }),
    ),
  ).flat();
}

const findingsOf = (evidence: Partial<StereotypeEvidence>) =>
  stereotypeFindings(claims, {
    rows: [],
    known: [],
    alignments: [],
    seed: 0,
    resamples: 200,
    ...evidence,
  });

const about = (findings: ReturnType<typeof findingsOf>, measured: string) =>
  findings.filter((finding) => finding.measured.startsWith(measured));

test("an index that falls in each generator holds the claims of its category, and no other's", () => {
  const rows = [...rowsOf("one", [3, 0]), ...rowsOf("two", [3, 1], { queries: 29 })];
  const findings = findingsOf({ rows });
  const falls = about(findings, "index before minus index after, occupational");
  expect(falls.map(({ measured, outcome }) => [measured, outcome])).toEqual([
    ["index before minus index after, occupational", "holds"],
    ["index before minus index after, occupational, one", "holds"],
    ["index before minus index after, occupational, two", "holds"],
  ]);
  expect(falls[0]).toMatchObject({ n: 59, clusters: 30, clusteredBy: "query" });
  // 0.875 falls to 0.25, and 0.871 to 0.371.
  expect(about(findings, "0.5 × index")[1]).toMatchObject({ outcome: "holds", n: 59 });
  expect(about(findings, "index before minus index after, adjectival")[0]).toMatchObject({
    outcome: "undecided",
    reason: "the run has no adjectival queries",
    n: 0,
  });
  // Three falls and one fall by half were tested; what the run lacks is in no family.
  expect(findings.filter(({ p }) => p !== undefined)).toHaveLength(4);
});

test("an index that rises fails the claim; one generator is not counted twice", () => {
  const findings = findingsOf({ rows: rowsOf("one", [0, 2]).map(spread) });
  const [all, each] = about(findings, "index before minus index after, occupational");
  expect(all).toMatchObject({ outcome: "fails" });
  expect(each).toMatchObject({ outcome: "undecided", n: 0 });
  expect(each?.reason).toContain("one generator");
  const [, byHalf] = about(findingsOf({ rows: rowsOf("one", [3, 2]) }), "0.5 × index");
  expect(byHalf).toMatchObject({ outcome: "fails", expected: "above", threshold: 0 });
});

/** A few flags more after, so that queries differ. */
const spread = (row: ReturnType<typeof rowsOf>[number], at: number) =>
  at % 11 === 0 && row.phase === "refined" ? { ...row, present: 1 as const } : row;

test("a judge is right often enough where the truth says so", () => {
  const known = rowsOf("one", [2, 1]).map((row, at) => ({
    ...row,
    expert: at % 20 === 0 ? ((1 - row.present) as 0 | 1) : row.present,
  }));
  const [finding] = about(findingsOf({ known }), "share of the judge's answers");
  expect(finding).toMatchObject({ n: 240, clusters: 30, scale: "share", threshold: 0.8 });
  expect(finding?.estimate.value).toBeCloseTo(0.95, 12);
  expect(about(findingsOf({}), "share of the judge's answers")[0]?.reason).toBe(
    "nobody knows what is in the images",
  );
});

test("alignment that is lost is a cost in whichever direction the metric counts", () => {
  const sets = (change: (query: number) => number) =>
    Array.from({ length: 30 }, (_, query) => query).flatMap((query) =>
      (["initial", "refined"] as const).map((phase) => ({
        query: `q${query}`,
        category: "c",
        model: "m",
        imageSet: "0",
        phase,
        value: phase === "initial" ? 0.5 : 0.5 - change(query),
      })),
    );
  const loss = sets((query) => 0.1 + query / 1000);
  const alignments = [
    { metric: "higher", direction: "higher", range: [0, 1], values: loss } as const,
    { metric: "lower", direction: "lower", range: [0, 1], values: loss } as const,
  ];
  const findings = findingsOf({ alignments });
  expect(about(findings, "higher of the original query")[0]).toMatchObject({ outcome: "holds" });
  expect(about(findings, "lower of the original query")[0]).toMatchObject({ outcome: "fails" });
});
