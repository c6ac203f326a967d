import fc from "fast-check";
import { expect, test } from "vitest";
import type { AttributeRow } from "./attributed-images.js";
import { attributes } from "./attributes.js";

/** "IMAGE ENTITY ATTRIBUTE KIND PROBABILITY", r or l, "-" for no answer. */
const row = (text: string): AttributeRow => {
  const [image = "", entity = "", attribute = "", kind, probability] = text.split(" ");
  return {
    image,
    entity,
    attribute,
    kind: kind === "r" ? "reflection" : "leakage",
    probability: probability === "-" ? null : Number(probability),
  };
};
const quick = { resamples: 100 };

test("two images by hand", () => {
  const found = attributes(
    [
      // tp 2, fp 1, tn 1, fn 0: precision 2/3, recall 1, F1 4/5.
      ...["a shirt striped r .9", "a skirt dotted r .5", "a shirt dotted l .7"],
      "a skirt striped l .1",
      // tp 1, fp 0, tn 1, fn 1: precision 1, recall 1/2, F1 2/3.
      ...["b shirt plaid r .8", "b skirt plain r .2", "b shirt plain l .4"],
    ].map(row),
    quick,
  );
  expect(found.pooled).toEqual({
    tp: 3,
    fp: 1,
    tn: 2,
    fn: 1,
    unscored: 0,
    precision: 0.75,
    recall: 0.75,
    f1: 0.75,
  });
  expect(found.imageMean.precision).toBeCloseTo(5 / 6, 12);
  expect(found.imageMean.recall).toBeCloseTo(3 / 4, 12);
  expect(found.imageMean.f1).toBeCloseTo((4 / 5 + 2 / 3) / 2, 12);
  expect(found.imageMean.n).toEqual({ precision: 2, recall: 2, f1: 2 });
  expect(found.images.map(({ image, f1 }) => [image, f1])).toEqual([
    ["a", 4 / 5],
    ["b", 2 / 3],
  ]);
  expect(found).toMatchObject({ threshold: 0.5, n: 7, unscored: 0, leftOut: 0 });
  expect(found.bounds).toEqual({ low: 0.75, high: 0.75 });
  expect(found.intervals).toMatchObject({ clusteredBy: "image", clusters: 2 });
  // Resamples are a twice, b twice or both: F1 4/5, 2/3 or 3/4.
  const { low, high } = found.intervalsOf.pooled.f1;
  expect([low, high]).toEqual([2 / 3, 4 / 5]);
});

test("an image with an unscored question leaves every number but the bounds", () => {
  const found = attributes(
    ["a x p r 1", "a y p l 0", "b x q r -", "b y q l -", "b y r r 1", "c x p r 0"].map(row),
    quick,
  );
  expect(found.pooled).toMatchObject({ tp: 1, fp: 0, tn: 1, fn: 1, unscored: 1, f1: 2 / 3 });
  expect(found.imageMean.n).toEqual({ precision: 1, recall: 2, f1: 2 });
  expect(found).toMatchObject({ n: 3, unscored: 2, leftOut: 1 });
  expect(found.images[1]).toMatchObject({ image: "b", unscored: 2, f1: null, tp: 1 });
  // Answered wrongly: tp 2, fp 1, fn 2; rightly: tp 3, fp 0, fn 1.
  expect(found.bounds).toEqual({ low: 4 / 7, high: 6 / 7 });
  expect(found.warnings.join("\n")).toContain(
    "2 questions are unscored: 1 of 3 images is excluded",
  );
  expect(found.warnings.join("\n")).toContain("precision is undefined for 1 of 2 images");
});

test("what counts twice is dropped and counted; the first answer stays", () => {
  const found = attributes(
    ["a x p r .9", "a x p r .9", "a x p l .9", "a y p l .8", "a y p l .2"].map(row),
    quick,
  );
  expect(found.pooled).toMatchObject({ tp: 1, fp: 1, tn: 0, fn: 0 });
  expect(found.dropped).toEqual({ duplicates: 2, shared: 1 });
  expect(found.warnings.join("\n")).toContain("1 of them has another answer, and the first counts");
});

test("names that differ in capitals or spaces alone are told", () => {
  const asked = (entity: string, attribute: string, image = "1") =>
    ({ image, entity, attribute, kind: "reflection", probability: 0.9 }) as const;
  const found = attributes(
    [asked("skirt", "red"), asked("skirt ", "blue"), asked("shirt", "Red"), asked("a  b", "blue")],
    quick,
  );
  expect(found.warnings[0]).toBe(
    '"skirt" and "skirt " differ in capitals or spaces alone and count as different names, as do 1 more',
  );
  expect(attributes([asked("skirt", "red")], quick).warnings.join()).not.toContain("capitals");
});

