import fc from "fast-check";
import { describe, expect, test } from "vitest";
import fits from "../../stats/bradley-terry-reference.json" with { type: "json" };
import type { PreferenceRow } from "./preference-cells.js";
import { type PreferenceConclusion, preferences } from "./preferences.js";
import reference from "./preferences-reference.json" with { type: "json" };

const quick = { resamples: 100 };
const preferredOf = (word: unknown) => (word === "a" || word === "b" ? word : "tie");

describe("numbers from elsewhere", () => {
  const { expected } = reference;
  const rows = reference.rows.map(
    ([a = "", b = "", preferred, prompt, annotator]): PreferenceRow => ({
      a,
      b,
      preferred: preferredOf(preferred),
      prompt,
      annotator,
    }),
  );
  const found = preferences(rows, quick);

  test("strengths, by either model of ties", () => {
    const davidson = preferences(rows, { ...quick, ties: "davidson" });
    for (const [name, strength] of Object.entries(expected.strength)) {
      expect(found.models[name]?.strength.value).toBeCloseTo(strength, 6);
    }
    for (const [name, strength] of Object.entries(expected.davidson.strength)) {
      expect(davidson.models[name]?.strength.value).toBeCloseTo(strength, 4);
    }
    expect(davidson.nu).toBeCloseTo(expected.davidson.nu, 4);
  });

  test("counts, win rates and how often the first shown was preferred", () => {
    expect(found).toMatchObject({ n: expected.n, ties: expected.ties, unscored: 0 });
    for (const [name, wins] of Object.entries(expected.wins)) {
      expect(found.models[name]).toMatchObject({ wins });
    }
    for (const [name, losses] of Object.entries(expected.losses)) {
      expect(found.models[name]).toMatchObject({ losses });
    }
    const rates = Object.fromEntries(
      found.pairs.map(({ a, b, winRate }) => [`${a}>${b}`, winRate.value]),
    );
    expect(Object.keys(rates)).toEqual(Object.keys(expected.winRate));
    for (const [pair, rate] of Object.entries(expected.winRate)) {
      expect(rates[pair]).toBeCloseTo(rate, 12);
    }
    expect(found.firstShown.value).toBeCloseTo(expected.firstShown, 12);
  });

  test("two-way intervals, no narrower than over annotators or prompts alone", () => {
    const width = ({ low, high }: { readonly low: number | null; readonly high: number | null }) =>
      (high ?? 0) - (low ?? 0);
    for (const [name, variances] of Object.entries(reference.twoWay.expected)) {
      const [one, other] = name.split(" ");
      const isPair = ({ a, b }: PreferenceRow) => [a, b].sort().join(" ") === name;
      const own = one === "first" ? rows : rows.filter(isPair);
      const both = preferences(own, { cluster: "both" });
      const { two_way, annotator, prompt } = variances;
      const expected = 2 * 1.959963984540054 * Math.sqrt(Math.max(two_way, annotator, prompt));
      const estimate = one === "first" ? both.firstShown : both.pairs[0]?.winRate;
      expect(estimate?.value).toBeCloseTo(variances.value, 12);
      expect(estimate && width(estimate), `${one} ${other}`).toBeCloseTo(expected, 10);
    }
    expect(preferences(rows, { cluster: "both" }).intervals).toMatchObject({
      method: "delta",
      clusteredBy: "annotator",
      clusters: 12,
      crossedWith: { clusteredBy: "prompt", clusters: 50 },
      text: "95 % delta method over 12 annotators and 50 prompts, two-way",
    });
  });

  test("shares of a pair have two-way intervals, too", () => {
    const own = rows.filter(
      ({ a, b, preferred }) => preferred !== "tie" && a !== "m2" && b !== "m2",
    );
    const [pair] = preferences(own, { cluster: "both" }).pairs;
    expect(pair?.shares.a.low).toBeCloseTo(pair?.winRate.low ?? Number.NaN, 12);
    expect(pair?.shares.tie).toMatchObject({ value: 0, low: null });
  });

  test("what intervals are to be clustered by must be there", () => {
    const bare = rows.map(({ a, b, preferred }) => ({ a, b, preferred }));
    expect(() => preferences(bare, { cluster: "both" })).toThrow(
      "Expected two annotators or more and prompts for --cluster both",
    );
    expect(() => preferences(rows, { cluster: "both", interval: "bca" })).toThrow("--interval");
    const byPrompt = preferences(rows, { ...quick, cluster: "prompt" }).intervals;
    expect(byPrompt).toMatchObject({ clusteredBy: "prompt", clusters: 50 });
  });

  test("annotators who share prompts are warned of, unless both are allowed for", () => {
    const shared = ["w1", "w2", "w3"].flatMap((annotator) =>
      rows.slice(0, 30).map((row) => ({ ...row, annotator })),
    );
    const of = (cluster: "both" | undefined) =>
      preferences(shared, { ...quick, cluster }).warnings.join();
    expect(of(undefined)).toContain("--cluster both");
    expect(of("both")).not.toContain("--cluster both");
    const apart = rows.map((row, at) => ({ ...row, prompt: String(at) }));
    expect(preferences(apart, quick).warnings.join()).not.toContain("--cluster");
  });

  test("ranks say whose interval lies above and below", () => {
    const models = Object.values(found.models);
    for (const { strength, rank } of models) {
      const above = models.filter((one) => Number(one.strength.low) > Number(strength.high));
      const below = models.filter((one) => Number(one.strength.high) < Number(strength.low));
      expect(rank).toEqual({ best: 1 + above.length, worst: models.length - below.length });
    }
    expect(models.map(({ rank }) => rank.worst)).toContain(3);
  });
});

