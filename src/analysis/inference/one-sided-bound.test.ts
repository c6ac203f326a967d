import { expect, test } from "vitest";
import { contrastive } from "../pairs/contrastive.js";
import { prototypicalityEffect } from "../pairs/prototypicality-effect.js";

/** Pairs of ten prompts about animals and of thirty about objects; `fails` says which fail. */
const rowsWhere = (fails: (domain: string) => boolean) =>
  Array.from({ length: 80 }, (_, at) => {
    const domain = at < 20 ? "animals" : "objects";
    return {
      id: String(at),
      metric: "m",
      domain,
      prompt: `prompt ${Math.floor(at / 2)}`,
      correct: 0.5,
      adversarial: fails(domain) ? 0.6 : 0.4,
    };
  });
const conclude = (fails: (domain: string) => boolean) => {
  const { m } = contrastive(rowsWhere(fails), { resamples: 10 }).metrics;
  if (m === undefined) throw new Error("no metric m");
  return m;
};
const afterNone = (prompts: number) => -Math.expm1(Math.log(0.05) / prompts);

test("of none, the bound counts prompts, and the bootstrap interval stays as it is", () => {
  const { overall, macro, domains } = conclude(() => false);
  expect(overall.failureRate).toMatchObject({ value: 0, low: 0, high: 0 });
  expect(overall.failureRate.oneSided).toEqual({ low: 0, high: afterNone(40) });
  expect(overall.strictFailureRate.oneSided).toEqual({ low: 0, high: afterNone(40) });
  expect(domains.animals?.failureRate.oneSided?.high).toBe(afterNone(10));
  expect(macro.failureRate.oneSided?.high).toBe(afterNone(2 * 10));
});

test("of all, it is the same from the other end; between the ends there is none", () => {
  expect(conclude(() => true).overall.failureRate.oneSided).toEqual({
    low: 1 - afterNone(40),
    high: 1,
  });
  const { overall, domains } = conclude((domain) => domain === "animals");
  expect(overall.failureRate).not.toHaveProperty("oneSided");
  expect(domains.objects?.failureRate.oneSided).toEqual({ low: 0, high: afterNone(30) });
});

test("a difference between none and none reaches as far as both", () => {
  const rows = (["contrastive", "control-atypical"] as const).flatMap((comparison) =>
    rowsWhere(() => false)
      .slice(0, comparison === "contrastive" ? 80 : 40)
      .map((row) => ({ ...row, id: `${comparison} ${row.id}`, knob: "count", comparison })),
  );
  const { m } = prototypicalityEffect(rows, { resamples: 10 }).metrics;
  expect(m?.overall.effect).toEqual({
    value: 0,
    low: 0,
    high: 0,
    oneSided: { low: -afterNone(20), high: afterNone(40) },
  });
  expect(m?.overall.effectOverTypical).not.toHaveProperty("oneSided");
});
