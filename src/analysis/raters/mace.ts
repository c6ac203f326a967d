import { digamma } from "../../stats/elementary/digamma.js";
import { exp } from "../../stats/elementary/exponential.js";
import { log } from "../../stats/elementary/logarithm.js";
import { byConfusion, type RaterTable, type Right } from "./rater-model.js";

/** Priors of the paper's program: Beta(0.5, 0.5) of knowing, Dirichlet(10, ...) of what spammers say. */
const priors = { knows: 0.5, says: 10 } as const;

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
