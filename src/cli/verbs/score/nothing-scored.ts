import { IncompleteError } from "../../../core/errors.js";
import { type UnscoredReason, unscoredReasons } from "../../../core/unscored.js";
import { waysForward } from "../../models/model-choice.js";

export type Reasons = Readonly<Partial<Record<UnscoredReason, number>>>;

/**
 * Where not one result has a score the work is not done, whatever was written: a script must see it.
 *
 * @param judgesPhotographs whether every model that was asked can judge real photographs
 * @returns the error to end with, naming how many are unscored for which reason
 */
export function nothingScored(
  each: readonly Reasons[],
  { judgesPhotographs }: { readonly judgesPhotographs: boolean },
): IncompleteError {
  const isBeyondLab =
    !judgesPhotographs && each.some((reasons) => (reasons["not-applicable"] ?? 0) > 0);
  return new IncompleteError(`Nothing was scored: ${reasonsText(each)}`, {
    hint: isBeyondLab
      ? `The lab's models judge only what the lab painted, in its English.\n${waysForward}`
      : "The detail of each result says why. Fix that, then run the same command again.",
  });
}

/** @example reasonsText([{ timeout: 2 }, { refused: 1, timeout: 1 }]) // "1 refused, 3 timeout" */
export const reasonsText = (each: readonly Reasons[]): string =>
  unscoredReasons
    .map((reason) => ({ reason, count: sum(each.map((reasons) => reasons[reason] ?? 0)) }))
    .filter(({ count }) => count > 0)
    .map(({ reason, count }) => `${count} ${reason}`)
    .join(", ");

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, one) => total + one, 0);
