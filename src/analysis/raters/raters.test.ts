import { expect, test } from "vitest";
import { randomFrom } from "../../core/random.js";
import { textColumn } from "../../core/text-column.js";
import { digamma } from "../../stats/elementary/logarithm.js";
import { ratersOf } from "./raters.js";

type Row = readonly [item: string, annotator: string, value: string | undefined, seconds?: number];

const columnsOf = (rows: readonly Row[]) => ({
  item: textColumn(rows.map(([item]) => item)),
  annotator: textColumn(rows.map(([, annotator]) => annotator)),
  value: textColumn(rows.map(([, , value]) => value)),
  seconds: Float64Array.from(rows, ([, , , seconds]) => seconds ?? Number.NaN),
});

/** Raters who are right with some probability, and their answers to 200 items of three categories. */
function planted(accuracies: Readonly<Record<string, number>>, items = 200) {
  const random = randomFrom("planted raters", items);
  const truth = Array.from({ length: items }, () => random.pick(["a", "b", "c"]));
  const rows = truth.flatMap((right, item) =>
    Object.entries(accuracies).map(([rater, accuracy]): Row => {
      const others = ["a", "b", "c"].filter((word) => word !== right);
      return [`item ${item}`, rater, random.chance(accuracy) ? right : random.pick(others), 8];
    }),
  );
  return { truth, rows, random };
}

const honest = { ada: 0.9, ben: 0.85, cleo: 0.8, dan: 0.7 };

test("spammers, an adversary, a copier and one who is fast are told, and answers are nearer to the truth", () => {
  const { truth, rows, random } = planted({
    ...honest,
    adversary: 0.05,
    spammer: 1 / 3,
  });
  const of = (rater: string) => rows.filter(([, who]) => who === rater);
  const copied = of("dan").map(([item, , value]): Row => {
    return [item, "copier", random.chance(0.99) ? value : "a", 8];
  });
  const constant = truth.map((_, item): Row => [`item ${item}`, "constant", "b", 1]);
  const found = ratersOf(columnsOf([...rows, ...copied, ...constant]), { resamples: 50 });
  const named = (is: (one: (typeof found.raters)[string]) => boolean | undefined) =>
    Object.keys(found.raters).filter((name) => is(found.raters[name] ?? never()));
  expect(named(({ worseThanGuessing }) => worseThanGuessing)).toEqual(["adversary"]);
  expect(named((one) => !one.betterThanGuessing)).toEqual(["adversary", "constant", "spammer"]);
  expect(named(({ copies }) => copies !== undefined)).toEqual(["copier", "dan"]);
  expect(named(({ fastAndConstant }) => fastAndConstant)).toEqual(["constant"]);
  expect(found.without?.raters).toEqual(["adversary", "constant", "copier", "dan"]);
  const right = (answer: (item: number) => string | null | undefined) =>
    truth.filter((word, item) => answer(item) === word).length;
  const answers = (item: number) => found.answers[`item ${item}`];
  expect(right((item) => answers(item)?.value)).toBeGreaterThan(
    right((item) => answers(item)?.majority),
  );
  const adas = of("ada").filter(([, , value], at) => value === truth[at]).length / truth.length;
  expect(found.raters.ada?.reliability.value).toBeCloseTo(adas, 1);
  // Errors of honest raters are spread evenly: a matrix for each rater foretells no better than it must.
  expect(found.model).not.toBe("majority");
});

test("a rater who is copied looks no more reliable for it", () => {
  const { truth, rows } = planted({ ...honest, eve: 0.75 });
  const dans = rows.filter(([, who]) => who === "dan");
  const copies = dans.map(([item, , value]): Row => [item, "copier", value]);
  const found = ratersOf(columnsOf([...rows, ...copies]), { resamples: 50 });
  const right = dans.filter(([, , value], at) => value === truth[at]).length / truth.length;
  expect(Math.abs((found.raters.dan?.reliability.value ?? 0) - right)).toBeLessThan(0.05);
  expect(found.warnings).toEqual(["copier and dan answer so alike that they share one vote"]);
});

const never = (): never => {
  throw new Error("no such rater");
};

test("where all raters are alike the majority is as good, and nobody is accused", () => {
  const { rows } = planted({ a: 0.8, b: 0.8, c: 0.8, d: 0.8 }, 60);
  const found = ratersOf(columnsOf(rows), { resamples: 50 });
  const raters = Object.values(found.raters);
  expect(raters.some((one) => one.worseThanGuessing || one.copies !== undefined)).toBe(false);
  expect(found.without).toBeUndefined();
  expect(found.changed).toBeLessThan(6);
});

test("ordered categories: a rater who is one too high every time is known, and does not move the answers", () => {
  const random = randomFrom("shifted raters");
  const truth = Array.from({ length: 150 }, () => 1 + random.integer(4));
  const rows = truth.flatMap((right, item) =>
    Object.entries({ ada: 0, ben: 0, cleo: 0, strict: 1 }).map(([rater, shift]): Row => {
      const error = random.chance(0.75) ? 0 : random.pick([-1, 1]);
      const value = Math.max(1, Math.min(5, right + shift + error));
      return [`${item}`, rater, String(value)];
    }),
  );
  const found = ratersOf(columnsOf(rows), { model: "ordinal", resamples: 50 });
  const reliability = (name: string) => found.raters[name]?.reliability.value ?? 0;
  expect(reliability("strict")).toBeLessThan(0.5);
  expect(reliability("ada")).toBeGreaterThan(0.65);
  const right = truth.filter((value, item) => found.answers[`${item}`]?.value === String(value));
  expect(right.length / truth.length).toBeGreaterThan(0.85);
});

test("without an annotator, with one category or with an unknown one nothing is concluded", () => {
  const rows: Row[] = [
    ["1", "ada", "yes"],
    ["1", "ben", "no"],
  ];
  expect(() =>
    ratersOf({ ...columnsOf(rows), annotator: textColumn([undefined, undefined]) }),
  ).toThrow('received none for item "1"');
  expect(() => ratersOf(columnsOf(rows.slice(0, 1)))).toThrow('received only "yes"');
  expect(() => ratersOf(columnsOf(rows), { categories: ["no", "maybe"] })).toThrow('"yes"');
  expect(() => ratersOf(columnsOf(rows), { model: "ordinal" })).toThrow("three or more categories");
  const two = ratersOf(columnsOf(rows), { resamples: 50 });
  expect(two.answers["1"]).toMatchObject({ probability: 0.5, majority: null });
  expect(two.warnings).toEqual(["of two raters who differ, nothing says which one is right"]);
});

test("digamma is that of tables", () => {
  // Abramowitz and Stegun, table 6.1; psi(1/2) = -gamma - 2 log 2.
  expect(digamma(1)).toBeCloseTo(-0.5772156649015329, 12);
  expect(digamma(0.5)).toBeCloseTo(-1.9635100260214235, 12);
  expect(digamma(10)).toBeCloseTo(2.251752589066721, 12);
});