test("undefined is null with a reason; a perfect score has a bound", () => {
  const silent = attributes(["a x p r .1", "b x p r .2", "b y p l .3"].map(row), quick);
  expect(silent.pooled).toMatchObject({ precision: null, recall: 0, f1: 0 });
  expect(silent.intervalsOf.pooled.precision).toEqual({
    value: null,
    low: null,
    high: null,
    reason: "no question was answered yes",
  });
  expect(silent.intervalsOf.pooled.f1.oneSided?.high).toBeCloseTo(1 - 0.05 ** (1 / 2), 12);
  const none = attributes(["a x p r -"].map(row), quick);
  expect(none.pooled).toMatchObject({ precision: null, recall: null, f1: null, unscored: 1 });
  expect(none.intervalsOf.imageMean.f1.reason).toBe("every image has an unscored question");
  expect(none.bounds).toEqual({ low: 0, high: 1 });
  const one = attributes(["a x p r 1", "a y p l 1"].map(row), quick);
  expect(one.intervalsOf.pooled.f1).toMatchObject({
    value: 2 / 3,
    low: null,
    high: null,
    reason: "no interval from one image",
  });
});

test("images of a prompt are drawn together, and have one", () => {
  const rows = ["a x p r 1", "b x p r 0", "c x p r 1", "c y p l 1"].map(row);
  const prompted = rows.map((each) => ({ ...each, prompt: each.image === "c" ? "two" : "one" }));
  const { intervals, intervalsOf } = attributes(prompted, quick);
  expect(intervals).toMatchObject({ clusteredBy: "prompt", clusters: 2 });
  // Prompt one twice has recall 1/2, two twice 1.
  expect(intervalsOf.pooled.recall).toMatchObject({ low: 0.5, high: 1 });
  const [first] = prompted;
  const other = { ...row("a z q r 1"), prompt: "three" };
  expect(() => attributes([...(first ? [first] : []), other])).toThrow('one prompt for image "a"');
});

test("answers of several annotators count each, and an image's are drawn together", () => {
  const asked = (annotator: string, probability: number | null): AttributeRow => ({
    ...row("a x p r 1"),
    annotator,
    probability,
  });
  const { pooled, images, dropped, intervals } = attributes(
    [asked("one", 1), asked("two", 0), asked("three", null), asked("one", 1)],
    quick,
  );
  expect(pooled).toMatchObject({ tp: 1, fn: 1, recall: 0.5, unscored: 1 });
  expect(images.map(({ annotator }) => annotator)).toEqual(["one", "three", "two"]);
  expect(dropped.duplicates).toBe(1);
  expect(intervals.clusters).toBe(1);
});

const anyRow = fc
  .record({
    image: fc.constantFrom("a", "b", "c", "d"),
    entity: fc.constantFrom("x", "y"),
    attribute: fc.constantFrom("p", "q", "r"),
    kind: fc.constantFrom("reflection" as const, "leakage" as const),
    probability: fc.option(fc.constantFrom(0, 0.3, 0.5, 0.9), { freq: 9 }),
  })
  // Equal questions agree, so that none of them need be the first.
  .map(({ probability, ...question }) => ({ question, probability }));
const anyRows = fc.array(anyRow, { minLength: 1, maxLength: 40 }).map((all) => {
  const first = new Map<string, number | null>();
  return all.map(({ question, probability }): AttributeRow => {
    const key = JSON.stringify(question);
    if (!first.has(key)) first.set(key, probability);
    return { ...question, probability: first.get(key) ?? null };
  });
});

test("every row is accounted for; order and repetition change no number; bounds hold", () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const found = attributes(rows, quick);
      const { n, unscored, leftOut, dropped, pooled, bounds } = found;
      expect(n + unscored + leftOut + dropped.duplicates + dropped.shared).toBe(rows.length);
      expect(pooled.tp + pooled.fp + pooled.tn + pooled.fn).toBe(n);
      for (const of of [found.intervalsOf.pooled, found.intervalsOf.imageMean]) {
        for (const { value, low, high } of Object.values(of)) {
          if (low === null || high === null) continue;
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
          expect(low).toBeLessThanOrEqual(high);
        }
      }
      if (bounds.low !== null && bounds.high !== null) {
        expect(bounds.low).toBeLessThanOrEqual(bounds.high);
      }
      if (unscored === 0) expect(bounds).toEqual({ low: pooled.f1, high: pooled.f1 });
      expect(attributes([...rows].reverse(), quick)).toEqual(found);
      const { dropped: more, warnings, ...doubled } = attributes([...rows, ...rows], quick);
      expect(more.duplicates + more.shared).toBe(rows.length + dropped.duplicates + dropped.shared);
      expect(found).toMatchObject(doubled);
    }),
    { numRuns: 60 },
  );
});
