import { expect, test } from "vitest";
import { type MetricVerdictInput, verdict } from "./verdict.js";

const estimate = (value: number, low: number, high: number) => ({ value, low, high });
const undefinedEstimate = { value: null, low: null, high: null, reason: "no scored pair" };

function metric(
  name: string,
  rates: { triplets: readonly [number, number, number]; effect: readonly [number, number, number] },
  more: { ties?: number; unscored?: number } = {},
): MetricVerdictInput {
  const { ties = 0, unscored = 0 } = more;
  return {
    name,
    triplets: { n: 900, ties, unscored, failureRate: estimate(...rates.triplets) },
    controls: { n: 1800, ties: 0, unscored: 0, failureRate: estimate(0.07, 0.05, 0.09) },
    effect: estimate(...rates.effect),
  };
}

const clip = metric("clip-score with a", {
  triplets: [0.312, 0.27, 0.352],
  effect: [0.242, 0.2, 0.284],
});
const vqa = metric("vqa-score with b", {
  triplets: [0.09, 0.071, 0.11],
  effect: [0.013, -0.011, 0.036],
});

test("one metric clearly better: the first sentence names both, their rates and the control", () => {
  const difference = estimate(-0.22, -0.27, -0.18);
  const [first, ...others] = verdict({
    metrics: [vqa, clip],
    differences: [{ metric: vqa.name, than: clip.name, difference }],
  });
  expect(first).toBe(
    "clip-score with a prefers the typical wrong image in 31.2 % [27.0, 35.2] of 900 triplets " +
      "(7.0 % of controls); trust vqa-score with b more.",
  );
  expect(first?.split(" ").length).toBeLessThanOrEqual(25);
  expect(others).toEqual([
    "Where neither image is the more typical, clip-score with a fails in 7.0 % [5.0, 9.0] of the 1,800 controls; " +
      "of the triplets vqa-score with b fails in 9.0 % [7.1, 11.0].",
    "A typical wrong image raises the failure rate of clip-score with a by 24.2 points [20.0, 28.4] over " +
      "its controls.",
    "The effect of prototypicality is not significant for vqa-score with b (1.3 points " +
      "[−1.1, 3.6]).",
  ]);
});

test("who prefers what is atypical is not to be trusted for failing no triplet", () => {
  const opposite: MetricVerdictInput = {
    ...metric("turned with c", { triplets: [0, 0, 0.01], effect: [-0.07, -0.09, -0.05] }),
    reversed: { n: 900, ties: 0, unscored: 0, failureRate: estimate(0.53, 0.49, 0.57) },
    reversedEffect: estimate(0.46, 0.42, 0.5),
  };
  const differences = [clip, opposite].map(({ name }) => ({
    metric: name,
    than: vqa.name,
    difference: estimate(0.2, 0.15, 0.25),
  }));
  const sentences = verdict({ metrics: [clip, vqa, opposite], differences });
  expect(sentences[0]).toContain("trust vqa-score with b more");
  expect(sentences).toContain(
    "turned with c has the opposite prejudice: it prefers the atypical wrong image in " +
      "53.0 % [49.0, 57.0] of 900 reversed conflicts.",
  );
  // A few points more than the controls are no prejudice.
  const slight = { ...opposite, reversedEffect: estimate(0.02, 0.01, 0.03) };
  expect(verdict({ metrics: [clip, vqa, slight], differences: [] }).join(" ")).not.toContain(
    "opposite",
  );
});

test("of several domains: that they are pooled, and the rates with equal weight for each", () => {
  const metrics = [
    { ...clip, macroFailureRate: estimate(0.28, 0.2, 0.3) },
    { ...vqa, macroFailureRate: { ...undefinedEstimate, reason: "no scored rows in objects" } },
  ];
  const [, , third] = verdict({ metrics, domains: ["animals", "objects"], differences: [] });
  expect(third).toBe(
    "Rates pool the triplets of animals and objects; with equal weight for each domain: clip-score with a " +
      "28.0 % and vqa-score with b undefined (no scored rows in objects).",
  );
  const one = verdict({ metrics, domains: ["animals"], differences: [] }).join(" ");
  expect(one).not.toMatch(/pool|equal weight/);
});

test("an interval that holds zero, or no comparison at all: the data can't tell", () => {
  const difference = estimate(0.22, 0, 0.4);
  const compared = { metrics: [clip, vqa], differences: [] };
  const words = "; indistinguishable from vqa-score with b.";
  expect(verdict(compared)[0]).toContain(words);
  const differences = [{ metric: clip.name, than: vqa.name, difference }];
  expect(verdict({ ...compared, differences })[0]).toContain(words);
  expect(verdict({ ...compared, differences }).join(" ")).not.toContain("trust");
});

test("an exact test that does not agree with an interval: the data can't tell", () => {
  const compared = { metric: clip.name, than: vqa.name, difference: estimate(0.13, 0.03, 0.26) };
  const said = (isTold: boolean) =>
    verdict({
      metrics: [{ ...clip, isEffectTold: isTold }, vqa],
      differences: [{ ...compared, isTold }],
    }).join(" ");
  expect(said(true)).toContain("trust vqa-score with b more");
  expect(said(true)).toContain("raises the failure rate of clip-score with a by 24.2 points");
  expect(said(false)).toContain("indistinguishable from vqa-score with b");
  expect(said(false)).toContain(
    "clip-score with a fails in 31.2 % [27.0, 35.2] of 900 triplets, not measurably more than in controls (7.0 %)",
  );
  expect(said(false)).not.toMatch(/trust|raises|prefers/);
  expect(said(false)).toContain("is not significant for clip-score with a (24.2 points");
});

