import { exp } from "../../stats/elementary/exponential.js";
import { log } from "../../stats/elementary/logarithm.js";
import { byConfusion, confusionCounts, normalise } from "./rater-model.js";

/** Of each rater: how far they rate too high, in categories, and the logarithm of how sharply they tell two apart. */
interface Thresholds {
  readonly shift: Float64Array;
  readonly sharpness: Float64Array;
  readonly categories: number;
}

/** Normal priors of variance 1. */
const prior = { shift: 0, sharpness: log(2) } as const;
const longestStep = 1;
const steps = 3;
const leastProbable = 1e-10;

/**
 * Ordered categories by shifted thresholds: where k is right, a rater answers at most l with probability
 * logistic(sharpness × (l + 1/2 - k - shift)), so that errors lie near the right answer and a strict or lenient rater
 * is one parameter, not a matrix (the graded model of Samejima 1969 over the latent classes of Dawid and Skene).
 * Categories are evenly spaced.
 */
export const ordinal = () =>
  byConfusion<Thresholds>({
    learnsShares: true,
    maximise(table, right, before) {
      const { raters, categories } = table;
      const counts = confusionCounts(table, right);
      const found = {
        shift: before?.shift.slice() ?? new Float64Array(raters).fill(prior.shift),
        sharpness: before?.sharpness.slice() ?? new Float64Array(raters).fill(prior.sharpness),
        categories,
      };
      for (let step = 0; step < steps; step++) climb(counts, found);
      return found;
    },
    probabilities({ shift, sharpness, categories }) {
      const found = new Float64Array(shift.length * categories * categories);
      for (let row = 0; row < found.length; row += categories) {
        const rater = Math.floor(row / (categories * categories));
        const right = (row / categories) % categories;
        const at = {
          sharpness: sharpness[rater] ?? 0,
          middle: right + (shift[rater] ?? 0),
          categories,
        };
        for (let label = 0; label < categories; label++) {
          const { p } = probabilityOf(label, at);
          found[row + label] = Math.max(p, leastProbable);
        }
        normalise(found, row, categories);
      }
      return found;
    },
  });

/** One step of Fisher scoring for the shift and the sharpness of each rater. */
function climb(counts: Float64Array, { shift, sharpness, categories }: Thresholds): void {
  for (let rater = 0; rater < shift.length; rater++) {
    const now = { shift: shift[rater] ?? 0, sharpness: sharpness[rater] ?? 0 };
    let [byShift, bySharpness] = [prior.shift - now.shift, prior.sharpness - now.sharpness];
    let [a, b, c] = [1, 0, 1];
    for (let right = 0; right < categories; right++) {
      const from = (rater * categories + right) * categories;
      let all = 0;
      for (let label = 0; label < categories; label++) all += counts[from + label] ?? 0;
      if (all === 0) continue;
      const at = { sharpness: now.sharpness, middle: right + now.shift, categories };
      for (let label = 0; label < categories; label++) {
        const { p, perShift, perSharpness } = probabilityOf(label, at);
        const safe = Math.max(p, leastProbable);
        const count = counts[from + label] ?? 0;
        byShift += (count * perShift) / safe;
        bySharpness += (count * perSharpness) / safe;
        a += (all * perShift * perShift) / safe;
        b += (all * perShift * perSharpness) / safe;
        c += (all * perSharpness * perSharpness) / safe;
      }
    }
    const determinant = a * c - b * b;
    const limited = (step: number) => Math.max(-longestStep, Math.min(longestStep, step));
    shift[rater] = now.shift + limited((c * byShift - b * bySharpness) / determinant);
    sharpness[rater] = now.sharpness + limited((a * bySharpness - b * byShift) / determinant);
  }
}

/** P(label), and how it changes with the shift and with the logarithm of the sharpness. */
function probabilityOf(
  label: number,
  {
    sharpness,
    middle,
    categories,
  }: { readonly sharpness: number; readonly middle: number; readonly categories: number },
) {
  const slope = exp(sharpness);
  const below = (end: number) => {
    if (end < 0) return { p: 0, density: 0, distance: 0 };
    if (end >= categories - 1) return { p: 1, density: 0, distance: 0 };
    const distance = end + 0.5 - middle;
    const p = 1 / (1 + exp(-slope * distance));
    return { p, density: p * (1 - p), distance };
  };
  const [low, high] = [below(label - 1), below(label)];
  return {
    p: high.p - low.p,
    perShift: -slope * (high.density - low.density),
    perSharpness: slope * (high.density * high.distance - low.density * low.distance),
  };
}
