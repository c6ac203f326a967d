import { type AgreementConclusion, agreement } from "../agreement/agreement.js";
import type { IntervalOptions } from "../inference/intervals.js";
import type { StereotypeRow } from "./stereotype-row.js";

type Answer = 0 | 1 | null;

/** A judged answer beside those of the experts, in the order of their names. */
export interface ExpertRow extends Omit<StereotypeRow, "expert"> {
  readonly experts: readonly Answer[];
}

export interface ExpertConclusion {
  readonly names: readonly string[];
  /** How many answers each gave, in the order of their names. */
  readonly answers: readonly number[];
  /** Answers that at least one expert gave. */
  readonly n: number;
  /** Items with as many yes as no from experts: they are no reference for the judge. */
  readonly disputed: number;
  /** How far they agree on the answers that two or more gave; undefined with one expert. */
  readonly agreement?: AgreementConclusion;
}

/**
 * The experts' answers as one reference for the judge, what most of them said, and how far they agree
 * with each other. Where as many say yes as no there is no reference, and that is counted.
 */
export function auditExperts(
  rows: readonly ExpertRow[],
  names: readonly string[],
  options: Pick<IntervalOptions, "resamples" | "seed"> = {},
): { readonly rows: readonly StereotypeRow[]; readonly experts: ExpertConclusion } {
  const answered = rows.filter(({ experts }) => experts.some((answer) => answer !== null));
  const reference = rows.map(({ experts, ...row }) => ({ ...row, expert: majority(experts) }));
  return {
    rows: reference,
    experts: {
      names,
      answers: names.map((_, at) => rows.filter(({ experts }) => known(experts[at])).length),
      n: answered.length,
      disputed: answered.filter(({ experts }) => majority(experts) === null).length,
      ...(names.length < 2 ? {} : { agreement: between(answered, names, options) }),
    },
  };
}

/** The experts' majority; null where nobody answered, or as many said yes as no. */
function majority(answers: readonly (Answer | undefined)[]): Answer {
  const yes = answers.filter((answer) => answer === 1).length;
  const no = answers.filter((answer) => answer === 0).length;
  if (yes === no) return null;
  return yes > no ? 1 : 0;
}

const known = (answer: Answer | undefined) => answer === 0 || answer === 1;

function between(
  rows: readonly ExpertRow[],
  names: readonly string[],
  options: Pick<IntervalOptions, "resamples" | "seed">,
): AgreementConclusion {
  return agreement(
    rows.flatMap(({ category, query, model, phase, imageSet, item, experts }) =>
      names.map((annotator, at) => {
        const answer = experts[at];
        return {
          item: JSON.stringify([category, query, model, phase, imageSet, item]),
          annotator,
          value: answer === 0 || answer === 1 ? String(answer) : undefined,
        };
      }),
    ),
    { scale: "nominal", categories: ["0", "1"], ...options },
  );
}