test.each(fits.cases)(
  "delta intervals of $models models are of errors that are robust to annotators",
  ({ models, rows, half, clusterError }) => {
    const compared = rows.map(
      ([a, b, preferred, annotator]): PreferenceRow => ({
        a: `model ${a}`,
        b: `model ${b}`,
        preferred: preferredOf(preferred),
        annotator: `person ${annotator}`,
      }),
    );
    const found = preferences(compared, { interval: "delta" });
    expect(found.intervals).toMatchObject({ method: "delta", clusteredBy: "annotator" });
    for (let model = 0; model < models; model++) {
      const { low, high } = found.models[`model ${model}`]?.strength ?? {};
      const margin = 1.959963984540054 * (clusterError[model] ?? Number.NaN);
      expect(low).toBeCloseTo((half[model] ?? Number.NaN) - margin, 6);
      expect(high).toBeCloseTo((half[model] ?? Number.NaN) + margin, 6);
    }
  },
);

const row = fc.tuple(fc.nat(3), fc.nat(2), fc.constantFrom("a", "b", "tie", null), fc.nat(7)).map(
  ([one, step, preferred, person]): PreferenceRow => ({
    a: `m${one}`,
    b: `m${(one + 1 + step) % 4}`,
    preferred,
    annotator: `p${person}`,
  }),
);
const table = fc.array(row, { minLength: 1, maxLength: 60 });
const few = { resamples: 100, prior: 0.5 };

test("showing every pair the other way round changes nothing but what the first shown is", () => {
  const turn = { a: "b", b: "a", tie: "tie" } as const;
  fc.assert(
    fc.property(table, (rows) => {
      const turned = rows.map(({ a, b, preferred, ...others }) => ({
        ...others,
        a: b,
        b: a,
        preferred: preferred && turn[preferred],
      }));
      const [one, other] = [preferences(rows, few), preferences(turned, few)];
      expect(other.models).toEqual(one.models);
      expect(other.pairs).toEqual(one.pairs);
      if (one.firstShown.value !== null) {
        expect(other.firstShown.value).toBeCloseTo(1 - one.firstShown.value, 12);
      }
    }),
    { numRuns: 30 },
  );
});

