import { IncompleteError } from "../../core/errors.js";
import { type UnscoredReason, unscoredReasons } from "../../core/unscored.js";
import { waysForward } from "../model-choice.js";

type Reasons = Readonly<Partial<Record<UnscoredReason, number>>>;

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
  const counts = unscoredReasons.map((reason) => ({
    reason,
    count: each.reduce((sum, reasons) => sum + (reasons[reason] ?? 0), 0),
  }));
  const named = counts.filter(({ count }) => count > 0);
  const isBeyondLab = !judgesPhotographs && named.some(({ reason }) => reason === "not-applicable");
  return new IncompleteError(
    `Nothing was scored: ${named.map(({ count, reason }) => `${count} ${reason}`).join(", ")}`,
    {
      hint: isBeyondLab
        ? `The lab's models judge only what the lab painted, in its English.\n${waysForward}`
        : "Each result's detail says why. Mend that, then give the same command again.",
    },
  );
}
