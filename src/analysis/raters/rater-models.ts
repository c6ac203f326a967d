import { exp } from "../../stats/elementary/exponential.js";
import { digamma, log, log1p } from "../../stats/elementary/logarithm.js";
import {
  byConfusion,
  confusionCounts,
  type FitOptions,
  type FittedRaters,
  fitRaters,
  normalise,
  type RaterModel,
  type RaterTable,
  type Right,
} from "./rater-model.js";

/** Normal priors of variance 1. */
const ordinalPrior = { shift: 0, sharpness: log(2) } as const;

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
        shift: before?.shift.slice() ?? new Float64Array(raters).fill(ordinalPrior.shift),
        sharpness:
          before?.sharpness.slice() ?? new Float64Array(raters).fill(ordinalPrior.sharpness),
        categories,
      };
      for (let step = 0; step < steps; step++) climbThresholds(counts, found);
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

/** Priors of the paper's program: Beta(0.5, 0.5) of knowing, Dirichlet(10, ...) of what spammers say. */
const priors = { knows: 0.5, says: 10 } as const;

/**
 * MACE (Hovy, Berg-Kirkpatrick, Vaswani and Hovy, "Learning Whom to Trust with MACE", 2013), by variational Bayes: a
 * rater either knows the right answer or says what they always say, whatever is right. All answers are as likely to
 * be right.
 */
export const mace = () =>
  byConfusion<Spamming>({
    learnsShares: false,
    maximise: (table, right, before) => spammingOf(table, right, before?.shrunk),
    probabilities: ({ mean, categories }) => mixed(mean, categories),
    logarithms: ({ shrunk, categories }) => mixed(shrunk, categories).map(log),
  });

/** Means of the normal priors, of variance 1, as in the authors' program. */
const prior = { ability: 1, ease: 1 } as const;

/** No step of Newton's method is longer. */
const longestStep = 1;

/** Steps for each expectation. */
const steps = 3;

/**
 * GLAD (Whitehill, Ruvolo, Wu, Bergsma and Movellan, "Whose Vote Should Count More", 2009): P(right) is
 * logistic(ability of the rater × ease of the item), ease being exp of a parameter; wrong answers are alike. Normal
 * priors of mean 1 and variance 1 on both. All answers are as likely to be right.
 */
export const glad = (): RaterModel<Ability> => ({
  learnsShares: false,
  maximise(table, right, state) {
    const found = {
      ability: state?.ability.slice() ?? new Float64Array(table.raters).fill(prior.ability),
      ease: state?.ease.slice() ?? new Float64Array(table.items).fill(prior.ease),
      categories: table.categories,
    };
    for (let step = 0; step < steps; step++) climb(table, right, found);
    return found;
  },
  addLogs({ ability, ease }, { categories, item, rater, label, votes }, logs) {
    const easy = ease.map(exp);
    const logOthers = log(categories - 1);
    for (let at = 0; at < item.length; at++) {
      const one = item[at] ?? 0;
      const z = (ability[rater[at] ?? 0] ?? 0) * (easy[one] ?? 0);
      const vote = votes?.[rater[at] ?? 0] ?? 1;
      const right = -vote * softplus(-z);
      const wrong = -vote * (softplus(z) + logOthers);
      const from = one * categories;
      for (let k = 0; k < categories; k++) {
        logs[from + k] = (logs[from + k] ?? 0) + (k === label[at] ? right : wrong);
      }
    }
  },
  answer({ ability, ease, categories }, { rater, item, right, label }) {
    const isRight = logistic((ability[rater] ?? 0) * exp(ease[item] ?? 0));
    return right === label ? isRight : (1 - isRight) / (categories - 1);
  },
});

const logistic = (z: number) => 1 / (1 + exp(-z));

/** log(1 + exp z). */
const softplus = (z: number) => Math.max(z, 0) + log1p(exp(-Math.abs(z)));

