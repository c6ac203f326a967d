import { IncompleteError } from "../../../core/errors.js";
import { type UnscoredReason, unscoredReasons } from "../../../core/unscored.js";
import { printable } from "../../../views/printable.js";
import { waysForward } from "../../models/model-choice.js";

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
