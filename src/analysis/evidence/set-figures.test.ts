import { describe, expect, it } from "vitest";
import type { EvidenceItem, EvidenceTable } from "./evidence-table.js";
import { comparisonsOf, credit, setFigures } from "./set-figures.js";

const item = (
  id: string,
  people: readonly (number | null)[],
  score: number | null,
  more: Partial<EvidenceItem> = {},
): EvidenceItem => ({
  id,
  prompt: id.charAt(0),
  people,
  scores: { m: score },
  votes: {},
  probabilities: {},
  ...more,
});
const rated = (items: readonly EvidenceItem[]): EvidenceTable => ({
  isPairs: false,
  items,
  metrics: ["m"],
  judges: [],
});

describe("pairs of one prompt", () => {
  const table = rated([
    item("a1", [5, 4], 0.9, { generator: "x" }),
    item("a2", [3, 3], 0.5, { generator: "y" }),
    item("a3", [3, 3], 0.5, { generator: "z" }),
    item("b1", [1, 2], 0.2, { generator: "x" }),
    item("b2", [2, 2], 0.1, { generator: "y" }),
    item("b3", [4, 5], null, { generator: "z" }),
  ]);
  const { n, clusters, people, metrics, covariance } = setFigures(table);

  it("counts those that people order: two right of a, one wrong of b", () => {
    expect({ n, clusters }).toEqual({ n: 6, clusters: 2 });
    expect(metrics.m).toMatchObject({ n: 5, unscored: 1, pairs: 3 });
    expect(metrics.m?.accuracyWithin.value).toBeCloseTo(2 / 3, 12);
    // Influences of a and b are (2 - 4/3) / 3 and (0 - 2/3) / 3.
    expect(metrics.m?.accuracyWithin.error).toBeCloseTo(Math.sqrt(2 * 2 * (2 / 9) ** 2), 12);
    expect(covariance[0]?.[0]).toBeCloseTo(4 * (2 / 9) ** 2, 12);
  });

  it("with ties as answers counts the pair that both tie, too", () => {
    expect(metrics.m?.accuracyTies).toEqual({ value: 3 / 4, epsilon: 0 });
  });

  it("may count heads in place of points: two who see little outvote one who sees much", () => {
    const [one, other] = [item("c1", [5, 2, 2], 0.9), item("c2", [1, 3, 3], 0.1)];
    const found = setFigures(rated([one, other])).metrics.m;
    expect(found?.accuracyWithin.value).toBe(1);
    expect(found?.accuracyMajority).toBe(0);
  });

  it("measures one rater against the other, and the metric on the same pairs", () => {
    // Of a2 and a3 the other rater says nothing; b1 and b2 are a tie for the second rater.
    expect(people.raters).toBe(2);
    const { value } = people.ceiling;
    const share = metrics.m?.ceilingShare.value;
    expect(value).toBeGreaterThan(0.9);
    expect(share).toBeLessThan(1);
  });

  it("orders generators by their means", () => {
    expect(metrics.m?.generators).toEqual({ n: 3, accuracy: 1 });
  });
});

it("a metric that has people's order takes the whole way, one that never answers none of it", () => {
  const scores = [1, 2, 3];
  const items = ["a", "b", "c"].flatMap((prompt) =>
    scores.map((score) => item(`${prompt}${score}`, [score, score, score], score)),
  );
  const whole = setFigures(rated(items)).metrics.m;
  expect(whole?.accuracyWithin.value).toBe(1);
  expect(whole?.ceilingShare.value).toBe(1);
  const flat = items.map((one) => ({ ...one, scores: { m: 7 } }));
  expect(setFigures(rated(flat)).metrics.m?.ceilingShare.value).toBe(0);
});

it("compares the pairs that people were shown, and a judge that gave no answer is unscored", () => {
  const pair = (id: string, human: number, vote: number | null): EvidenceItem => ({
    ...item(id, [human], null),
    scores: {},
    votes: { j: vote },
  });
  const { judges } = setFigures({
    isPairs: true,
    items: [
      pair("a", 1, 1),
      pair("b", -1, 1),
      pair("c", 1, 0),
      pair("d", 0, 1),
      pair("e", 1, null),
    ],
    metrics: [],
    judges: ["j"],
  });
  // Right, wrong and a tie; a pair that people tie is in no share.
  expect(judges.j).toMatchObject({ n: 4, unscored: 1, pairs: 3 });
  expect(judges.j?.accuracyWithin.value).toBe(0.5);
});

it("takes means that differ by rounding for a tie", () => {
  const { people } = comparisonsOf(
    rated([item("a1", [0.1, 0.2, 0.3], 1), item("a2", [0.3, 0.2, 0.1], 2)]),
  );
  expect([...people]).toEqual([0]);
});

it("gives no credit where people tie or an answer is missing", () => {
  expect(credit(1, 0)).toBeNaN();
  expect(credit(Number.NaN, 1)).toBeNaN();
  expect([credit(2, 1), credit(-2, 1), credit(0, -1)]).toEqual([1, 0, 0.5]);
});