/** Models of raters, the simplest first. */
export const raterModels = ["majority", "mace", "glad", "ordinal", "dawid-skene"] as const;
export type RaterModelName = (typeof raterModels)[number];

type Fit = (table: RaterTable, options?: FitOptions) => FittedRaters;

const fits: Readonly<Record<RaterModelName, Fit>> = {
  majority: (table, options) => fitRaters(majority(), table, options),
  mace: (table, options) => fitRaters(mace(), table, options),
  glad: (table, options) => fitRaters(glad(), table, options),
  ordinal: (table, options) => fitRaters(ordinal(), table, options),
  "dawid-skene": (table, options) => fitRaters(dawidSkene(), table, options),
};

export const fitOf = (name: RaterModelName): Fit => fits[name];

/** Answers that are added to what a pool of raters has right, spread over the categories. */
const smoothing = 1;

/**
 * Majority vote as a model of raters: all are alike, right with one probability, and their errors are spread evenly. Its
 * posterior grows with the votes, whoever gave them.
 */
const majority = () =>
  byConfusion<{ readonly right: number; readonly raters: number; readonly categories: number }>({
    learnsShares: false,
    maximise(table, right) {
      const { categories, raters } = table;
      const counts = confusionCounts(table, right);
      let [all, same] = [smoothing, smoothing / categories];
      for (let at = 0; at < counts.length; at++) {
        const count = counts[at] ?? 0;
        all += count;
        if (at % categories === Math.floor(at / categories) % categories) same += count;
      }
      return { right: same / all, raters, categories };
    },
    probabilities({ right, raters, categories }) {
      const wrong = (1 - right) / (categories - 1);
      return Float64Array.from({ length: raters * categories * categories }, (_, at) =>
        at % categories === Math.floor(at / categories) % categories ? right : wrong,
      );
    },
  });

/** No answer is less probable. */
const leastProbable = 1e-10;

/**
 * Dawid and Skene's model (Applied Statistics 28, 1979): each rater has a matrix of how often they give each answer
 * where each is right.
 *
 * @param smoothing answers that are added to each row of a matrix, spread evenly. 0 is maximum likelihood, by which
 *   an answer that a rater never gave is impossible.
 */
export const dawidSkene = (smoothing = 1) =>
  byConfusion<Float64Array>({
    learnsShares: true,
    maximise(table, right) {
      const { categories } = table;
      const counts = confusionCounts(table, right);
      const added = Math.max(smoothing / categories, leastProbable);
      for (let at = 0; at < counts.length; at++) {
        counts[at] = smoothing === 0 ? Math.max(counts[at] ?? 0, added) : (counts[at] ?? 0) + added;
      }
      for (let row = 0; row < counts.length; row += categories) normalise(counts, row, categories);
      return counts;
    },
    probabilities: (confusions) => confusions,
  });

interface Ability {
  readonly ability: Float64Array;
  /** Logarithm of how easy each item is. */
  readonly ease: Float64Array;
  readonly categories: number;
}

/** One step of Fisher scoring for all abilities, then one for the ease of all items. */
function climb(
  { categories, item, rater, label }: RaterTable,
  { posterior, weights }: Right,
  { ability, ease }: Ability,
): void {
  for (const of of ["ability", "ease"] as const) {
    const values = of === "ability" ? ability : ease;
    const weightOf = (at: number) => (of === "ability" ? 1 : (weights[at] ?? 0));
    const slope = values.map((value, at) => weightOf(at) * (prior[of] - value));
    const curve = values.map((_, at) => weightOf(at));
    for (let at = 0; at < item.length; at++) {
      const one = item[at] ?? 0;
      const who = rater[at] ?? 0;
      const isRight = posterior[one * categories + (label[at] ?? 0)] ?? 0;
      const easy = exp(ease[one] ?? 0);
      const z = (ability[who] ?? 0) * easy;
      const p = logistic(z);
      const inner = of === "ability" ? easy : z;
      const place = of === "ability" ? who : one;
      const weight = weights[one] ?? 0;
      slope[place] = (slope[place] ?? 0) + weight * (isRight - p) * inner;
      curve[place] = (curve[place] ?? 0) + weight * p * (1 - p) * inner * inner;
    }
    for (let at = 0; at < values.length; at++) {
      const step = (curve[at] ?? 0) === 0 ? 0 : (slope[at] ?? 0) / (curve[at] ?? 1);
      values[at] = (values[at] ?? 0) + Math.max(-longestStep, Math.min(longestStep, step));
    }
  }
}

