import { exp } from "../../stats/elementary/exponential.js";
import { log, log1p } from "../../stats/elementary/logarithm.js";
import type { RaterModel, RaterTable, Right } from "./rater-model.js";

/** Means of the normal priors, of variance 1, as in the authors' program. */
const prior = { ability: 1, ease: 1 } as const;
/** No step of Newton's method is longer. */
const longestStep = 1;
/** Steps for each expectation. */
const steps = 3;

interface Ability {
  readonly ability: Float64Array;
  /** Logarithm of how easy each item is. */
  readonly ease: Float64Array;
  readonly categories: number;
}

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

const logistic = (z: number) => 1 / (1 + exp(-z));
/** log(1 + exp z). */
const softplus = (z: number) => Math.max(z, 0) + log1p(exp(-Math.abs(z)));
