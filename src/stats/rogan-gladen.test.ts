import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type JudgedCounts,
  roganGladen,
  roganGladenInfluence,
  totalCounts,
} from "./rogan-gladen.js";

const nothing: JudgedCounts = {
  answers: 0,
  flagged: 0,
  present: 0,
  hits: 0,
  absent: 0,
  rejections: 0,
};

test("agrees with an example worked out by hand", () => {
  // (0.3 + 0.9 - 1) / (0.9 + 0.9 - 1) = 0.2 / 0.8
  const found = roganGladen({
    answers: 1000,
    flagged: 300,
    present: 50,
    hits: 45,
    absent: 100,
    rejections: 90,
  });
  expect(found.value).toBeCloseTo(0.25, 12);
  expect(found).toMatchObject({ apparent: 0.3, sensitivity: 0.9, specificity: 0.9 });
});

test("with labels from elsewhere its variance is the published one", () => {
  const repeated = (count: number, counts: Partial<JudgedCounts>) =>
    Array.from({ length: count }, () => ({ ...nothing, ...counts }));
  const influence = roganGladenInfluence([
    ...repeated(300, { answers: 1, flagged: 1 }),
    ...repeated(700, { answers: 1 }),
    ...repeated(45, { present: 1, hits: 1 }),
    ...repeated(5, { present: 1 }),
    ...repeated(90, { absent: 1, rejections: 1 }),
    ...repeated(10, { absent: 1 }),
  ]);
  // 0.3 0.7 / 1000 + 0.25^2 0.9 0.1 / 50 + 0.75^2 0.9 0.1 / 100, over 0.8^2
  const variance = (0.00021 + 0.0001125 + 0.00050625) / 0.64;
  expect(influence.reduce((sum, each) => sum + each ** 2, 0)).toBeCloseTo(variance, 12);
  expect(influence.reduce((sum, each) => sum + each, 0)).toBeCloseTo(0, 12);
});

const rate = fc.double({ min: 0.02, max: 0.98, noNaN: true });

test("finds the share back from a judge whose errors it knows", () => {
  fc.assert(
    fc.property(rate, rate, rate, (share, sensitivity, specificity) => {
      fc.pre(sensitivity + specificity > 1.02);
      const found = roganGladen({
        answers: 1,
        flagged: share * sensitivity + (1 - share) * (1 - specificity),
        present: 1,
        hits: sensitivity,
        absent: 1,
        rejections: specificity,
      });
      expect(found.value).toBeCloseTo(share, 9);
    }),
  );
});

test("a judge without errors is left as it is", () => {
  fc.assert(
    fc.property(rate, (flagged) => {
      const perfect = { answers: 1, flagged, present: 3, hits: 3, absent: 5, rejections: 5 };
      expect(roganGladen(perfect).value).toBeCloseTo(flagged, 12);
    }),
  );
});

test("a judge no better than chance, or a kind without a label, defines nothing", () => {
  const counts = { answers: 10, flagged: 4, present: 10, hits: 3, absent: 10, rejections: 7 };
  expect(roganGladen(counts).value).toBeNaN();
  expect(roganGladen({ ...counts, rejections: 6 }).raw).toBeNaN();
  expect(roganGladen({ ...counts, hits: 0, present: 0 }).value).toBeNaN();
  expect(roganGladen({ ...counts, rejections: 0, absent: 0, hits: 9 }).value).toBeNaN();
  expect(roganGladen(nothing).value).toBeNaN();
});

test("what lies beyond the ends is cut there and still told", () => {
  const counts = { answers: 100, present: 10, hits: 9, absent: 10, rejections: 8 };
  const none = roganGladen({ ...counts, flagged: 5 });
  expect(none.value).toBe(0);
  expect(none.raw).toBeCloseTo(-0.15 / 0.7, 12);
  const all = roganGladen({ ...counts, flagged: 97 });
  expect(all.value).toBe(1);
  expect(all.raw).toBeCloseTo(0.77 / 0.7, 12);
});

test("the influence of a cluster is how far the share moves with its weight", () => {
  const count = fc.integer({ min: 1, max: 40 });
  const cluster = fc
    .tuple(count, count, count, fc.double({ min: 0.6, max: 0.95, noNaN: true }))
    .map(([answers, present, absent, right]) => ({
      answers,
      flagged: answers * (1 - right),
      present,
      absent,
      hits: present * right,
      rejections: absent * right,
    }));
  fc.assert(
    fc.property(fc.array(cluster, { minLength: 2, maxLength: 6 }), (clusters) => {
      const influence = roganGladenInfluence(clusters);
      const step = 1e-6;
      clusters.forEach((_, at) => {
        const more = clusters.map((__, other) => (other === at ? 1 + step : 1));
        const less = clusters.map((__, other) => (other === at ? 1 - step : 1));
        const slope =
          (roganGladen(totalCounts(clusters, more)).raw -
            roganGladen(totalCounts(clusters, less)).raw) /
          (2 * step);
        expect(influence[at]).toBeCloseTo(slope, 5);
      });
    }),
  );
});
