import { expect, test } from "vitest";
import { swap } from "../../analysis/pairs/swap.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { confusionFindings, unseenLooks } from "./findings.js";

const metricNames = ["clip-score", "vqa-score"] as const;
const metricOf = (metric: string): EvaluatedMetric => ({
  id: metric,
  metric,
  version: 1,
  statistic: "P(yes)",
  model: "test:a",
  range: [0, 1],
  direction: "higher",
});
const standing = metricNames.map(metricOf);

/** Of twelve descriptions clip-score scores the swapped ones so, vqa-score always lower. */
function outcomes(clipSwapped: (at: number) => number) {
  const rows = Array.from({ length: 12 }, (_, at) => at).flatMap((at) =>
    metricNames.map((metric) => ({
      id: `${at}`,
      prompt: `${at}`,
      metric,
      set: "outfits",
      generator: "g",
      original: 0.5,
      swapped: metric === "clip-score" ? clipSwapped(at) : 0.1,
    })),
  );
  const claim = { statement: "s", source: "t", threshold: 0, expected: "below" } as const;
  return confusionFindings(
    [
      {
        ...claim,
        quantity: { kind: "swap-failure-difference", metric: "vqa-score", than: "clip-score" },
      },
      {
        ...claim,
        expected: "above",
        threshold: 0.2,
        quantity: { kind: "swap-failure", metric: "clip-score" },
      },
    ],
    {
      standing,
      rows,
      swap: swap(rows),
      seed: 0,
      isUnreferenced: false,
      correlation: () => undefined,
      byStrategy: new Map(),
      byPart: { answerer: [], localiser: [] },
    },
  ).findings.map(({ outcome, reason }) => [outcome, reason]);
}

test("a claim about a strategy says what its answerer never learned from", () => {
  const caveats = (answerer: string) => {
    const ways = (["blurring+cropping", "none", "masking"] as const).map((strategy) => ({
      strategy,
      target: "f1" as const,
      leakage: "paper",
      answerer,
      localizer: "lab:localizer",
      metric: metricOf(strategy),
    }));
    const claims = (["none", "masking"] as const).map((than) => ({
      statement: "s",
      source: "t",
      threshold: 0,
      expected: "above" as const,
      quantity: { kind: "strategy-difference", strategy: "blurring+cropping", than } as const,
    }));
    return confusionFindings(claims, {
      standing,
      rows: [],
      swap: swap([]),
      seed: 0,
      isUnreferenced: false,
      correlation: () => undefined,
      byStrategy: new Map(ways.map(({ strategy }) => [strategy, strategy])),
      byPart: { answerer: [], localiser: [] },
      unseen: unseenLooks(ways)[0],
    }).findings.map(({ caveat }) => caveat);
  };
  expect(caveats("lab:vqa")).toEqual([
    undefined,
    "lab:vqa never learned from images shown by masking (black), so here these strategies are not compared fairly.",
  ]);
  expect(caveats("openai-compatible:gpt")).toEqual([undefined, undefined]);
});

test("who fails mostly is told from who never does", () => {
  expect(outcomes((at) => (at === 0 ? 0.2 : 0.9)).map(([outcome]) => outcome)).toEqual([
    "holds",
    "holds",
  ]);
});

test("who ties everywhere decides no claim, though it never fails", () => {
  const reason = "clip-score scores both descriptions of every image the same";
  expect(outcomes(() => 0.5 + 1e-9)).toEqual([
    ["undecided", reason],
    ["undecided", reason],
  ]);
});

test("metrics are compared on one model where the run has both with it", () => {
  const both = ["test:a", "test:b"].flatMap((model) =>
    standing.map((metric): EvaluatedMetric => ({ ...metric, id: `${metric.id} ${model}`, model })),
  );
  const others = both.map((metric) =>
    metric.metric === "clip-score" ? { ...metric, model: "test:encoder" } : metric,
  );
  const measured = (metrics: readonly EvaluatedMetric[]) => {
    const rows = metrics.map(({ id: metric }) => ({
      id: "1",
      prompt: "1",
      metric,
      set: "outfits",
      generator: "g",
      original: 0.5,
      swapped: 0.1,
    }));
    const kind = "swap-failure-difference";
    const quantity = { kind, metric: "vqa-score", than: "clip-score" } as const;
    const claim = {
      statement: "s",
      source: "t",
      threshold: 0,
      expected: "below",
      quantity,
    } as const;
    return confusionFindings([claim], {
      standing: metrics,
      rows,
      swap: swap(rows),
      seed: 0,
      isUnreferenced: false,
      correlation: () => undefined,
      byStrategy: new Map(),
      byPart: { answerer: [], localiser: [] },
    }).findings.length;
  };
  expect(measured(both)).toBe(2);
  expect(measured(others)).toBe(4);
});
