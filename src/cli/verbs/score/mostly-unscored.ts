import { IncompleteError } from "../../../core/errors.js";
import { type UnscoredReason, unscoredReasons } from "../../../core/unscored.js";
import { printable } from "../../../views/printable.js";
import { waysForward } from "../../models/model-choice.js";

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

export type Reasons = Readonly<Partial<Record<UnscoredReason, number>>>;

/**
 * Where not one result has a score the work is not done, whatever was written: a script must see it.
 *
 * @param judgesPhotographs whether every model that was asked can judge real photographs
 * @param example the detail of one of them
 * @returns the error to end with, naming how many are unscored for which reason
 */
export function nothingScored(
  each: readonly Reasons[],
  {
    judgesPhotographs,
    example,
  }: { readonly judgesPhotographs: boolean; readonly example?: string | undefined },
): IncompleteError {
  const isBeyondLab =
    !judgesPhotographs && each.some((reasons) => (reasons["not-applicable"] ?? 0) > 0);
  return new IncompleteError(`Nothing was scored: ${reasonsText(each)}`, {
    hint: isBeyondLab
      ? `The lab's models judge only what the lab painted, in its English.\n${waysForward}`
      : `${exampleText(example)}The detail of each result says why. Fix that, then run the same command again.`,
  });
}

/** The reason that most of what is unscored has. */
export const commonestReason = (reasons: Reasons): UnscoredReason | undefined =>
  unscoredReasons
    .filter((reason) => (reasons[reason] ?? 0) > 0)
    .sort((one, other) => (reasons[other] ?? 0) - (reasons[one] ?? 0))[0];

/** A line with one such detail, for a hint. */
export const exampleText = (example: string | undefined): string =>
  example === undefined ? "" : `Such as: ${printable(example)}\n`;

/** @example reasonsText([{ timeout: 2 }, { refused: 1, timeout: 1 }]) // "1 refused, 3 timeout" */
export const reasonsText = (each: readonly Reasons[]): string =>
  unscoredReasons
    .map((reason) => ({ reason, count: sum(each.map((reasons) => reasons[reason] ?? 0)) }))
    .filter(({ count }) => count > 0)
    .map(({ reason, count }) => `${count} ${reason}`)
    .join(", ");

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, one) => total + one, 0);

/**
 * Whether half of the images or more were not made: generating is then incomplete, by the same rule as scoring. A script
 * must see it, whatever was written.
 *
 * @param hint how to ask again
 * @returns the error to end with; `undefined` where enough was made
 */
export function fewMade(
  made: number,
  unscored: Reasons,
  hint: string,
): IncompleteError | undefined {
  const missing = sum(Object.values(unscored));
  const all = made + missing;
  if (missing === 0 || 2 * missing < all) return undefined;
  return new IncompleteError(
    `${made === 0 ? "No image was made" : `${missing} of ${all} images were not made`}: ${reasonsText([unscored])}`,
    { hint },
  );
}
