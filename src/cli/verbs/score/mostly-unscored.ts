import { IncompleteError } from "../../../core/errors.js";
import { exampleText, nothingScored, type Reasons, reasonsText, sum } from "./nothing-scored.js";

/** Outcome of one metric with the model that it asked. */
export interface MetricOutcome {
  /** As `--metric` names the two: "vqa-score=lab:vqa". */
  readonly name: string;
  /** Results with a score. */
  readonly scored: number;
  readonly reasons: Reasons;
  /** The detail of one result that is unscored for the commonest reason. */
  readonly example?: string | undefined;
}

/**
 * Whether scoring is incomplete for want of answers: half of all results or more are unscored, or
 * a metric scored nothing with its model. A script must see it, whatever was written.
 *
 * @param again the command that scores by these metrics; `undefined` where it can't be given again
 * @returns the error to end with; `undefined` where enough was scored
 */
export function mostlyUnscored(
  outcomes: readonly MetricOutcome[],
  {
    judgesPhotographs,
    again,
  }: {
    readonly judgesPhotographs: boolean;
    readonly again: (names: readonly string[]) => string | undefined;
  },
): IncompleteError | undefined {
  const each = outcomes.filter((outcome) => allOf(outcome) > 0);
  const idle = each.filter(({ scored }) => scored === 0);
  if (each.length === 0) return undefined;
  // The metric that lacks most answers shows why.
  const { example } = each.reduce((one, other) => (lacking(other) > lacking(one) ? other : one));
  if (idle.length === each.length) {
    return nothingScored(
      each.map(({ reasons }) => reasons),
      { judgesPhotographs, example },
    );
  }
  const all = sum(each.map(allOf));
  const unscored = all - sum(each.map(({ scored }) => scored));
  if (idle.length === 0 && 2 * unscored < all) return undefined;
  const kept = outcomes.filter((outcome) => !idle.includes(outcome));
  const command = again(kept.map(({ name }) => name));
  const without = idle.length === 0 ? "" : ", without what scored nothing";
  return new IncompleteError(
    `${unscored} of ${all} results are unscored: ${reasonsText(each.map(({ reasons }) => reasons))}`,
    {
      hint: [
        ...idle.map(
          (one) => `${one.name} scored none of ${allOf(one)}: ${reasonsText([one.reasons])}`,
        ),
        `${exampleText(example)}Each result's detail says why.`,
        ...(command === undefined ? [] : [`Go on${without}: ${command}`]),
      ].join("\n"),
    },
  );
}

const lacking = ({ reasons }: MetricOutcome): number => sum(Object.values(reasons));
const allOf = (outcome: MetricOutcome): number => outcome.scored + lacking(outcome);