test("of three, the best two that can't be told apart are named", () => {
  const third = metric("vqa-score with c", {
    triplets: [0.1, 0.08, 0.12],
    effect: [0.03, 0.01, 0.05],
  });
  const clear = estimate(0.2, 0.15, 0.25);
  const sentences = verdict({
    metrics: [third, vqa, clip],
    differences: [
      { metric: clip.name, than: vqa.name, difference: clear },
      { metric: third.name, than: vqa.name, difference: estimate(0.01, -0.02, 0.04) },
    ],
  });
  expect(sentences[0]).toContain("trust vqa-score with b more");
  expect(sentences[2]).toBe("These data can't tell vqa-score with b and vqa-score with c apart.");
});

test("none and all are words, with the bound that their intervals can't give", () => {
  const never = metric("never", { triplets: [0, 0, 0], effect: [0, 0, 0] });
  const always = metric("always", { triplets: [1, 1, 1], effect: [0.93, 0.91, 0.95] });
  const none = { ...never.controls, failureRate: estimate(0, 0, 0) };
  const difference = estimate(1, 1, 1);
  const sentences = verdict({
    metrics: [{ ...never, controls: none }, always],
    differences: [{ metric: "always", than: "never", difference }],
  });
  expect(sentences[0]).toBe(
    "always prefers the typical wrong image in all of 900 triplets (7.0 % of controls); trust never more.",
  );
  expect(sentences[1]).toContain("of the triplets never fails in none.");
  const bounded = { ...estimate(0, 0, 0), oneSided: { low: 0, high: 0.00994 } };
  const triplets = { ...never.triplets, failureRate: bounded };
  expect(verdict({ metrics: [{ ...never, triplets }, always], differences: [] })[1]).toContain(
    "of the triplets never fails in none (at most 1.0 % at 95 % confidence).",
  );
  const every = { ...estimate(1, 1, 1), oneSided: { low: 0.717, high: 1 } };
  const all = { ...always.triplets, n: 18, failureRate: every };
  const controls = { ...always.controls, failureRate: estimate(1, 1, 1) };
  const both = metric("both", { triplets: [1, 1, 1], effect: [0, 0, 0] });
  expect(verdict({ metrics: [{ ...both, triplets: all, controls }], differences: [] })).toEqual([
    "both fails in all of 18 triplets (at least 71.7 % at 95 % confidence), not measurably more than " +
      "in controls (100.0 %).",
    "Where neither image is the more typical, both fails in all of the 1,800 controls.",
    "The effect of prototypicality is not significant for both (all fail in both).",
  ]);
  expect(verdict({ metrics: [{ ...never, controls: none }], differences: [] })).toEqual([
    "never fails in none of 900 triplets, and in none of the 1,800 controls.",
    "The effect of prototypicality is not significant for never (no failure in triplets or controls).",
  ]);
});

test("metrics of whose effect nothing can be told share a sentence", () => {
  const other = metric("other", { triplets: [0.08, 0.06, 0.1], effect: [0.01, -0.02, 0.04] });
  const sentences = verdict({ metrics: [vqa, other], differences: [] });
  expect(sentences.at(-1)).toBe(
    "The effect of prototypicality is not significant for vqa-score with b (1.3 points " +
      "[−1.1, 3.6]) and other (1.0 points [−2.0, 4.0]).",
  );
});

test("a metric that fails less in triplets is told so", () => {
  const odd = metric("odd", { triplets: [0.4, 0.35, 0.45], effect: [-0.12, -0.17, -0.07] });
  const sentences = verdict({ metrics: [odd], differences: [] });
  expect(sentences[0]).not.toContain(";");
  expect(sentences[2]).toBe(
    "odd fails less often in triplets than in controls: −12.0 points [−17.0, −7.0].",
  );
});

test("ties that matter and unscored triplets are said", () => {
  const coarse = metric(
    "coarse",
    { triplets: [0.47, 0.44, 0.5], effect: [0.1, 0.05, 0.15] },
    { ties: 300, unscored: 12 },
  );
  const sentences = verdict({ metrics: [coarse], differences: [] });
  expect(sentences[0]).toContain("prefers the typical wrong image in 47.0 %");
  expect(sentences[1]).toContain("300 ties of coarse count as failures; where neither");
  expect(sentences.at(-1)).toBe(
    "coarse has no score for 12 of 912 triplets; they are excluded above.",
  );
});

test("nothing scored: no verdict, and a missing control is not a zero", () => {
  const empty = { n: 0, ties: 0, unscored: 40, failureRate: undefinedEstimate };
  const unanswered = { name: "mute", triplets: empty, controls: empty, effect: undefinedEstimate };
  expect(verdict({ metrics: [unanswered], differences: [] })).toEqual([
    "Nothing can be concluded: no triplet has scores for both of its images (unscored: 40 by mute).",
  ]);
  expect(verdict({ metrics: [], differences: [] })).toEqual([
    "Nothing can be concluded: no triplet has scores for both of its images; score the images first.",
  ]);
  const alone = { ...clip, controls: empty, effect: undefinedEstimate };
  const sentences = verdict({ metrics: [alone], differences: [] });
  expect(sentences[0]).toContain("of 900 triplets; no control was scored to compare with.");
  expect(sentences[1]).toBe(
    "What prototypicality does to clip-score with a can't be said: no scored pair.",
  );
});
