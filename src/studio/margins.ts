import { isTie } from "../analysis/pairs/score-ties.js";
import type { IndexedPair } from "./image-pairs.js";
import type { RunIndex } from "./run-index.js";
import type { ScoreTable } from "./score-table.js";

/** How much better the right one did by a metric, and whether that counts as a failure. */
export interface Margin {
  readonly margin: number;
  readonly failed: boolean;
}

/** By the image's place in the index. */
export type Margins = ReadonlyMap<number, Margin>;

/**
 * The margins of a metric's images: of a contrastive pair both images have that of the pair, correct
 * minus adversarial, where a tie is a failure (ProtoBias, Eq. 5); of a description the image has that
 * of its text over the one with swapped attributes, where only a higher swapped one fails.
 */
export function marginsOf(
  table: ScoreTable,
  { index, pairs }: { readonly index: RunIndex; readonly pairs: readonly IndexedPair[] },
): Margins {
  const sign = table.direction === "higher" ? 1 : -1;
  const found = new Map<number, Margin>();
  if (table.against === "prompt") {
    for (const { kind, first, second } of pairs) {
      const [right, wrong] = [table.value(first), table.value(second)];
      if (kind !== "contrastive" || Number.isNaN(right) || Number.isNaN(wrong)) continue;
      const margin = sign * (right - wrong);
      const entry = { margin, failed: isTie(right, wrong) || margin < 0 };
      found.set(first, entry).set(second, entry);
    }
  }
  const swapped =
    table.against === "own"
      ? index.tables.find((one) => one.against === "swapped" && one.identity === table.identity)
      : undefined;
  if (swapped !== undefined) {
    for (let image = 0; image < index.rows.length; image++) {
      const [right, wrong] = [table.value(image), swapped.value(image)];
      if (Number.isNaN(right) || Number.isNaN(wrong)) continue;
      const margin = sign * (right - wrong);
      found.set(image, { margin, failed: !isTie(right, wrong) && margin < 0 });
    }
  }
  return found;
}
