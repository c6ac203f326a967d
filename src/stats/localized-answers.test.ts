import fc from "fast-check";
import { expect, test } from "vitest";
import { type LocalizedCounts, localizedCounts, localizedScore } from "./localized-answers.js";
import { f1Score } from "./threshold-measures.js";

const localizedScores = (counts: LocalizedCounts) => ({
  precision: localizedScore("precision", counts),
  recall: localizedScore("recall", counts),
  f1: localizedScore("f1", counts),
});

test("by hand: a striped shirt whose stripes are on the trousers, too", () => {
  // Two of three own attributes found, one of two others leaked.
  const counts = localizedCounts({ reflection: [0.9, 0.5, 0.2], leakage: [0.7, 0.1] });
  expect(counts).toEqual({ tp: 2, fp: 1, tn: 1, fn: 1 });
  const strict = localizedCounts({ reflection: [0.9, 0.5], leakage: [0.7], threshold: 0.8 });
  expect(strict).toEqual({ tp: 1, fp: 0, tn: 1, fn: 1 });
  expect(localizedScores(strict)).toEqual({ precision: 1, recall: 0.5, f1: 2 / 3 });
});

test("what is 0 / 0 is NaN, and F1 is 0 where nothing right was found", () => {
  const scores = (tp: number, fp: number, fn: number) => localizedScores({ tp, fp, tn: 1, fn });
  expect(scores(0, 0, 2)).toEqual({ precision: NaN, recall: 0, f1: 0 });
  expect(scores(0, 2, 0)).toEqual({ precision: 0, recall: NaN, f1: 0 });
  expect(scores(0, 0, 0)).toEqual({ precision: NaN, recall: NaN, f1: NaN });
});

const answers = fc.array(fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10));

test("counts add up, F1 is that of labels, and asking twice changes no share", () => {
  fc.assert(
    fc.property(answers, answers, (reflection, leakage) => {
      const counts = localizedCounts({ reflection, leakage });
      expect(counts.tp + counts.fn).toBe(reflection.length);
      expect(counts.fp + counts.tn).toBe(leakage.length);
      const scores = localizedScores(counts);
      for (const score of Object.values(scores)) {
        expect(Number.isNaN(score) || (score >= 0 && score <= 1)).toBe(true);
      }
      const all = [...reflection, ...leakage];
      const labels = all.map((_, at) => Number(at < reflection.length));
      expect(scores.f1).toBe(
        f1Score(
          labels,
          all.map((probability) => Number(probability >= 0.5)),
        ),
      );
      const doubled = localizedCounts({
        reflection: [...reflection, ...reflection].reverse(),
        leakage: [...leakage, ...leakage].reverse(),
      });
      expect(localizedScores(doubled)).toEqual(scores);
    }),
  );
});
