import { IncompleteError } from "../../../core/errors.js";
import { type Reasons, reasonsText, sum } from "../score/mostly-unscored.js";

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