interface Spamming {
  /** P(rater spams), P(rater knows), and P(spammer says label), without and with variational shrinkage. */
  readonly mean: Parts;
  readonly shrunk: Parts;
  readonly categories: number;
}

interface Parts {
  readonly spams: Float64Array;
  readonly knows: Float64Array;
  readonly says: Float64Array;
}

/** P(label | right) of each rater: knows where they are the same, else by what spammers say. */
function mixed({ spams, knows, says }: Parts, categories: number): Float64Array {
  const found = new Float64Array(spams.length * categories * categories);
  for (let rater = 0; rater < spams.length; rater++) {
    for (let right = 0; right < categories; right++) {
      for (let label = 0; label < categories; label++) {
        found[(rater * categories + right) * categories + label] =
          (spams[rater] ?? 0) * (says[rater * categories + label] ?? 0) +
          (right === label ? (knows[rater] ?? 0) : 0);
      }
    }
  }
  return found;
}

function spammingOf(
  { raters, categories, item, rater, label }: RaterTable,
  { posterior, weights }: Right,
  before: Parts | undefined,
): Spamming {
  const spams = new Float64Array(raters);
  const knows = new Float64Array(raters);
  const says = new Float64Array(raters * categories);
  for (let at = 0; at < item.length; at++) {
    const one = item[at] ?? 0;
    const who = rater[at] ?? 0;
    const said = who * categories + (label[at] ?? 0);
    const isRight = posterior[one * categories + (label[at] ?? 0)] ?? 0;
    const knowing = before?.knows[who] ?? 0.5;
    const spamming = (before?.spams[who] ?? 0.5) * (before?.says[said] ?? 1 / categories);
    const known = (weights[one] ?? 0) * ((isRight * knowing) / (knowing + spamming));
    const unknown = (weights[one] ?? 0) - known;
    knows[who] = (knows[who] ?? 0) + known;
    spams[who] = (spams[who] ?? 0) + unknown;
    says[said] = (says[said] ?? 0) + unknown;
  }
  const parts = (share: (count: number, prior: number, of: number) => number): Parts => ({
    spams: spams.map((count, who) =>
      share(count, priors.knows, count + (knows[who] ?? 0) + 2 * priors.knows),
    ),
    knows: knows.map((count, who) =>
      share(count, priors.knows, count + (spams[who] ?? 0) + 2 * priors.knows),
    ),
    says: says.map((count, at) =>
      share(
        count,
        priors.says,
        (spams[Math.floor(at / categories)] ?? 0) + categories * priors.says,
      ),
    ),
  });
  return {
    mean: parts((count, prior, of) => (count + prior) / of),
    shrunk: parts((count, prior, of) => exp(digamma(count + prior) - digamma(of))),
    categories,
  };
}

/** Of each rater: how far they rate too high, in categories, and the logarithm of how sharply they tell two apart. */
interface Thresholds {
  readonly shift: Float64Array;
  readonly sharpness: Float64Array;
  readonly categories: number;
}

/** One step of Fisher scoring for the shift and the sharpness of each rater. */
function climbThresholds(counts: Float64Array, { shift, sharpness, categories }: Thresholds): void {
  for (let rater = 0; rater < shift.length; rater++) {
    const now = { shift: shift[rater] ?? 0, sharpness: sharpness[rater] ?? 0 };
    let [byShift, bySharpness] = [
      ordinalPrior.shift - now.shift,
      ordinalPrior.sharpness - now.sharpness,
    ];
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