test("the order of rows changes nothing, and every comparison is a win, a loss or a tie", () => {
  fc.assert(
    fc.property(table, (rows) => {
      const found = preferences(rows, few);
      expect(preferences([...rows].reverse(), few)).toEqual(found);
      const sum = (of: (model: PreferenceConclusion["models"][string]) => number) =>
        Object.values(found.models).reduce((total, model) => total + of(model), 0);
      expect(sum(({ n }) => n)).toBe(2 * found.n);
      expect(sum(({ wins }) => wins)).toBe(sum(({ losses }) => losses));
      expect(sum(({ ties }) => ties)).toBe(2 * found.ties);
      expect(found.n + found.unscored).toBe(rows.length);
    }),
    { numRuns: 30 },
  );
});

describe("where a model never lost", () => {
  const rows = ["x", "y", "z"].flatMap((a, at, all) =>
    all.slice(at + 1).flatMap((b) =>
      Array.from({ length: 20 }, (_, prompt): PreferenceRow => {
        const isUpset = a !== "x" && prompt % 3 === 0;
        return { a, b, preferred: isUpset ? "b" : "a", prompt: String(prompt) };
      }),
    ),
  );

  test("strengths are undefined, and the reason names it; the rest is there", () => {
    const { models, pairs, firstShown } = preferences(rows, quick);
    for (const { strength, rank } of Object.values(models)) {
      expect(strength).toEqual({
        value: null,
        low: null,
        high: null,
        reason:
          "the graph of wins is not strongly connected: x never lost to another model, nor tied with one",
      });
      expect(rank).toEqual({ best: 1, worst: 3 });
    }
    expect(pairs[0]?.winRate.value).toBe(1);
    expect(firstShown.value).toBeCloseTo(53 / 60, 12);
  });

  test("a prior of some wins each way makes them finite", () => {
    const { models, prior } = preferences(rows, { ...quick, prior: 0.1 });
    expect(prior).toBe(0.1);
    expect(models.x?.strength.value).toBeGreaterThan(2);
    expect(models.x?.rank).toEqual({ best: 1, worst: 1 });
  });

  test("in many resamples, it has no interval", () => {
    const lost = rows.map((each, at) => (at === 0 ? { ...each, preferred: "b" as const } : each));
    const { strength } = preferences(lost, quick).models.x ?? {};
    expect(strength).toMatchObject({ value: expect.any(Number), low: null });
    expect(strength?.reason).toMatch(/^no interval: it is undefined in \d+\.\d % of resamples$/);
  });
});

test("annotators are drawn, else prompts, else rows; one annotator stands for nobody else", () => {
  const rows = Array.from({ length: 24 }, (_, at): PreferenceRow => {
    return { a: "x", b: "y", preferred: at % 3 === 0 ? "b" : "a" };
  });
  const by = (of: (at: number) => Partial<PreferenceRow>) =>
    preferences(
      rows.map((each, at) => ({ ...each, ...of(at) })),
      quick,
    );
  const person = (at: number) => ({ annotator: `p${at % 8}`, prompt: `q${at % 6}` });
  expect(by(person).intervals).toMatchObject({ clusteredBy: "annotator", clusters: 8 });
  expect(by((at) => ({ prompt: `q${at % 6}` })).intervals).toMatchObject({
    clusteredBy: "prompt",
    clusters: 6,
  });
  expect(by(() => ({})).intervals).toMatchObject({ clusteredBy: "row", clusters: 24 });
  const alone = by((at) => ({ annotator: "p", prompt: `q${at % 6}` }));
  expect(alone.intervals.clusteredBy).toBe("prompt");
  expect(alone.warnings).toContain(
    "all preferences are of one annotator: intervals say nothing of other people",
  );
});

test("nothing is concluded of no preference, and a model is not compared with itself", () => {
  const { n, models, firstShown } = preferences([{ a: "x", b: "y", preferred: null }], few);
  expect(n).toBe(0);
  expect(models.x?.strength).toMatchObject({ value: null, reason: "no row has a preference" });
  expect(firstShown.value).toBeNull();
  expect(() => preferences([{ a: "x", b: "x", preferred: "a" }])).toThrow(
    'Expected two models in each row but received "x" twice',
  );
});
